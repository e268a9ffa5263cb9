#include <algorithm>
#include <array>

#include "tarn/sql/grammar/parser_internal.h"

namespace tarn::sql::tree {
namespace {

// Types that may be followed by <…>; behind others a < compares: x::INT < y.
bool TakesAngles(const Token& word) {
  static constexpr std::array<std::string_view, 11> kNested = {
      "ARRAY", "MAP",   "STRUCT", "UNIONTYPE", "ROW",   "LIST",
      "RANGE", "TABLE", "OBJECT", "MULTISET",  "VECTOR"};
  return std::any_of(kNested.begin(), kNested.end(),
                     [&](std::string_view name) { return word.Is(name); });
}

}  // namespace

// INT · DECIMAL(10, 2) · TIMESTAMP(3) WITH TIME ZONE · MAP<STRING, ARRAY<INT>> · ROW(a INT) · INT[]
const Type* Parser::ParseType() {
  const Level level(*this);
  const uint32_t begin = Here();
  const Type* type = ParseTypeWord();
  while (!failed() && (LooksAt("[") || LooksAt("ARRAY"))) {
    auto* const array = New<Type>();
    array->name = "[]";
    NodeCollector<Node> arguments(*this);
    arguments.Add(type);
    if (Accept("ARRAY")) {
      array->name = "ARRAY";
      array->bracket = '\0';
      if (!LooksAt("[")) {
        array->arguments = arguments.Take();
        type = Finish(array, begin);
        continue;
      }
    }
    Expect("[");
    if (!LooksAt("]")) arguments.Add(ParseLiteral(Literal::Class::kNumber));
    Expect("]");
    array->name = "[]";
    array->arguments = arguments.Take();
    type = Finish(array, begin);
  }
  return type;
}

const Type* Parser::ParseTypeWord() {
  const uint32_t begin = Here();
  auto* const type = New<Type>();
  const size_t from = at_;
  if (AtIdentifier() && Peek(1).keyword == K(".")) {
    const Name name = ParseName();
    type->name = text_.substr(name.span.begin, name.span.size());
  } else {
    ParseAnyWord("a type");
    if (tokens_[from].keyword == K("DOUBLE") && Peek().Is("PRECISION")) Skip();
    if (Peek().Is("VARYING") || Peek().Is("UNSIGNED")) Skip();
    if (tokens_[from].keyword == K("INTERVAL") && Peek().kind == TokenKind::kWord &&
        !LooksAtAny({"NOT", "COMMENT", "DEFAULT", "AS", "NULL", "GENERATED"})) {
      Skip();
      if (LooksAt("TO")) Skip(2);
    }
    const Token& word = tokens_[from];
    type->name = at_ > from + 1 ? WordsFrom(from)
                                : (word.keyword != 0 ? kKeywords[word.keyword] : word.text);
  }
  const bool angles = at_ == from + 1 && TakesAngles(tokens_[from]);
  if (LooksAt("(") || (angles && LooksAt("<"))) {
    type->bracket = Peek().text[0];
    Skip();
    NodeCollector<Node> arguments(*this);
    const bool angle = type->bracket == '<';
    if (!LooksAt(")") && !LooksAt(">") && !LooksAt(">>")) {
      do {
        arguments.Add(ParseTypeArgument());
      } while (Accept(","));
    }
    type->arguments = arguments.Take();
    if (angle) {
      CloseAngle();
    } else {
      Expect(")");
    }
  } else if (angles && Accept("<>")) {
    type->bracket = '<';
  }
  // TIMESTAMP(3) WITH TIME ZONE: words behind the bracket belong to the name.
  const size_t zone = at_;
  if (Accept("WITH", "TIME", "ZONE") || Accept("WITHOUT", "TIME", "ZONE") ||
      (LooksAt("WITH", "LOCAL", "TIME") && Accept("WITH", "LOCAL", "TIME") && Accept("ZONE"))) {
    const std::string_view words = WordsFrom(zone);
    type->zone = words;
  }
  return Finish(type, begin);
}

const Node* Parser::ParseTypeArgument() {
  const uint32_t begin = Here();
  if (Peek().kind == TokenKind::kNumber) return ParseLiteral(Literal::Class::kNumber);
  if (Peek().kind == TokenKind::kString && Peek(1).kind != TokenKind::kWord &&
      Peek(1).keyword != K(":")) {
    return ParseLiteral(Literal::Class::kString);
  }
  // A field has a name before its type: a: INT, a INT, `a b` ARRAY<INT>.
  const Token& next = Peek(1);
  const bool field =
      next.keyword == K(":") ||
      ((next.kind == TokenKind::kWord || next.kind == TokenKind::kQuotedIdentifier) &&
       !Peek(1).Is("PRECISION") && !Peek(1).Is("VARYING") && next.keyword != K("WITH") &&
       (next.keyword != K("ARRAY") || Peek(2).keyword == K("(") || Peek(2).keyword == K("<")));
  if (!field) return ParseType();
  auto* const type_field = New<TypeField>();
  type_field->name = ParseAnyWord("the name of a field");
  type_field->colon = Accept(":");
  type_field->type = ParseType();
  if (!LooksAt(",") && !LooksAt(">") && !LooksAt(">>")) {
    type_field->attributes =
        TakeTokensUntil([&] { return LooksAt(",") || LooksAt(">") || LooksAt(">>"); });
  }
  return Finish(type_field, begin);
}

// One '>': of the '>>' that two types close with, the first half.
void Parser::CloseAngle() {
  if (Accept(">")) return;
  if (!LooksAt(">>")) {
    FailAt(">");
    return;
  }
  Token& token = tokens_[at_];
  token.keyword = K(">");
  token.text = token.text.substr(1);
  ++token.span.begin;
}

}  // namespace tarn::sql::tree
