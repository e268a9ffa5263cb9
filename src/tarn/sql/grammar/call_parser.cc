#include "tarn/sql/grammar/parser_internal.h"

namespace tarn::sql::tree {
namespace {

// Words between or before the arguments of SQL's oldest functions.
constexpr KeywordSet kArgumentWords = {"FROM", "FOR", "PLACING", "VALUE", "USING"};
constexpr KeywordSet kTrimSides = {"BOTH", "LEADING", "TRAILING"};

// What may follow the last argument inside the brackets, in clauses nobody needs to look into.
constexpr KeywordSet kTailWords = {
    "RETURNING", "NULL",  "ABSENT",  "ERROR",   "EMPTY", "DEFAULT", "WITH",    "WITHOUT",
    "SEPARATOR", "ON",    "FORMAT",  "PASSING", "KEEP",  "OMIT",    "COLUMNS", "COPARTITION",
    "TRUE",      "FALSE", "UNKNOWN", "STRICT",  "FROM",  "PRUNE"};

constexpr KeywordSet kDateUnits = {"YEAR",      "QUARTER", "MONTH",  "WEEK",        "DAY",
                                   "HOUR",      "MINUTE",  "SECOND", "MILLISECOND", "MICROSECOND",
                                   "DAYOFYEAR", "DECADE",  "CENTURY"};

}  // namespace

const Expression* Parser::ParseCall(Name function, uint32_t begin) {
  auto* const call = New<Call>();
  call->function = function;
  Expect("(");
  {
    NodeCollector<Node> arguments(*this);
    ParseArguments(*call, arguments);
  }
  ParseCallEnd(*call);
  return Finish(call, begin);
}

const Call* Parser::ParseRelationCall() {
  const uint32_t begin = Here();
  const Name name = ParseAnyName("a function");
  if (!LooksAt("(")) Fail("'('");
  return static_cast<const Call*>(ParseCall(name, begin));
}

// Up to and with the closing bracket.
void Parser::ParseArguments(Call& call, NodeCollector<Node>& arguments) {
  if (LooksAt("*", ")")) {
    Skip();
    call.star = true;
  } else {
    static constexpr KeywordSet kQuantifiers = {"DISTINCT", "ALL"};
    if (Peek(1).keyword != K(".") && Peek(1).keyword != K(")") && Peek(1).keyword != K(",")) {
      call.quantifier = AcceptAny(kQuantifiers);
    }
    if (!LooksAt(")") && !LooksAt("ORDER", "BY")) {
      const std::string_view function =
          call.function.parts.size() == 1 ? call.function.parts[0].text : std::string_view{};
      arguments.Add(ParseArgument(function, true));
      while (!failed()) {
        if (Accept(",")) {
          arguments.Add(ParseArgument(function, false));
        } else if (LooksAtAny(kArgumentWords)) {
          // The value after such a word, or a second one: EXTRACT(YEAR FROM x).
          const uint32_t begin = Here();
          auto* const argument = New<Argument>();
          argument->keyword = AcceptAny(kArgumentWords);
          argument->value = ParseExpression();
          arguments.Add(Finish(argument, begin));
        } else if (AtIdentifier() && Peek(1).keyword == K("(") &&
                   nodes_.back()->kind == NodeKind::kTableArgument) {
          arguments.Add(ParseArgument(function, false));  // Hive's f(ON t … g(x))
        } else if (LooksAt(":") && call.function.parts.back().text.size() > 6) {
          // json_object('a' : x)
          const uint32_t begin = Here();
          auto* const argument = New<Argument>();
          Skip();
          argument->keyword = ":";
          argument->value = ParseExpression();
          arguments.Add(Finish(argument, begin));
        } else if (LooksAt("TO") && kDateUnits.Contains(Peek(1).keyword)) {
          // floor(x TO DAY)
          const uint32_t begin = Here();
          auto* const argument = New<Argument>();
          const size_t from = at_;
          Skip(2);
          argument->keyword = WordsFrom(from);
          arguments.Add(Finish(argument, begin));
        } else {
          break;
        }
      }
    }
  }
  call.arguments = arguments.Take();
  if (Accept("ORDER", "BY")) call.order_by = ParseSortItems();
  if (Accept("LIMIT")) call.limit = ParseExpression();
  if (LooksAt("IGNORE", "NULLS") || LooksAt("RESPECT", "NULLS")) {
    call.nulls = LooksAt("IGNORE") ? "IGNORE NULLS" : "RESPECT NULLS";
    call.nulls_inside = true;
    Skip(2);
  }
  if (LooksAtAny(kTailWords)) call.tail = TakeTokens();
  Expect(")");
}

const Node* Parser::ParseArgument(std::string_view function, bool first) {
  const uint32_t begin = Here();
  if (AtQuery()) return ParseQuery();
  if (Peek().kind == TokenKind::kWord &&
      (Peek(1).keyword == K("=>") || Peek(1).keyword == K(":="))) {
    auto* const argument = New<Argument>();
    argument->name = TakeIdentifier();
    argument->arrow = kKeywords[Peek().keyword];
    Skip();
    argument->value = LooksAt("TABLE") ? ParseTableArgument() : ParseExpression();
    return Finish(argument, begin);
  }
  if (LooksAt("TABLE") || LooksAt("ON")) return ParseTableArgument();
  if (first && Peek().keyword != 0 && Peek(1).keyword != K(".")) {
    // A unit is no column: EXTRACT(YEAR FROM x), dateadd(DAY, 1, x).
    const bool unit = Peek(1).keyword == K("FROM") && !kTrimSides.Contains(Peek().keyword) &&
                      Token{TokenKind::kWord, 0, {}, function}.Is("EXTRACT");
    const bool date_unit =
        kDateUnits.Contains(Peek().keyword) && Peek(1).keyword == K(",") && (function.size() >= 7);
    if (unit || date_unit || (kTrimSides.Contains(Peek().keyword) && Peek(1).keyword != K(")"))) {
      auto* const argument = New<Argument>();
      const size_t from = at_;
      Skip();
      argument->keyword = WordsFrom(from);
      if (!unit && !date_unit && !LooksAt("FROM")) argument->value = ParseExpression();
      return Finish(argument, begin);
    }
  }
  if ((LooksAt("VARIADIC") || LooksAt("KEY")) && Peek(1).keyword != K(",") &&
      Peek(1).keyword != K(")") && Peek(1).keyword != K(".") &&
      Peek(1).kind != TokenKind::kOperator) {
    auto* const argument = New<Argument>();
    argument->keyword = kKeywords[Peek().keyword];
    Skip();
    argument->value = ParseExpression();
    return Finish(argument, begin);
  }
  return ParseAliasIfNamed();
}

// TABLE(t) PARTITION BY a ORDER BY b · TABLE t · TABLE(SELECT …) · ON t PARTITION BY a
const Node* Parser::ParseTableArgument() {
  const uint32_t begin = Here();
  auto* const argument = New<TableArgument>();
  static constexpr KeywordSet kWords = {"TABLE", "ON"};
  argument->keyword = AcceptAny(kWords);
  if (argument->keyword.empty()) Fail("TABLE");
  argument->relation = argument->keyword == "ON" ? ParseRelation() : ParseRelationPrimary();
  static constexpr KeywordSet kPartitionWords = {"PARTITION", "DISTRIBUTE", "CLUSTER"};
  while (LooksAtAny(kPartitionWords) && Peek(1).keyword == K("BY")) {
    Skip(2);
    argument->partition_empty = Accept("(", ")");
    if (!argument->partition_empty) argument->partition_by = ParseTableKeys();
  }
  if (LooksAt("WITH", "SINGLE") || LooksAt("PRUNE") || LooksAt("KEEP")) {
    argument->rest = TakeTokensUntil([&] { return LooksAt(",") || LooksAt("ORDER", "BY"); });
  }
  if (Accept("ORDER", "BY") || Accept("SORT", "BY")) {
    NodeCollector<Node> items(*this);
    for (const SortItem* item : ParseTableOrder()) items.Add(item);
    argument->order_by = items.Take();
  }
  if (LooksAt("PRUNE") || LooksAt("KEEP")) {
    argument->rest = TakeTokensUntil([&] { return LooksAt(","); });
  }
  return Finish(argument, begin);
}

// Keys after PARTITION BY of a table: a name and a comma may begin the next argument.
List<const Expression*> Parser::ParseTableKeys() {
  NodeCollector<Expression> list(*this);
  do {
    list.Add(ParseExpression());
  } while (LooksAt(",") && Peek(2).keyword != K("=>") && Peek(2).keyword != K("(") && Accept(","));
  return list.Take();
}

List<const SortItem*> Parser::ParseTableOrder() {
  NodeCollector<SortItem> items(*this);
  do {
    items.Add(ParseSortItem());
  } while (LooksAt(",") && Peek(2).keyword != K("=>") && Peek(2).keyword != K("(") && Accept(","));
  return items.Take();
}

// What may follow a call's closing bracket.
void Parser::ParseCallEnd(Call& call) {
  if (Accept("WITHIN", "GROUP", "(")) {
    Expect("ORDER", "BY");
    call.within_group = ParseSortItems();
    Expect(")");
  }
  if (Accept("FILTER", "(")) {
    call.filter_where = Accept("WHERE");
    call.filter = ParseExpression();
    Expect(")");
  }
  if (LooksAt("IGNORE", "NULLS") || LooksAt("RESPECT", "NULLS")) {
    call.nulls = LooksAt("IGNORE") ? "IGNORE NULLS" : "RESPECT NULLS";
    Skip(2);
  }
  if (LooksAt("OVER") && (Peek(1).keyword == K("(") || AtIdentifier(1))) {
    ParseOver(call);
  }
}

void Parser::ParseOver(Call& call) {
  Expect("OVER");
  if (LooksAt("(")) {
    call.over = ParseWindow();
    return;
  }
  const uint32_t begin = Here();
  auto* const window = New<Window>();
  window->parenthesized = false;
  window->base = ParseIdentifier("a window");
  call.over = Finish(window, begin);
}

const Window* Parser::ParseWindow() {
  const uint32_t begin = Here();
  auto* const window = New<Window>();
  Expect("(");
  static constexpr KeywordSet kUnits = {"ROWS", "RANGE", "GROUPS"};
  static constexpr KeywordSet kBegins = {"PARTITION", "DISTRIBUTE", "CLUSTER", "ORDER",
                                         "SORT",      "ROWS",       "RANGE",   "GROUPS"};
  if (AtIdentifier() && !(LooksAtAny(kBegins) && Peek(1).keyword != K(")"))) {
    window->base = TakeIdentifier();
  }
  if (LooksAt("PARTITION", "BY") || LooksAt("DISTRIBUTE", "BY") || LooksAt("CLUSTER", "BY")) {
    const size_t from = at_;
    Skip(2);
    window->partition_word = WordsFrom(from);
    window->partition_by = ParseExpressions();
  }
  if (LooksAt("ORDER", "BY") || LooksAt("SORT", "BY")) {
    window->order_word = LooksAt("ORDER") ? "ORDER BY" : "SORT BY";
    Skip(2);
    window->order_by = ParseSortItems();
  }
  window->frame_unit = AcceptAny(kUnits);
  if (!window->frame_unit.empty()) {
    if (Accept("BETWEEN")) {
      window->frame_start = ParseFrameBound(window->start);
      Expect("AND");
      window->frame_end = ParseFrameBound(window->end);
    } else {
      window->frame_start = ParseFrameBound(window->start);
    }
    if (Accept("EXCLUDE")) {
      const size_t from = at_;
      if (!Accept("CURRENT", "ROW") && !Accept("NO", "OTHERS") && !Accept("TIES")) Expect("GROUP");
      window->exclude = WordsFrom(from);
    }
  }
  Expect(")");
  return Finish(window, begin);
}

std::string_view Parser::ParseFrameBound(const Expression*& value) {
  if (Accept("UNBOUNDED", "PRECEDING")) return "UNBOUNDED PRECEDING";
  if (Accept("UNBOUNDED", "FOLLOWING")) return "UNBOUNDED FOLLOWING";
  if (Accept("CURRENT", "ROW")) return "CURRENT ROW";
  value = ParseExpression();
  if (Accept("PRECEDING")) return "PRECEDING";
  if (!Accept("FOLLOWING")) Fail("PRECEDING or FOLLOWING");
  return "FOLLOWING";
}

}  // namespace tarn::sql::tree
