#include "tarn/sql/grammar/parser_internal.h"

#include <string>

#include <fmt/format.h>

#include "tarn/base/text.h"

namespace tarn::sql::tree {
namespace {

// No names anywhere, but in quotes, behind a dot, or where a dialect allows nothing else.
constexpr KeywordSet kNeverNames = {
    "SELECT",   "FROM",  "WHERE", "GROUP", "HAVING", "ORDER",   "UNION",  "INTERSECT",
    "EXCEPT",   "JOIN",  "ON",    "AND",   "OR",     "NOT",     "CASE",   "WHEN",
    "THEN",     "ELSE",  "AS",    "IN",    "IS",     "LIKE",    "INTO",   "BETWEEN",
    "DISTINCT", "USING", "WITH",  "INNER", "CROSS",  "LATERAL", "NATURAL"};

std::string Shown(const Token& token) {
  if (token.kind == TokenKind::kEnd) return "the end";
  constexpr size_t kLongest = 40;
  if (token.text.size() <= kLongest) return fmt::format("'{}'", token.text);
  size_t cut = kLongest;
  while (cut > 0 && (static_cast<unsigned char>(token.text[cut]) & 0xC0) == 0x80) --cut;
  return fmt::format("'{}…'", token.text.substr(0, cut));
}

std::string_view UnclosedKind(std::string_view text) {
  if (text.starts_with("/*")) return "the comment";
  if (text[0] == '"' || text[0] == '`') return "the quoted name";
  return "the string";
}

}  // namespace

Parser::Parser(std::string_view text, TokenizedScript& tokenized, const Dialect& dialect,
               Arena& arena)
    : text_(text),
      places_(text),
      tokens_(tokenized.tokens),
      comments_(tokenized.comments),
      dialect_(dialect),
      arena_(arena),
      end_(tokenized.tokens.size() - TokenizedScript::kPadding) {}

void Parser::FailAt(Keyword word) { Fail(fmt::format("'{}'", word.text())); }

void Parser::Fail(std::string_view what) {
  if (!failed()) {
    const Token& found = Peek();
    const SourcePlace place = places_.Of(found.span.begin);
    std::string message =
        found.kind == TokenKind::kUnclosed
            ? fmt::format("{}: {} is not closed", PlaceToText(place), UnclosedKind(found.text))
            : fmt::format("{}: expected {}, found {}", PlaceToText(place), what, Shown(found));
    error_ = ParseError{found.span, place, std::move(message)};
    failed_at_ = at_;
  }
  at_ = end_;
}

void Parser::FailTooDeep() {
  if (!failed()) {
    const SourcePlace place = places_.Of(Here());
    error_ = ParseError{
        Peek().span, place,
        fmt::format("{}: nested deeper than {} levels", PlaceToText(place), kTreeHeightMax)};
    failed_at_ = at_;
  }
  at_ = end_;
}

ParsedStatement Parser::ParseStatementWithRecovery() {
  const uint32_t begin = Here();
  const size_t first = at_;
  error_.reset();
  depth_ = 0;
  block_depth_ = 0;
  const Node* root = ParseStatement();
  if (!failed() && !AtEnd() && !LooksAt(";")) Fail("';' or the end of the statement");
  if (failed()) {
    root = nullptr;
    at_ = failed_at_ > first ? failed_at_ : first;
    while (!AtEnd() && !LooksAt(";")) ++at_;
  }
  const uint32_t end = at_ > first ? tokens_[at_ - 1].span.end : begin;
  return {root, {begin, end}, std::move(error_)};
}

// ---- Tokens.

Tokens Parser::TokensFrom(size_t from) {
  if (from >= at_) return {};
  auto* const copy = arena_.NewArray<std::string_view>(at_ - from);
  for (size_t i = from; i < at_; ++i) copy[i - from] = tokens_[i].text;
  return {copy, at_ - from};
}

std::string_view Parser::WordsFrom(size_t from) {
  std::string words;
  for (size_t i = from; i < at_; ++i) {
    if (!words.empty()) words += ' ';
    const KeywordId keyword = tokens_[i].keyword;
    if (keyword != 0) {
      words += kKeywords[keyword];
    } else {
      for (const char c : tokens_[i].text) words += internal::FoldUpper(c);
    }
  }
  return arena_.Copy(words);
}

size_t Parser::ClosingBracket(size_t position) const {
  static constexpr KeywordSet kOpening = {"(", "[", "{"};
  static constexpr KeywordSet kClosing = {")", "]", "}"};
  size_t depth = 0;
  for (; position < end_ && tokens_[position].keyword != K(";"); ++position) {
    if (kOpening.Contains(tokens_[position].keyword)) ++depth;
    if (kClosing.Contains(tokens_[position].keyword) && depth-- <= 1) return position;
  }
  return end_;
}

void Parser::SkipBalanced() {
  static constexpr KeywordSet kOpening = {"(", "[", "{"};
  if (!LooksAtAny(kOpening)) {
    Skip();
    return;
  }
  const size_t closing = ClosingBracket(at_);
  if (closing == end_) return Fail("a closing bracket");
  at_ = closing + 1;
}

Tokens Parser::TakeBracket() {
  if (!LooksAt("(")) return {};
  const size_t from = at_;
  SkipBalanced();
  return TokensFrom(from);
}

// ---- Names.

bool Parser::AtIdentifier(size_t ahead) const {
  const Token& token = Peek(ahead);
  switch (token.kind) {
    case TokenKind::kWord:
      return token.keyword == 0 ||
             (!kNeverNames.Contains(token.keyword) && !dialect_.reserved.Contains(token.keyword));
    case TokenKind::kQuotedIdentifier:
    case TokenKind::kTemplate:
      return true;
    default:
      return false;
  }
}

bool Parser::AtClause() const {
  const Token& next = Peek(1);
  switch (Peek().keyword) {
    case 0:
      return false;
    case K("FROM"):
    case K("WHERE"):
    case K("GROUP"):
    case K("HAVING"):
    case K("ORDER"):
    case K("UNION"):
    case K("INTERSECT"):
    case K("EXCEPT"):
    case K("LIMIT"):
    case K("QUALIFY"):
    case K("JOIN"):
    case K("INNER"):
    case K("LEFT"):
    case K("RIGHT"):
    case K("FULL"):
    case K("CROSS"):
    case K("NATURAL"):
    case K("LATERAL"):
    case K("ON"):
    case K("USING"):
    case K("WHEN"):
    case K("THEN"):
    case K("ELSE"):
    case K("END"):
    case K("AND"):
    case K("OR"):
    case K("WITH"):
    case K("INTO"):
    case K("SELECT"):
    case K("RETURNING"):
    case K("TABLESAMPLE"):
    case K("MATCH_RECOGNIZE"):
    case K("SET"):
      return true;
    case K("CLUSTER"):
    case K("DISTRIBUTE"):
    case K("SORT"):
    case K("PARTITION"):
      return next.keyword == K("BY") || next.keyword == K("(");
    case K("SEMI"):
    case K("ANTI"):
    case K("ASOF"):
    case K("POSITIONAL"):
      return next.keyword == K("JOIN") || next.keyword == K("LEFT");
    case K("OUTER"):
      return next.keyword == K("APPLY");
    case K("OFFSET"):
      return next.kind == TokenKind::kNumber || next.kind == TokenKind::kParameter ||
             next.kind == TokenKind::kTemplate || next.keyword == K("(") ||
             next.keyword == K(":") || next.kind == TokenKind::kWord;
    case K("FETCH"):
      return next.keyword == K("FIRST") || next.keyword == K("NEXT");
    case K("MINUS"):
      return next.keyword == K("SELECT") || next.keyword == K("(") || next.keyword == K("ALL") ||
             next.keyword == K("DISTINCT") || next.keyword == K("FROM") ||
             next.keyword == K("VALUES");
    case K("WINDOW"):
      return AtIdentifier(1) && Peek(2).keyword == K("AS");
    case K("PIVOT"):
    case K("UNPIVOT"):
      return next.keyword == K("(") || next.keyword == K("INCLUDE") || next.keyword == K("EXCLUDE");
    case K("INSERT"):
      return next.keyword == K("INTO") || next.keyword == K("OVERWRITE");
    case K("FOR"):
      return next.kind == TokenKind::kWord || next.kind == TokenKind::kQuotedIdentifier ||
             next.keyword == K("(");
    case K("VERSION"):
    case K("TIMESTAMP"):
      return next.keyword == K("AS") && Peek(2).keyword == K("OF");
    case K("AT"):
    case K("BEFORE"):
      return next.keyword == K("(");
    case K("VALUES"):
    case K("DEFAULT"):
      return next.keyword == K("(") || next.keyword == K("VALUES");
    case K("DO"):
      return block_depth_ > 0;
    case K("MAP"):
    case K("REDUCE"):
      return AtTransform();
    case K("BY"):
      return next.keyword == K("NAME");
    case K("REPLACE"):
      return next.keyword == K("WHERE") || next.keyword == K("USING");
    default:
      return false;
  }
}

Identifier Parser::TakeIdentifier() {
  const Token& token = Peek();
  const Identifier identifier = {token.text, token.span};
  Skip();
  return identifier;
}

Identifier Parser::ParseIdentifier(std::string_view what) {
  // "x" is a string to some engines, and yet what people write for a name.
  if (AtIdentifier() || Peek().kind == TokenKind::kString) return TakeIdentifier();
  Fail(what);
  return {};
}

Identifier Parser::ParseAnyWord(std::string_view what) {
  const TokenKind kind = Peek().kind;
  if (kind == TokenKind::kWord || kind == TokenKind::kQuotedIdentifier ||
      kind == TokenKind::kTemplate || kind == TokenKind::kNumber || kind == TokenKind::kString) {
    return TakeIdentifier();
  }
  Fail(what);
  return {};
}

Name Parser::ParseName(std::string_view what) {
  const uint32_t begin = Here();
  Collector<Identifier> parts(identifiers_, arena_);
  parts.Add(ParseIdentifier(what));
  while (LooksAt(".") && Peek(1).keyword != K("*")) {
    Skip();
    parts.Add(ParseAnyWord("a name after '.'"));
  }
  return {parts.Take(), {begin, at_ > 0 ? tokens_[at_ - 1].span.end : begin}};
}

// A name that may be any word: where nothing else can stand.
Name Parser::ParseAnyName(std::string_view what) {
  const uint32_t begin = Here();
  Collector<Identifier> parts(identifiers_, arena_);
  do {
    parts.Add(ParseAnyWord(what));
  } while (Accept("."));
  return {parts.Take(), {begin, tokens_[at_ - 1].span.end}};
}

List<Identifier> Parser::ParseIdentifiers(std::string_view what) {
  Collector<Identifier> list(identifiers_, arena_);
  do {
    list.Add(ParseIdentifier(what));
  } while (Accept(","));
  return list.Take();
}

List<Identifier> Parser::ParseIdentifiersInBrackets(std::string_view what) {
  Expect("(");
  const List<Identifier> list = ParseIdentifiers(what);
  Expect(")");
  return list;
}

List<Name> Parser::ParseNames(std::string_view what) {
  Collector<Name> list(names_, arena_);
  do {
    list.Add(ParseName(what));
  } while (Accept(","));
  return list.Take();
}

List<Name> Parser::ParseNamesInBrackets(std::string_view what) {
  Expect("(");
  if (Accept(")")) return {};
  const List<Name> list = ParseNames(what);
  Expect(")");
  return list;
}

const Expression* Parser::ParseString(std::string_view what) {
  if (Peek().kind == TokenKind::kString) return ParseLiteral(Literal::Class::kString);
  if (AtString() || LooksAt(":")) return ParseParameter();
  Fail(what);
  return Finish(New<Literal>(), Here());
}

}  // namespace tarn::sql::tree
