#include <array>

#include "tarn/sql/grammar/parser_internal.h"

namespace tarn::sql::tree {
namespace {

// How tightly an operator binds; 0: no infix operator.
enum Precedence : uint8_t {
  kNone,
  kOr,
  kAnd,
  kNot,
  kComparison,  // =, <, IS, IN, LIKE, BETWEEN
  kOther,       // ->, @>, ~, … of PostgreSQL and DuckDB
  kBits,
  kSum,  // and ||
  kProduct,
  kPower,
  kSign,
  kSuffix,  // COLLATE, AT TIME ZONE
};

struct InfixTable {
  std::array<uint8_t, kKeywords.size()> precedence = {};
};

consteval InfixTable MakeInfixTable() {
  InfixTable table;
  const auto set = [&](std::initializer_list<const char*> words, Precedence precedence) {
    for (const char* word : words) table.precedence[FindKeyword(word)] = precedence;
  };
  set({"OR", "XOR"}, kOr);
  set({"AND"}, kAnd);
  set({"=",    "==",      "<>",  "!=",     "<",       ">",       "<=",     ">=",
       "<=>",  "IS",      "IN",  "LIKE",   "ILIKE",   "RLIKE",   "REGEXP", "SIMILAR",
       "GLOB", "BETWEEN", "NOT", "ISNULL", "NOTNULL", "OVERLAPS"},
      kComparison);
  set({"->", "->>", "#>", "#>>", "@>", "<@", "~", "~*", "!~", "!~*", "~~", "~~~", "!~~", "~~*",
       "!~~*", "^@", "<->", "&&", "MEMBER"},
      kOther);
  set({"|", "&", "<<", ">>"}, kBits);
  set({"+", "-", "||"}, kSum);
  set({"*", "/", "//", "%", "DIV", "MOD"}, kProduct);
  set({"^", "**"}, kPower);
  set({"COLLATE", "AT"}, kSuffix);
  return table;
}

constexpr InfixTable kInfix = MakeInfixTable();

constexpr KeywordSet kLikeWords = {"LIKE", "ILIKE", "RLIKE", "REGEXP", "GLOB"};
constexpr KeywordSet kNegatable = {"LIKE", "ILIKE", "RLIKE",   "REGEXP",
                                   "GLOB", "IN",    "BETWEEN", "SIMILAR"};
constexpr KeywordSet kQuantifiers = {"ANY", "SOME", "ALL"};
// Words that are operators here only if something that looks like an operand follows.
constexpr KeywordSet kWordOperators = {"DIV",    "MOD",    "XOR",      "GLOB",
                                       "REGEXP", "MEMBER", "OVERLAPS", "SIMILAR"};

}  // namespace

List<const Expression*> Parser::ParseExpressions() {
  NodeCollector<Expression> list(*this);
  do {
    list.Add(ParseExpression());
  } while (Accept(","));
  return list.Take();
}

List<const Expression*> Parser::ParseExpressionsInBrackets() {
  Expect("(");
  if (Accept(")")) return {};
  const List<const Expression*> list = ParseExpressions();
  Expect(")");
  return list;
}

const Expression* Parser::ParseOperators(int precedence_min) {
  const Level level(*this);
  const uint32_t begin = Here();
  const Expression* left = ParseUnary();
  while (true) {
    const int precedence = InfixPrecedence();
    if (precedence == kNone || precedence < precedence_min) return left;
    const Expression* const more = ParseInfix(left, begin, precedence);
    if (more == left) return left;  // a word that is no operator here
    left = more;
  }
}

// Of the operator at the cursor; kNone if there is none.
int Parser::InfixPrecedence() const {
  const KeywordId keyword = Peek().keyword;
  if (kWordOperators.Contains(keyword)) {
    // Also names and functions: `SELECT a mod FROM t`.
    const TokenKind next = Peek(1).kind;
    if (next == TokenKind::kEnd || Peek(1).keyword == K(",") || Peek(1).keyword == K(")") ||
        Peek(1).keyword == K("FROM")) {
      return kNone;
    }
  }
  return kInfix.precedence[keyword];
}

const Expression* Parser::ParseUnary() {
  const uint32_t begin = Here();
  int operand_precedence = kSign;
  switch (Peek().keyword) {
    case K("NOT"):
      operand_precedence = kComparison;
      break;
    case K("!"):
    case K("-"):
    case K("+"):
    case K("~"):
      break;
    case K("@"):
      if (Peek(1).kind == TokenKind::kWord && Peek(1).span.begin == Peek().span.end) {
        return ParsePostfix();  // @variable
      }
      break;
    case K("PRIOR"):
    case K("FINAL"):
    case K("RUNNING"):
    case K("BINARY"):
      if (AtIdentifier(1) && Peek(2).keyword != K(".")) break;
      return ParsePostfix();
    default:
      return ParsePostfix();
  }
  auto* const unary = New<Unary>();
  unary->symbol = kKeywords[Peek().keyword];
  Skip();
  unary->operand = ParseOperators(operand_precedence);
  return Finish(unary, begin);
}

const Expression* Parser::ParseInfix(const Expression* left, uint32_t begin, int precedence) {
  switch (Peek().keyword) {
    case K("IS"):
      return ParseIs(left, begin);
    case K("ISNULL"):
    case K("NOTNULL"): {
      auto* const unary = New<Unary>();
      unary->symbol = kKeywords[Peek().keyword];
      unary->operand = left;
      unary->postfix = true;
      Skip();
      return Finish(unary, begin);
    }
    case K("NOT"):
    case K("IN"):
    case K("LIKE"):
    case K("ILIKE"):
    case K("RLIKE"):
    case K("REGEXP"):
    case K("SIMILAR"):
    case K("GLOB"):
    case K("BETWEEN"):
      return ParsePredicate(left, begin, precedence);
    case K("AT"): {
      if (!LooksAt("AT", "TIME", "ZONE") && !LooksAt("AT", "LOCAL")) return left;
      auto* const zone = New<Binary>();
      zone->symbol = LooksAt("AT", "LOCAL") ? "AT LOCAL" : "AT TIME ZONE";
      const bool local = LooksAt("AT", "LOCAL");
      Skip(local ? 2 : 3);
      NodeCollector<Expression> operands(*this);
      operands.Add(left);
      if (!local) operands.Add(ParseOperators(kSuffix + 1));
      zone->operands = operands.Take();
      return Finish(zone, begin);
    }
    default:
      return ParseChain(left, begin, precedence);
  }
}

const Expression* Parser::ParseChain(const Expression* left, uint32_t begin, int precedence) {
  const KeywordId keyword = Peek().keyword;
  if (precedence == kComparison && kQuantifiers.Contains(Peek(1).keyword) &&
      Peek(2).keyword == K("(")) {
    auto* const quantified = New<Quantified>();
    quantified->operand = left;
    quantified->symbol = kKeywords[keyword];
    Skip();
    quantified->quantifier = AcceptAny(kQuantifiers);
    quantified->argument = ParseBracket();
    return Finish(quantified, begin);
  }
  auto* const binary = New<Binary>();
  binary->symbol = kKeywords[keyword];
  NodeCollector<Expression> operands(*this);
  Collector<std::string_view> symbols(views_, arena_);
  operands.Add(left);
  bool mixed = false;
  // Of operators that always join their two sides, a chain may hold several: a + b - c.
  const bool mixes = precedence >= kBits && precedence <= kProduct;
  while (InfixPrecedence() == precedence && (mixes || Peek().keyword == keyword)) {
    mixed |= Peek().keyword != keyword;
    if (operands.size() > 1) symbols.Add(kKeywords[Peek().keyword]);
    Skip();
    operands.Add(ParseOperators(precedence + 1));
  }
  if (mixed) binary->more_symbols = symbols.Take();
  binary->operands = operands.Take();
  return Finish(binary, begin);
}

const Expression* Parser::ParsePredicate(const Expression* left, uint32_t begin, int precedence) {
  if (LooksAt("NOT") && !LooksAtAny(kNegatable, 1)) {
    if (!Accept("NOT", "NULL")) return left;
    auto* const test = New<Unary>();  // PostgreSQL's and DuckDB's x NOT NULL
    test->symbol = "NOT NULL";
    test->operand = left;
    test->postfix = true;
    return Finish(test, begin);
  }
  const bool negated = Accept("NOT");
  if (Accept("IN")) return ParseIn(left, begin, negated);
  if (!Accept("BETWEEN")) return ParseLike(left, begin, negated);
  auto* const between = New<Between>();
  between->operand = left;
  between->negated = negated;
  static constexpr KeywordSet kSymmetry = {"SYMMETRIC", "ASYMMETRIC"};
  between->symmetry = AcceptAny(kSymmetry);
  between->low = ParseOperators(precedence + 1);
  Expect("AND");
  between->high = ParseOperators(precedence + 1);
  return Finish(between, begin);
}

const Expression* Parser::ParseIn(const Expression* left, uint32_t begin, bool negated) {
  auto* const in = New<In>();
  in->operand = left;
  in->negated = negated;
  if (!LooksAt("(")) {
    in->list = ParseOperators(kOther);
    return Finish(in, begin);
  }
  Expect("(");
  if (AtQuery()) {
    in->query = ParseQuery();
  } else if (LooksAt(")")) {
    in->listed = true;
  } else {
    const uint32_t first_begin = Here();
    NodeCollector<Expression> values(*this);
    values.Add(ParseExpression());
    // ((SELECT …) UNION (SELECT …)): what looked like a value was the first part of a query.
    const auto* const subquery = As<Subquery>(nodes_.back());
    if (subquery != nullptr && (AtSetOperator() || AtQueryEnd())) {
      in->query = ParseQueryFrom(nullptr, subquery->query, first_begin);
    } else {
      while (Accept(",") && !LooksAt(")")) values.Add(ParseExpression());
      in->listed = true;
      in->values = values.Take();
    }
  }
  Expect(")");
  return Finish(in, begin);
}

const Expression* Parser::ParseLike(const Expression* left, uint32_t begin, bool negated) {
  auto* const like = New<Like>();
  like->operand = left;
  like->negated = negated;
  if (Accept("SIMILAR")) {
    Expect("TO");
    like->symbol = "SIMILAR TO";
  } else {
    like->symbol = AcceptAny(kLikeWords);
  }
  if (LooksAtAny(kQuantifiers) && (Peek(1).keyword == K("(") || Peek(1).keyword == K("ARRAY"))) {
    like->quantifier = AcceptAny(kQuantifiers);
    like->pattern = LooksAt("(") ? ParseBracket() : ParseOperators(kOther);
  } else {
    like->pattern = ParseOperators(kOther);
  }
  if (Accept("ESCAPE")) like->escape = ParseOperators(kOther);
  return Finish(like, begin);
}

const Expression* Parser::ParseIs(const Expression* left, uint32_t begin) {
  Expect("IS");
  auto* const is = New<Is>();
  is->operand = left;
  is->negated = Accept("NOT");
  if (Accept("DISTINCT", "FROM")) {
    is->test = "DISTINCT FROM";
    is->other = ParseOperators(kOther);
    return Finish(is, begin);
  }
  static constexpr KeywordSet kTests = {"NULL", "TRUE", "FALSE", "UNKNOWN"};
  is->test = AcceptAny(kTests);
  if (is->test.empty()) {
    const size_t from = at_;
    if (Accept("JSON")) {
      static constexpr KeywordSet kJsonKinds = {"OBJECT", "ARRAY", "SCALAR", "VALUE"};
      AcceptAny(kJsonKinds);
    } else if (!Accept("NORMALIZED") && !Accept("DOCUMENT") && !Accept("EMPTY")) {
      Fail("NULL, TRUE, FALSE or DISTINCT FROM");
    }
    is->test = WordsFrom(from);
  }
  return Finish(is, begin);
}

// What binds more tightly than any operator: x.a, x[1], x::t, v:path.
const Expression* Parser::ParsePostfix() {
  const uint32_t begin = Here();
  const Expression* base = ParsePrimary();
  while (true) {
    switch (Peek().keyword) {
      case K("."): {
        if (Peek(1).keyword == K("*")) {
          Skip();
          base = ParseStar({}, base, begin);
          break;
        }
        auto* const field = New<Field>();
        field->base = base;
        Skip();
        field->field = ParseAnyWord("the name of a field");
        if (LooksAt("(")) {  // DuckDB's x.f(y), a call with x as the first argument
          NodeCollector<Node> arguments(*this);
          arguments.Add(base);
          auto* const call = New<Call>();
          call->function = {OneOf(field->field), field->field.span};
          call->method = true;
          Skip();
          ParseArguments(*call, arguments);
          ParseCallEnd(*call);
          base = Finish(call, begin);
          break;
        }
        base = Finish(field, begin);
        break;
      }
      case K("["):
        base = ParseSubscript(base, begin);
        break;
      case K("::"): {
        auto* const cast = New<Cast>();
        cast->word = "::";
        cast->operand = base;
        Skip();
        cast->type = ParseType();
        base = Finish(cast, begin);
        break;
      }
      case K(":"): {
        // Semi-structured access touches both sides: v:path, v:['path'].
        const bool touches =
            Peek().span.begin == tokens_[at_ - 1].span.end && Peek(1).span.begin == Peek().span.end;
        const bool column = base->kind == NodeKind::kColumn || base->kind == NodeKind::kField ||
                            base->kind == NodeKind::kCall || base->kind == NodeKind::kSubscript;
        const bool word =
            Peek(1).kind == TokenKind::kWord || Peek(1).kind == TokenKind::kQuotedIdentifier;
        if (!dialect_.colon_paths || !touches || !column || !word) return base;
        auto* const field = New<Field>();
        field->base = base;
        field->path_operator = ":";
        Skip();
        field->field = ParseAnyWord("the name of a field");
        base = Finish(field, begin);
        break;
      }
      default:
        return base;
    }
    if (failed()) return base;
  }
}

const Expression* Parser::ParseSubscript(const Expression* base, uint32_t begin) {
  auto* const subscript = New<Subscript>();
  subscript->base = base;
  Expect("[");
  if (!LooksAt(":")) subscript->index = ParseExpression();
  if (Accept(":")) {
    subscript->slice = true;
    if (!LooksAt(":") && !LooksAt("]")) {
      subscript->upper =
          LooksAt("-") && Peek(1).keyword == K(":") ? ParseOpenBound() : ParseExpression();
    }
    if (Accept(":")) subscript->step = ParseExpression();
  }
  Expect("]");
  return Finish(subscript, begin);
}

// The lone minus of DuckDB's x[1:-:2].
const Expression* Parser::ParseOpenBound() {
  auto* const bound = New<Parameter>();
  const uint32_t begin = Here();
  bound->text = Peek().text;
  Skip();
  return Finish(bound, begin);
}

List<const SortItem*> Parser::ParseSortItems() {
  NodeCollector<SortItem> items(*this);
  do {
    items.Add(ParseSortItem());
  } while (Accept(","));
  return items.Take();
}

const SortItem* Parser::ParseSortItem() {
  const uint32_t begin = Here();
  auto* const item = New<SortItem>();
  item->expression = ParseExpression();
  static constexpr KeywordSet kDirections = {"ASC", "DESC"};
  item->direction = AcceptAny(kDirections);
  if (item->direction.empty() && LooksAt("USING") && Peek(1).kind == TokenKind::kOperator) {
    const size_t from = at_;
    Skip(2);
    item->direction = WordsFrom(from);
  }
  static constexpr KeywordSet kEnds = {"FIRST", "LAST"};
  if (LooksAt("NULLS") && LooksAtAny(kEnds, 1)) {
    Skip();
    item->nulls = AcceptAny(kEnds);
  }
  return Finish(item, begin);
}

}  // namespace tarn::sql::tree
