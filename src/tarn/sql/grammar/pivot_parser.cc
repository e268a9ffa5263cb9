#include "tarn/sql/grammar/parser_internal.h"

namespace tarn::sql::tree {

bool Parser::AtPivot() const {
  return Peek(1).keyword == K("(") || Peek(1).keyword == K("INCLUDE") ||
         Peek(1).keyword == K("EXCLUDE");
}

// input PIVOT (sum(x) AS s, max(y) FOR (k, l) IN (('a', 'b') AS ab, …))
const Relation* Parser::ParsePivot(const Relation* input, uint32_t begin) {
  auto* const pivot = New<Pivot>();
  pivot->input = input;
  Expect("PIVOT");
  Expect("(");
  pivot->aggregates = ParseAliases();
  Expect("FOR");
  NodeCollector<Expression> keys(*this);
  pivot->key_parenthesized = Accept("(");
  do {
    keys.Add(ParseOperators(5));
  } while (Accept(","));
  if (pivot->key_parenthesized) Expect(")");
  pivot->keys = keys.Take();
  ParsePivotValues(*pivot);
  if (Accept("GROUP", "BY")) pivot->group_by = ParseExpressions();
  Expect(")");
  pivot->alias = ParseRelationAlias();
  return Finish(pivot, begin);
}

void Parser::ParsePivotValues(Pivot& pivot) {
  if (!Accept("IN")) {
    Fail("IN");
    return;
  }
  pivot.in_said = true;
  if (!LooksAt("(")) {
    pivot.values_query = ParseOperators(5);  // DuckDB: an enum's name
    return;
  }
  Expect("(");
  pivot.values_bracketed = true;
  if (AtQuery()) {
    pivot.values_query = ParseQuery();
  } else if (LooksAt("ANY")) {
    auto* const any = New<Parameter>();
    const uint32_t begin = Here();
    const size_t from = at_;
    TakeTokens();
    any->text = WordsFrom(from);
    pivot.values_query = Finish(any, begin);
  } else {
    pivot.values = ParseAliases();
  }
  Expect(")");
}

// input UNPIVOT [INCLUDE NULLS] (v FOR n IN (a, b AS 'x')) · ((v, w) FOR n IN ((a, b) AS x, …))
const Relation* Parser::ParseUnpivot(const Relation* input, uint32_t begin) {
  auto* const unpivot = New<Unpivot>();
  unpivot->input = input;
  Expect("UNPIVOT");
  if (Accept("INCLUDE", "NULLS")) unpivot->nulls = "INCLUDE NULLS";
  if (Accept("EXCLUDE", "NULLS")) unpivot->nulls = "EXCLUDE NULLS";
  Expect("(");
  if (LooksAt("(")) {
    unpivot->values_parenthesized = true;
    unpivot->values = ParseIdentifiersInBrackets("a column");
  } else {
    unpivot->values = OneOf(ParseIdentifier("a column"));
  }
  Expect("FOR");
  unpivot->name = ParseIdentifier("a column");
  Expect("IN");
  Expect("(");
  NodeCollector<UnpivotItem> items(*this);
  do {
    items.Add(ParseUnpivotItem());
  } while (Accept(","));
  unpivot->items = items.Take();
  Expect(")");
  Expect(")");
  unpivot->alias = ParseRelationAlias();
  return Finish(unpivot, begin);
}

const UnpivotItem* Parser::ParseUnpivotItem() {
  const uint32_t begin = Here();
  auto* const item = New<UnpivotItem>();
  if (LooksAt("(")) {
    item->parenthesized = true;
    item->columns = ParseExpressionsInBrackets();
  } else {
    item->columns = OneOf(ParseOperators(5));
  }
  if (Accept("AS") || Peek().kind == TokenKind::kString || AtAlias()) {
    item->label = ParseOperators(5);
  }
  return Finish(item, begin);
}

// DuckDB's statements: PIVOT t ON k IN (…) USING sum(x) GROUP BY y; UNPIVOT t ON a, b INTO NAME n
// VALUE v. As a query they stand where a select stands.
const QueryBody* Parser::ParsePivotStatement() {
  const uint32_t begin = Here();
  if (Accept("UNPIVOT")) {
    auto* const unpivot = New<Unpivot>();
    unpivot->statement = true;
    if (Accept("INCLUDE", "NULLS")) unpivot->nulls = "INCLUDE NULLS";
    unpivot->input = ParseRelationPrimary();
    Expect("ON");
    NodeCollector<UnpivotItem> items(*this);
    do {
      items.Add(ParseUnpivotItem());
    } while (Accept(","));
    unpivot->items = items.Take();
    if (Accept("INTO")) {
      if (Accept("NAME")) unpivot->name = ParseIdentifier("a column");
      if (Accept("VALUE")) unpivot->values = ParseIdentifiers("a column");
    }
    return WrapRelation(Finish(unpivot, begin));
  }
  Expect("PIVOT");
  auto* const pivot = New<Pivot>();
  pivot->statement = true;
  pivot->input = ParseRelationPrimary();
  if (Accept("ON")) {
    NodeCollector<Expression> keys(*this);
    do {
      // k IN (…) is one key with its values; the grammar of expressions reads it as such.
      keys.Add(ParseExpression());
    } while (Accept(","));
    pivot->keys = keys.Take();
  }
  if (Accept("USING")) pivot->aggregates = ParseAliases();
  if (Accept("GROUP", "BY")) pivot->group_by = ParseExpressions();
  return WrapRelation(Finish(pivot, begin));
}

// A statement that is a relation, as a query of all its columns.
const QueryBody* Parser::WrapRelation(const Relation* relation) {
  auto* const select = New<Select>();
  select->from_first = true;
  select->from = OneOf(relation);
  return Finish(select, relation->span.begin);
}

const Relation* Parser::ParseMatchRecognize(const Relation* input, uint32_t begin) {
  auto* const match = New<MatchRecognize>();
  match->input = input;
  Expect("MATCH_RECOGNIZE");
  Expect("(");
  if (Accept("PARTITION", "BY")) match->partition_by = ParseExpressions();
  if (Accept("ORDER", "BY")) match->order_by = ParseSortItems();
  if (Accept("MEASURES")) match->measures = ParseAliases();
  match->rows = TakeTokensUntil([&] { return LooksAt("PATTERN"); });
  Expect("PATTERN");
  Expect("(");
  const size_t pattern = at_;
  while (!AtEnd() && !LooksAt(";") && !LooksAt(")")) SkipBalanced();
  match->pattern = TokensFrom(pattern);
  Expect(")");
  if (Accept("SUBSET")) match->subset = TakeTokensUntil([&] { return LooksAt("DEFINE"); });
  if (Accept("DEFINE")) {
    NodeCollector<Alias> defines(*this);
    do {
      const uint32_t define_begin = Here();
      auto* const define = New<Alias>();
      define->name = ParseIdentifier("a pattern variable");
      Expect("AS");
      define->expression = ParseExpression();
      defines.Add(Finish(define, define_begin));
    } while (Accept(","));
    match->defines = defines.Take();
  }
  Expect(")");
  match->alias = ParseRelationAlias();
  return Finish(match, begin);
}

}  // namespace tarn::sql::tree
