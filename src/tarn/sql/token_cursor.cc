#include "tarn/sql/token_cursor.h"

#include <algorithm>

#include <fmt/format.h>

#include "tarn/base/text.h"
#include "tarn/sql/tokenizer.h"

namespace tarn::sql {
namespace {

std::string Shown(const Token& token) {
  if (token.kind == TokenKind::kEnd) return "the end";
  constexpr size_t kLongest = 40;
  std::string text(token.text.substr(0, kLongest));
  if (token.text.size() > kLongest) text += "…";
  return "'" + text + "'";
}

}  // namespace

TokenCursor::TokenCursor(std::string_view sql, const std::vector<Token>& tokens, size_t begin,
                         size_t end)
    : sql_(sql), tokens_(&tokens), at_(begin), end_(end) {}

const Token& TokenCursor::Peek(size_t ahead) const {
  static const Token kNothing;
  if (at_ + ahead < end_) return (*tokens_)[at_ + ahead];
  // Beyond the range, but within the text, errors should still name a place.
  const Token& next = (*tokens_)[end_];
  return next.kind == TokenKind::kEnd ? next : kNothing;
}

const Token& TokenCursor::Next() {
  const Token& token = Peek();
  Skip();
  return token;
}

void TokenCursor::Skip(size_t count) { at_ = std::min(at_ + count, end_); }

bool TokenCursor::LooksAt(std::initializer_list<std::string_view> words) const {
  size_t ahead = 0;
  return std::all_of(words.begin(), words.end(),
                     [&](std::string_view word) { return Peek(ahead++).Is(word); });
}

bool TokenCursor::Accept(std::initializer_list<std::string_view> words) {
  if (!LooksAt(words)) return false;
  Skip(words.size());
  return true;
}

bool TokenCursor::AcceptOperator(std::string_view symbol) {
  if (!Peek().IsOperator(symbol)) return false;
  Skip();
  return true;
}

Error TokenCursor::Expected(std::string_view what) const {
  const uint32_t offset = (*tokens_)[std::min(at_, end_)].span.begin;
  return Invalid(fmt::format("sql: {}: expected {}, found {}", PlaceToText(PlaceOf(sql_, offset)),
                             what, Shown(Peek())));
}

Status TokenCursor::Expect(std::string_view word) {
  if (Accept(word)) return OkStatus();
  return Expected(word);
}

Status TokenCursor::ExpectOperator(std::string_view symbol) {
  if (AcceptOperator(symbol)) return OkStatus();
  return Expected(fmt::format("'{}'", symbol));
}

Result<std::string> TokenCursor::ExpectIdentifier(std::string_view what) {
  if (!Peek().IsIdentifier()) return Expected(what);
  return Next().Value();
}

Result<std::string> TokenCursor::ExpectString(std::string_view what) {
  if (Peek().kind != TokenKind::kString) return Expected(what);
  return Next().Value();
}

bool TokenCursor::IsOpening(const Token& token) {
  return token.IsOperator("(") || token.IsOperator("[") || token.IsOperator("{");
}

size_t TokenCursor::MatchingBracket() const {
  size_t depth = 0;
  for (size_t i = at_; i < end_; ++i) {
    const Token& token = (*tokens_)[i];
    if (IsOpening(token)) ++depth;
    if (token.IsOperator(")") || token.IsOperator("]") || token.IsOperator("}")) {
      if (depth <= 1) return i;
      --depth;
    }
  }
  return end_;
}

Fragment TokenCursor::TextOf(size_t from, size_t to) const {
  to = std::min(to, end_);
  if (from >= to) return {};
  const SourceSpan span{(*tokens_)[from].span.begin, (*tokens_)[to - 1].span.end};
  return {std::string(sql_.substr(span.begin, span.size())), span};
}

namespace {

// Parts after the first name: ".x"s. Numbers like ".1" never follow a name (the tokenizer's rule).
Status ParseParts(TokenCursor& cursor, std::vector<std::string>& parts) {
  while (cursor.Peek().IsOperator(".") && cursor.Peek(1).IsIdentifier()) {
    cursor.Skip();
    parts.push_back(cursor.Next().Value());
  }
  if (cursor.Peek().IsOperator(".")) {
    cursor.Skip();
    return cursor.Expected("a name after '.'");
  }
  return OkStatus();
}

}  // namespace

Result<TableName> ParseTableName(TokenCursor& cursor) {
  TableName name;
  const size_t begin = cursor.position();
  const Token& first = cursor.Peek();
  const Token& second = cursor.Peek(2);
  if (first.kind == TokenKind::kString) {
    name.path = cursor.Next().Value();
    TARN_RETURN_IF_ERROR(ParseParts(cursor, name.suffix));
  } else if (first.kind == TokenKind::kWord && cursor.Peek(1).IsOperator(".") &&
             (second.kind == TokenKind::kString ||
              (second.kind == TokenKind::kQuotedIdentifier &&
               second.text.find('/') != std::string_view::npos))) {
    name.format = AsciiLower(first.text);
    cursor.Skip(2);
    name.path = cursor.Next().Value();
    TARN_RETURN_IF_ERROR(ParseParts(cursor, name.suffix));
  } else if (first.kind == TokenKind::kQuotedIdentifier &&
             first.text.find('/') != std::string_view::npos) {
    name.path = cursor.Next().Value();
    TARN_RETURN_IF_ERROR(ParseParts(cursor, name.suffix));
  } else if (first.IsIdentifier()) {
    name.parts.push_back(cursor.Next().Value());
    TARN_RETURN_IF_ERROR(ParseParts(cursor, name.parts));
  } else {
    return cursor.Expected("the name of a table, or its path in quotes");
  }
  const bool empty = name.parts.empty()
                         ? name.path.empty()
                         : std::any_of(name.parts.begin(), name.parts.end(),
                                       [](const std::string& part) { return part.empty(); });
  if (empty) {
    cursor.MoveTo(begin);
    return cursor.Expected("the name of a table that is not empty");
  }
  name.span = cursor.TextOf(begin, cursor.position()).span;
  return name;
}

std::string ColumnPathToText(const std::vector<std::string>& parts) {
  std::vector<std::string> spelled;
  for (const std::string& part : parts) {
    if (part.find_first_of(".`") == std::string::npos) {
      spelled.push_back(part);
      continue;
    }
    std::string quoted = "`";
    for (const char c : part) {
      quoted += c;
      if (c == '`') quoted += c;
    }
    spelled.push_back(quoted + "`");
  }
  return Join(spelled, ".");
}

Result<std::string> ParseColumnPath(TokenCursor& cursor) {
  std::vector<std::string> parts;
  TARN_ASSIGN_OR_RETURN(std::string first, cursor.ExpectIdentifier("the name of a column"));
  parts.push_back(std::move(first));
  TARN_RETURN_IF_ERROR(ParseParts(cursor, parts));
  return ColumnPathToText(parts);
}

namespace {

// One operand of a time: literal, call, parenthesised expression, INTERVAL …; false if there is
// none.
bool SkipOperand(TokenCursor& cursor) {
  if (cursor.Peek().IsOperator("-") || cursor.Peek().IsOperator("+")) cursor.Skip();
  const Token& token = cursor.Peek();
  if (token.kind == TokenKind::kString || token.kind == TokenKind::kNumber ||
      token.kind == TokenKind::kParameter) {
    cursor.Skip();
    return true;
  }
  if (token.IsOperator("(")) {
    cursor.MoveTo(cursor.MatchingBracket());
    cursor.Skip();
    return true;
  }
  if (token.Is("interval")) {
    cursor.Skip();
    if (cursor.Peek().kind == TokenKind::kNumber) {
      cursor.Skip();
      if (cursor.Peek().kind == TokenKind::kWord) cursor.Skip();
      return true;
    }
    if (!SkipOperand(cursor)) return false;
    static constexpr std::array<std::string_view, 16> kUnits = {
        "second", "seconds", "minute", "minutes", "hour", "hours", "day",         "days",
        "week",   "weeks",   "month",  "months",  "year", "years", "millisecond", "microsecond"};
    if (std::any_of(kUnits.begin(), kUnits.end(),
                    [&](std::string_view unit) { return cursor.Peek().Is(unit); })) {
      cursor.Skip();
    }
    return true;
  }
  if (!token.IsIdentifier()) return false;
  const bool typed = token.Is("timestamp") || token.Is("date") || token.Is("timestamptz");
  cursor.Skip();
  if (typed && cursor.Peek().kind == TokenKind::kString) {
    cursor.Skip();
    return true;
  }
  while (cursor.Peek().IsOperator(".") && cursor.Peek(1).IsIdentifier()) cursor.Skip(2);
  if (cursor.Peek().IsOperator("(")) {
    cursor.MoveTo(cursor.MatchingBracket());
    cursor.Skip();
  }
  return true;
}

// The value of a time travel: one literal, or an expression of operands, + and -, and casts.
Status ParseTimeValue(TokenCursor& cursor, TimeTravel& travel) {
  const size_t begin = cursor.position();
  while (true) {
    if (!SkipOperand(cursor)) {
      return cursor.Expected(travel.kind == TimeTravel::Kind::kVersion ? "a version" : "a time");
    }
    while (cursor.AcceptOperator("::")) cursor.Skip();
    if (cursor.Peek().IsOperator("+") || cursor.Peek().IsOperator("-")) {
      cursor.Skip();
      continue;
    }
    break;
  }
  const size_t end = cursor.position();
  travel.expression = cursor.TextOf(begin, end);
  TokenCursor first = cursor;
  first.MoveTo(begin);
  // TIMESTAMP '2026-11-30' says no more than the string alone.
  if (end - begin == 2 && (first.Peek().Is("timestamp") || first.Peek().Is("date"))) first.Skip();
  const TokenKind kind = first.Peek().kind;
  if (first.position() + 1 == end &&
      (kind == TokenKind::kString || kind == TokenKind::kNumber || kind == TokenKind::kWord)) {
    const bool plain_tag = kind == TokenKind::kWord && travel.kind == TimeTravel::Kind::kVersion;
    if (kind != TokenKind::kWord || plain_tag) travel.literal = first.Peek().Value();
  }
  return OkStatus();
}

}  // namespace

Result<std::optional<TimeTravel>> ParseTimeTravel(TokenCursor& cursor) {
  const size_t begin = cursor.position();
  TimeTravel travel;
  if (cursor.LooksAt({"AT"}) && cursor.Peek(1).IsOperator("(") &&
      (cursor.Peek(2).Is("version") || cursor.Peek(2).Is("timestamp")) &&
      cursor.Peek(3).IsOperator("=>")) {
    travel.kind =
        cursor.Peek(2).Is("version") ? TimeTravel::Kind::kVersion : TimeTravel::Kind::kTimestamp;
    cursor.Skip(4);
    TARN_RETURN_IF_ERROR(ParseTimeValue(cursor, travel));
    TARN_RETURN_IF_ERROR(cursor.ExpectOperator(")"));
  } else {
    const size_t word = cursor.Peek().Is("for") ? 1 : 0;
    const bool version = cursor.Peek(word).Is("version") || cursor.Peek(word).Is("system_version");
    const bool time = cursor.Peek(word).Is("timestamp") || cursor.Peek(word).Is("system_time");
    if ((!version && !time) || !cursor.Peek(word + 1).Is("as") || !cursor.Peek(word + 2).Is("of")) {
      return std::optional<TimeTravel>();
    }
    travel.kind = version ? TimeTravel::Kind::kVersion : TimeTravel::Kind::kTimestamp;
    cursor.Skip(word + 3);
    TARN_RETURN_IF_ERROR(ParseTimeValue(cursor, travel));
  }
  travel.span = cursor.TextOf(begin, cursor.position()).span;
  return std::optional(std::move(travel));
}

}  // namespace tarn::sql
