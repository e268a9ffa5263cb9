#include "tarn/sql/grammar/parser_internal.h"

namespace tarn::sql::tree {

List<const Pipe*> Parser::ParsePipes() {
  NodeCollector<Pipe> pipes(*this);
  while (Accept("|>")) pipes.Add(ParsePipe());
  return pipes.Take();
}

// What follows |>.
const Pipe* Parser::ParsePipe() {
  const uint32_t begin = Here();
  auto* const pipe = New<Pipe>();
  static constexpr KeywordSet kSteps = {"SELECT", "EXTEND", "SET",       "DROP", "RENAME", "WHERE",
                                        "LIMIT",  "OFFSET", "AGGREGATE", "AS",   "CALL"};
  if (AtSetOperator()) {
    pipe->step = kKeywords[Peek().keyword];
    pipe->set_operation = ParseQueryBody(Finish(New<Values>(), begin), 1);
    return Finish(pipe, begin);
  }
  if (AtJoin() || LooksAt("LATERAL", "VIEW") || LooksAt("PIVOT") || LooksAt("UNPIVOT")) {
    pipe->step = LooksAt("PIVOT") || LooksAt("UNPIVOT") ? kKeywords[Peek().keyword]
                 : LooksAt("LATERAL")                   ? "LATERAL VIEW"
                                                        : "JOIN";
    pipe->relation = ParseRelationAfter(nullptr, begin, true);
    return Finish(pipe, begin);
  }
  if (LooksAt("TABLESAMPLE")) {
    pipe->step = "TABLESAMPLE";
    pipe->sample = ParseSample();
    return Finish(pipe, begin);
  }
  if (Accept("ORDER", "BY")) {
    pipe->step = "ORDER BY";
    pipe->order_by = ParseSortItems();
    return Finish(pipe, begin);
  }
  pipe->step = AcceptAny(kSteps);
  if (pipe->step == "WHERE" || pipe->step == "LIMIT") {
    pipe->condition = ParseExpression();
    if (Accept("OFFSET")) pipe->offset = ParseExpression();
  } else if (pipe->step == "OFFSET") {
    pipe->offset = ParseExpression();
  } else if (pipe->step == "AS") {
    pipe->alias = ParseIdentifier("an alias");
  } else if (pipe->step == "DROP") {
    pipe->names = ParseIdentifiers("a column");
  } else if (pipe->step == "SET") {
    NodeCollector<Alias> items(*this);
    do {
      const uint32_t item_begin = Here();
      auto* const item = New<Alias>();
      item->name = ParseIdentifier("a column");
      Expect("=");
      item->expression = ParseExpression();
      items.Add(Finish(item, item_begin));
    } while (Accept(","));
    pipe->items = items.Take();
  } else if (pipe->step == "AGGREGATE") {
    if (!LooksAt("GROUP")) pipe->items = ParseAliases();
    if (Accept("GROUP", "BY")) pipe->group_by = ParseAliases();
  } else if (!pipe->step.empty()) {
    static constexpr KeywordSet kQuantifiers = {"DISTINCT", "ALL"};
    pipe->distinct = AcceptAny(kQuantifiers) == "DISTINCT";
    pipe->items = ParseAliases();
  } else {
    Fail("a step after '|>'");
  }
  return Finish(pipe, begin);
}

}  // namespace tarn::sql::tree
