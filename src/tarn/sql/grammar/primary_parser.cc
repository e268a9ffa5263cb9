#include "tarn/sql/grammar/parser_internal.h"

namespace tarn::sql::tree {
namespace {

// DATE '2024-01-01' and the like: a type, then a string.
constexpr KeywordSet kLiteralTypes = {
    "DATE",     "TIME",    "TIMESTAMP", "TIMESTAMPTZ", "TIMESTAMP_NTZ", "TIMESTAMP_LTZ",
    "DATETIME", "DECIMAL", "NUMERIC",   "BIGINT",      "INTEGER",       "INT",
    "SMALLINT", "TINYINT", "DOUBLE",    "REAL",        "FLOAT",         "CHAR",
    "VARCHAR",  "JSON",    "JSONB",     "UUID",        "IPADDRESS",     "BOOLEAN",
    "BOOL",     "INET",    "CIDR",      "BIT",         "VARBINARY",     "BLOB",
    "TEXT",     "BYTEA",   "HUGEINT",   "INT4",        "INT8",          "FLOAT8"};

// Functions that may be called without parentheses.
constexpr KeywordSet kBareFunctions = {"CURRENT_DATE", "CURRENT_TIMESTAMP", "CURRENT_TIME",
                                       "LOCALTIME",    "LOCALTIMESTAMP",    "CURRENT_USER",
                                       "SESSION_USER", "CURRENT_CATALOG",   "CURRENT_SCHEMA",
                                       "CURRENT_PATH", "CURRENT_ROLE"};

constexpr KeywordSet kUnits = {
    "YEAR",        "YEARS",        "QUARTER",    "QUARTERS",    "MONTH",       "MONTHS",
    "WEEK",        "WEEKS",        "DAY",        "DAYS",        "HOUR",        "HOURS",
    "MINUTE",      "MINUTES",      "SECOND",     "SECONDS",     "MILLISECOND", "MILLISECONDS",
    "MICROSECOND", "MICROSECONDS", "NANOSECOND", "NANOSECONDS", "DECADE",      "DECADES",
    "CENTURY",     "CENTURIES",    "MILLENNIUM", "MILLENNIA"};

}  // namespace

const Expression* Parser::ParsePrimary() {
  switch (Peek().kind) {
    case TokenKind::kWord:
      return ParseWord();
    case TokenKind::kQuotedIdentifier:
      return ParseNamed();
    case TokenKind::kNumber:
      return ParseLiteral(Literal::Class::kNumber);
    case TokenKind::kString: {
      size_t count = 1;
      while (Peek(count).kind == TokenKind::kString && count < TokenizedScript::kPadding - 1) {
        ++count;
      }
      return ParseLiteral(Literal::Class::kString, count);
    }
    case TokenKind::kParameter:
      return ParseParameter();
    case TokenKind::kTemplate:
      if (Peek(1).keyword == K(".") || Peek(1).keyword == K("(")) return ParseNamed();
      return ParseParameter();
    case TokenKind::kOperator:
      break;
    case TokenKind::kUnclosed:
    case TokenKind::kEnd:
      Fail("an expression");
      return Finish(New<Literal>(), Here());
  }
  const uint32_t begin = Here();
  switch (Peek().keyword) {
    case K("("):
      return ParseBracket();
    case K("["):
      return ParseSquareBracket({}, begin);
    case K("{"):
      return ParseBrace({}, begin);
    case K("*"):
      return ParseStar({}, nullptr, begin);
    case K(":"):
    case K("@"):
    case K("#"):
      if (Peek(1).span.begin == Peek().span.end) return ParseParameter();
      break;
    default:
      break;
  }
  Fail("an expression");
  return Finish(New<Literal>(), begin);
}

const Expression* Parser::ParseWord() {
  if (Peek().keyword == 0) return ParseNamed();
  if (const Expression* expression = ParseKeywordExpression()) return expression;
  // A reserved word before a bracket is a function: left(x, 1), replace(…).
  if (AtIdentifier()) return ParseNamed();
  static constexpr KeywordSet kFunctions = {"LEFT", "RIGHT", "LIKE", "REPLACE", "INSERT"};
  if (Peek(1).keyword == K("(") && LooksAtAny(kFunctions)) return ParseNamed();
  Fail("an expression");
  return Finish(New<Literal>(), Here());
}

// Words with a syntax of their own, where what follows shows that they are not just names.
const Expression* Parser::ParseKeywordExpression() {
  const KeywordId next = Peek(1).keyword;
  const uint32_t begin = Here();
  if (next == K(".")) return nullptr;
  switch (Peek().keyword) {
    case K("CASE"):
      return ParseCase();
    case K("CAST"):
    case K("TRY_CAST"):
    case K("SAFE_CAST"):
      return next == K("(") ? ParseCast() : nullptr;
    case K("NULL"):
      return ParseLiteral(Literal::Class::kNull);
    case K("TRUE"):
    case K("FALSE"):
      return next == K("(") ? nullptr : ParseLiteral(Literal::Class::kBoolean);
    case K("DEFAULT"):
      return next == K("(") ? nullptr : ParseLiteral(Literal::Class::kDefault);
    case K("EXISTS"): {
      if (next != K("(") || !(AtQuery(2) || Peek(2).keyword == K("("))) return nullptr;
      auto* const exists = New<Exists>();
      Skip();
      const QueryBody* const query = ParseQueryPrimary();
      exists->query = As<Query>(query);
      if (exists->query == nullptr) Fail("a query");
      return Finish(exists, begin);
    }
    case K("INTERVAL"):
      return AtInterval() ? ParseInterval() : nullptr;
    case K("ARRAY"):
      if (next != K("[")) return nullptr;
      Skip();
      return ParseSquareBracket("ARRAY", begin);
    case K("MAP"):
    case K("STRUCT"):
      if (next != K("{")) return nullptr;
      Skip();
      return ParseBrace(tokens_[at_ - 1].keyword == K("MAP") ? "MAP" : "STRUCT", begin);
    case K("ROW"): {
      if (next != K("(")) return nullptr;
      auto* const row = New<Row>();
      row->word = "ROW";
      Skip(2);
      if (!LooksAt(")")) {
        NodeCollector<Expression> elements(*this);
        do {
          elements.Add(ParseAliasIfNamed());
        } while (Accept(","));
        row->elements = elements.Take();
      }
      Expect(")");
      return Finish(row, begin);
    }
    case K("LAMBDA"): {
      if (!AtIdentifier(1) || (Peek(2).keyword != K(":") && Peek(2).keyword != K(","))) {
        return nullptr;
      }
      Skip();
      auto* const lambda = New<Lambda>();
      lambda->worded = true;
      lambda->parameters = ParseIdentifiers("a parameter");
      Expect(":");
      lambda->body = ParseExpression();
      return Finish(lambda, begin);
    }
    case K("COLUMNS"): {
      if (next != K("(")) return nullptr;
      auto* const star = New<Star>();
      star->columns_call = true;
      Skip(2);
      star->pattern = ParseExpression();
      Expect(")");
      return Finish(star, begin);
    }
    default:
      break;
  }
  if (kBareFunctions.Contains(Peek().keyword) && next != K("(")) {
    auto* const call = New<Call>();
    call->bare = true;
    call->function = {OneOf(Identifier{Peek().text, Peek().span}), Peek().span};
    Skip();
    return Finish(call, begin);
  }
  return AtTypedLiteral() ? ParseLiteral(Literal::Class::kTyped) : nullptr;
}

bool Parser::AtTypedLiteral() const {
  if (!kLiteralTypes.Contains(Peek().keyword)) return false;
  if (Peek(1).kind == TokenKind::kString) return true;
  if (LooksAt("DOUBLE") && Peek(1).Is("PRECISION")) return Peek(2).kind == TokenKind::kString;
  return Peek(1).keyword == K("WITH") && Peek(2).keyword == K("TIME") &&
         Peek(4).kind == TokenKind::kString;
}

const Expression* Parser::ParseLiteral(Literal::Class what, size_t token_count) {
  const uint32_t begin = Here();
  auto* const literal = New<Literal>();
  literal->what = what;
  if (what == Literal::Class::kTyped) {
    const size_t from = at_;
    while (Peek().kind != TokenKind::kString) Skip();
    literal->type = at_ == from + 1 ? kKeywords[tokens_[from].keyword] : WordsFrom(from);
  }
  const size_t from = at_;
  Skip(token_count);
  const Token& token = tokens_[from];
  literal->tokens = token_count > 1
                        ? TokensFrom(from)
                        : OneOf(token.keyword != 0 ? kKeywords[token.keyword] : token.text);
  return Finish(literal, begin);
}

// ?, $1, :name, ${x}, {{ x }}, @x, #1
const Expression* Parser::ParseParameter() {
  const uint32_t begin = Here();
  auto* const parameter = New<Parameter>();
  const size_t count = Peek().kind == TokenKind::kOperator ? 2 : 1;
  Skip(count);
  parameter->text = text_.substr(begin, tokens_[at_ - 1].span.end - begin);
  return Finish(parameter, begin);
}

// A name: of a column, a function with its call, a table's star, or a lambda's parameter.
const Expression* Parser::ParseNamed() {
  const uint32_t begin = Here();
  Name name;
  if (Peek(1).keyword == K(".")) {
    Collector<Identifier> parts(identifiers_, arena_);
    parts.Add(TakeIdentifier());
    bool star = false;
    while (!star && LooksAt(".")) {
      if (Peek(1).keyword == K("*")) {
        star = true;
      } else {
        Skip();
        parts.Add(ParseAnyWord("a name after '.'"));
      }
    }
    name = {parts.Take(), {begin, tokens_[at_ - 1].span.end}};
    if (star) {
      Skip();
      return ParseStar(name, nullptr, begin);
    }
  } else {
    const Identifier only = TakeIdentifier();
    name = {OneOf(only), only.span};
    if (AtLambdaArrow()) return ParseLambda(name.parts, false, begin);
  }
  if (LooksAt("(")) return ParseCall(name, begin);
  auto* const column = New<Column>();
  column->name = name;
  return Finish(column, begin);
}

// Whether x -> … makes a function of x: not where it takes a field, as in x -> 'a'.
bool Parser::AtLambdaArrow() const {
  return LooksAt("->") && !dialect_.arrow_is_json && Peek(1).kind != TokenKind::kString;
}

const Expression* Parser::ParseLambda(List<Identifier> parameters, bool parenthesized,
                                      uint32_t begin) {
  auto* const lambda = New<Lambda>();
  Expect("->");
  lambda->parameters = parameters;
  lambda->parenthesized = parenthesized;
  lambda->body = ParseExpression();
  return Finish(lambda, begin);
}

// (x) · (a, b) · () · (SELECT …) · ((SELECT …) UNION …) · (a, b) -> …
const Expression* Parser::ParseBracket() {
  const uint32_t begin = Here();
  if (AtQuery(1)) {
    auto* const subquery = New<Subquery>();
    subquery->query = As<Query>(ParseQueryPrimary());
    return Finish(subquery, begin);
  }
  Expect("(");
  if (Accept(")")) {
    if (AtLambdaArrow()) return ParseLambda({}, true, begin);
    return Finish(New<Row>(), begin);
  }
  const uint32_t first_begin = Here();
  NodeCollector<Expression> elements(*this);
  const Expression* const first = ParseAliasIfNamed();
  elements.Add(first);
  if (first->kind == NodeKind::kSubquery && (AtSetOperator() || AtQueryEnd())) {
    auto* const subquery = New<Subquery>();
    auto* const query = const_cast<Query*>(  // made just now, and seen by nobody else
        ParseQueryFrom(nullptr, static_cast<const Subquery*>(first)->query, first_begin));
    Expect(")");
    query->parenthesized = true;
    query->span = {begin, tokens_[at_ - 1].span.end};
    subquery->query = query;
    return Finish(subquery, begin);
  }
  while (Accept(",") && !LooksAt(")")) elements.Add(ParseAliasIfNamed());
  const bool trailing_comma = tokens_[at_ - 1].keyword == K(",");
  Expect(")");
  const List<const Expression*> all = elements.Take();
  if (AtLambdaArrow()) {
    Collector<Identifier> parameters(identifiers_, arena_);
    for (const Expression* element : all) {
      const auto* const column = As<Column>(element);
      if (column == nullptr || column->name.parts.size() != 1) {
        Fail("names before '->'");
        break;
      }
      parameters.Add(column->name.parts[0]);
    }
    return ParseLambda(parameters.Take(), true, begin);
  }
  if (all.size() == 1 && !trailing_comma) {
    auto* const parenthesized = New<Parenthesized>();
    parenthesized->inner = all[0];
    return Finish(parenthesized, begin);
  }
  auto* const row = New<Row>();
  row->elements = all;
  row->trailing_comma = trailing_comma;
  return Finish(row, begin);
}

// x, or x AS name: of rows and structs.
const Expression* Parser::ParseAliasIfNamed() {
  const uint32_t begin = Here();
  const Expression* const expression = ParseExpression();
  if (!LooksAt("AS")) return expression;
  auto* const alias = New<Alias>();
  alias->expression = expression;
  Skip();
  alias->name = ParseAnyWord("a name");
  return Finish(alias, begin);
}

const Expression* Parser::ParseSquareBracket(std::string_view word, uint32_t begin) {
  Expect("[");
  NodeCollector<Expression> elements(*this);
  while (!LooksAt("]")) {
    elements.Add(ParseExpression());
    if (elements.size() == 1 && LooksAt("FOR")) {
      auto* const comprehension = New<Comprehension>();
      comprehension->result = nodes_.back();
      Skip();
      comprehension->variables = ParseIdentifiers("a variable");
      Expect("IN");
      comprehension->list = ParseOperators(1);
      if (Accept("IF")) comprehension->condition = ParseExpression();
      Expect("]");
      return Finish(comprehension, begin);
    }
    if (!Accept(",")) break;
  }
  auto* const array = New<Array>();
  array->word = word;
  array->elements = elements.Take();
  Expect("]");
  return Finish(array, begin);
}

const Expression* Parser::ParseBrace(std::string_view word, uint32_t begin) {
  Expect("{");
  auto* const literal = New<StructLiteral>();
  literal->word = word;
  NodeCollector<StructEntry> entries(*this);
  while (!LooksAt("}")) {
    const uint32_t entry_begin = Here();
    auto* const entry = New<StructEntry>();
    // {a: 1}: a name that touches its colon must not be taken for a path.
    if (AtIdentifier() && Peek(1).keyword == K(":")) {
      auto* const key = New<Column>();
      const uint32_t key_begin = Here();
      const Identifier name = TakeIdentifier();
      key->name = {OneOf(name), name.span};
      entry->key = Finish(key, key_begin);
    } else {
      entry->key = ParseExpression();
    }
    if (!Accept("=")) Expect(":");
    entry->value = ParseExpression();
    entries.Add(Finish(entry, entry_begin));
    if (!Accept(",")) break;
  }
  literal->entries = entries.Take();
  Expect("}");
  return Finish(literal, begin);
}

const Expression* Parser::ParseCase() {
  const uint32_t begin = Here();
  auto* const node = New<Case>();
  Expect("CASE");
  if (!LooksAt("WHEN")) node->operand = ParseExpression();
  NodeCollector<When> whens(*this);
  do {
    const uint32_t when_begin = Here();
    auto* const when = New<When>();
    Expect("WHEN");
    when->condition = ParseExpression();
    Expect("THEN");
    when->result = ParseExpression();
    whens.Add(Finish(when, when_begin));
  } while (LooksAt("WHEN"));
  node->whens = whens.Take();
  if (Accept("ELSE")) node->otherwise = ParseExpression();
  Expect("END");
  return Finish(node, begin);
}

const Expression* Parser::ParseCast() {
  const uint32_t begin = Here();
  auto* const cast = New<Cast>();
  cast->word = kKeywords[Peek().keyword];
  Skip();
  Expect("(");
  cast->operand = ParseExpression();
  if (!Accept("AS")) Expect(",");
  cast->type = ParseType();
  if (Accept("FORMAT")) cast->format = ParseExpression();
  Expect(")");
  return Finish(cast, begin);
}

bool Parser::AtInterval() const {
  const Token& next = Peek(1);
  switch (next.kind) {
    case TokenKind::kNumber:
    case TokenKind::kString:
    case TokenKind::kParameter:
    case TokenKind::kTemplate:
      return true;
    case TokenKind::kWord:
    case TokenKind::kQuotedIdentifier:
      return kUnits.Contains(Peek(2).keyword) || Peek(2).keyword == K(".");
    default:
      // INTERVAL (x) DAY; as against a function: the unit behind the bracket tells.
      if (next.keyword == K("(")) {
        return kUnits.Contains(tokens_[AfterBracket(at_ + 1)].keyword);
      }
      return (next.keyword == K("-") || next.keyword == K("+")) &&
             (Peek(2).kind == TokenKind::kNumber || Peek(2).kind == TokenKind::kString);
  }
}

const Expression* Parser::ParseInterval() {
  const uint32_t begin = Here();
  auto* const interval = New<Interval>();
  Expect("INTERVAL");
  static constexpr KeywordSet kSigns = {"-", "+"};
  if (Peek(1).kind == TokenKind::kString) interval->sign = AcceptAny(kSigns);
  NodeCollector<Expression> values(*this);
  Collector<std::string_view> units(views_, arena_);
  do {
    values.Add(ParseUnary());
    if (const std::string_view unit = AcceptAny(kUnits); !unit.empty()) units.Add(unit);
    if (units.size() == 1 && LooksAt("TO") && kUnits.Contains(Peek(1).keyword)) {
      Skip();
      units.Add(AcceptAny(kUnits));
      break;
    }
    // INTERVAL 1 DAY 2 HOURS
  } while (!failed() && units.size() == values.size() &&
           (Peek().kind == TokenKind::kNumber || Peek().kind == TokenKind::kString) &&
           kUnits.Contains(Peek(1).keyword));
  interval->values = values.Take();
  interval->units = units.Take();
  return Finish(interval, begin);
}

const Expression* Parser::ParseStar(Name qualifier, const Expression* base, uint32_t begin) {
  auto* const star = New<Star>();
  star->qualifier = qualifier;
  star->base = base;
  Expect("*");
  if (LooksAt("EXCLUDE") || (LooksAt("EXCEPT", "(") && !AtQuery(2))) {
    star->except_word = kKeywords[Peek().keyword];
    Skip();
    star->except = LooksAt("(") ? ParseNamesInBrackets("a column") : OneOf(ParseName("a column"));
  }
  if (LooksAt("REPLACE", "(")) {
    Skip(2);
    NodeCollector<Node> items(*this);
    do {
      items.Add(ParseStarAlias());
    } while (Accept(","));
    star->replace = items.Take();
    Expect(")");
  }
  if (LooksAt("RENAME", "(")) {
    Skip(2);
    NodeCollector<Node> items(*this);
    do {
      items.Add(ParseStarAlias());
    } while (Accept(","));
    star->rename = items.Take();
    Expect(")");
  }
  return Finish(star, begin);
}

const Alias* Parser::ParseStarAlias() {
  const uint32_t begin = Here();
  auto* const alias = New<Alias>();
  alias->expression = ParseExpression();
  Accept("AS");
  alias->name = ParseAnyWord("a name");
  return Finish(alias, begin);
}

bool Parser::AtQuery(size_t ahead) const {
  const Token& next = Peek(ahead + 1);
  switch (Peek(ahead).keyword) {
    case K("SELECT"):
    case K("FROM"):
      return true;
    case K("WITH"):
      return next.kind == TokenKind::kWord || next.kind == TokenKind::kQuotedIdentifier ||
             next.kind == TokenKind::kTemplate;
    case K("VALUES"):
      return next.keyword == K("(") || next.kind == TokenKind::kNumber ||
             next.kind == TokenKind::kString || next.kind == TokenKind::kParameter ||
             next.keyword == K("ROW") || next.keyword == K("NULL");
    case K("TABLE"):
      return next.kind == TokenKind::kQuotedIdentifier ||
             (next.kind == TokenKind::kWord && next.keyword != K("AS"));
    case K("PIVOT"):
    case K("UNPIVOT"):
      return AtIdentifier(ahead + 1) || next.kind == TokenKind::kString;
    case K("MAP"):
    case K("REDUCE"):
      return ahead == 0 && AtTransform();
    default:
      return false;
  }
}

}  // namespace tarn::sql::tree
