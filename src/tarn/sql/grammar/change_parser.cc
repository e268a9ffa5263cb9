#include "tarn/sql/grammar/parser_internal.h"

namespace tarn::sql::tree {

// MERGE INTO t USING s ON … WHEN MATCHED THEN …
const Node* Parser::ParseMerge(const With* with) {
  const uint32_t begin = with != nullptr ? with->span.begin : Here();
  auto* const merge = New<Merge>();
  merge->with = with;
  Expect("MERGE");
  merge->hints = TakeHints();
  if (Accept("WITH", "SCHEMA")) {
    Expect("EVOLUTION");
    merge->schema_evolution = true;
  }
  merge->into = Accept("INTO");
  merge->target = LooksAt("(") ? ParseRelationPrimary() : ParseTableName(true);
  Expect("USING");
  merge->source = ParseRelation();
  if (Accept("ON")) {
    merge->on = ParseExpression();
  } else if (Accept("USING")) {
    merge->using_columns = ParseIdentifiersInBrackets("a column");
  } else {
    Fail("ON");
  }
  NodeCollector<MergeClause> clauses(*this);
  do {
    clauses.Add(ParseMergeClause());
  } while (LooksAt("WHEN"));
  merge->clauses = clauses.Take();
  merge->returning = ParseReturning();
  return Finish(merge, begin);
}

const MergeClause* Parser::ParseMergeClause() {
  const uint32_t begin = Here();
  auto* const clause = New<MergeClause>();
  const size_t from = at_;
  Expect("WHEN");
  if (Accept("NOT")) clause->when = MergeClause::When::kNotMatched;
  Expect("MATCHED");
  if (Accept("BY")) {
    if (Accept("SOURCE")) {
      clause->when = MergeClause::When::kNotMatchedBySource;
    } else {
      Expect("TARGET");
    }
  }
  clause->words = WordsFrom(from);
  if (Accept("AND")) clause->condition = ParseExpression();
  Expect("THEN");
  const size_t action = at_;
  if (Accept("UPDATE")) {
    Accept("SET");
    clause->action = MergeClause::Action::kUpdate;
    clause->action_words = WordsFrom(action);
    if (Accept("*")) {
      clause->all = true;
    } else if (!LooksAt("WHEN") && !AtEnd() && !LooksAt(";")) {
      clause->assignments = ParseAssignments();
    }
  } else if (Accept("INSERT")) {
    clause->action = MergeClause::Action::kInsert;
    clause->action_words = WordsFrom(action);
    if (Accept("*")) {
      clause->all = true;
    } else {
      if (LooksAt("(")) clause->columns = ParseNamesInBrackets("a column");
      clause->default_values = Accept("DEFAULT", "VALUES");
      if (!clause->default_values) Expect("VALUES");
      if (!clause->default_values) clause->values = ParseExpressionsInBrackets();
    }
  } else if (Accept("DELETE")) {
    clause->action = MergeClause::Action::kDelete;
    clause->action_words = "DELETE";
  } else {
    Expect("DO");
    Expect("NOTHING");
    clause->action = MergeClause::Action::kNothing;
    clause->action_words = "DO NOTHING";
  }
  if (Accept("WHERE")) clause->where = ParseExpression();
  return Finish(clause, begin);
}

const Node* Parser::ParseUpdate(const With* with) {
  const uint32_t begin = with != nullptr ? with->span.begin : Here();
  auto* const update = New<Update>();
  update->with = with;
  Expect("UPDATE");
  update->table = ParseRelation();
  Expect("SET");
  update->assignments = ParseAssignments();
  if (Accept("FROM")) update->from = ParseRelations();
  if (Accept("WHERE")) update->where = ParseExpression();
  if (Accept("ORDER", "BY")) update->order_by = ParseSortItems();
  if (Accept("LIMIT")) update->limit = ParseExpression();
  update->returning = ParseReturning();
  return Finish(update, begin);
}

const Node* Parser::ParseDelete(const With* with) {
  const uint32_t begin = with != nullptr ? with->span.begin : Here();
  auto* const node = New<Delete>();
  node->with = with;
  Expect("DELETE");
  node->from_said = Accept("FROM");
  node->table = ParseTableName(true);
  if (Accept("USING")) node->using_relations = ParseRelations();
  if (Accept("WHERE")) node->where = ParseExpression();
  if (Accept("ORDER", "BY")) node->order_by = ParseSortItems();
  if (Accept("LIMIT")) node->limit = ParseExpression();
  node->returning = ParseReturning();
  return Finish(node, begin);
}

const Node* Parser::ParseTruncate() {
  const uint32_t begin = Here();
  auto* const truncate = New<Truncate>();
  Expect("TRUNCATE");
  truncate->table_said = Accept("TABLE");
  truncate->if_exists = AcceptIfExists();
  truncate->names = ParseNames("a table");
  if (Accept("PARTITION")) truncate->partitions = ParsePartition();
  truncate->tail = TakeTokens();
  return Finish(truncate, begin);
}

const Node* Parser::ParseLoad() {
  const uint32_t begin = Here();
  auto* const load = New<Load>();
  Expect("LOAD", "DATA");
  load->local = Accept("LOCAL");
  Expect("INPATH");
  load->path = ParseString("a path");
  load->overwrite = Accept("OVERWRITE");
  Expect("INTO");
  Expect("TABLE");
  load->table = ParseName("a table");
  if (Accept("PARTITION")) load->partitions = ParsePartition();
  load->tail = TakeTokens();
  return Finish(load, begin);
}

// COPY INTO t (a, b) FROM '…' · COPY t (a, b) FROM | TO '…' · COPY (query) TO '…'
const Node* Parser::ParseCopy() {
  const uint32_t begin = Here();
  auto* const copy = New<Copy>();
  Expect("COPY");
  copy->into = Accept("INTO");
  if (LooksAt("(")) {
    Expect("(");
    copy->query = ParseQuery();
    Expect(")");
  } else {
    copy->table = ParseTableName(false);
    if (LooksAt("(")) copy->columns = ParseNamesInBrackets("a column");
  }
  if (Accept("TO")) {
    copy->to = true;
  } else {
    if (LooksAt("BY", "POSITION")) Skip(2);
    Expect("FROM");
  }
  if (copy->into && LooksAt("(")) {
    Expect("(");
    copy->query = ParseQuery();
    Expect(")");
  } else {
    copy->place = AtString() || LooksAt(":") ? ParseString("a path") : ParsePrimary();
  }
  copy->tail = TakeTokens();
  return Finish(copy, begin);
}

const Node* Parser::ParseExport() {
  const uint32_t begin = Here();
  auto* const node = New<Export>();
  Expect("EXPORT");
  Expect("TABLE");
  node->table = ParseName("a table");
  if (Accept("PARTITION")) node->partitions = ParsePartition();
  Expect("TO");
  node->path = ParseString("a path");
  node->tail = TakeTokens();
  return Finish(node, begin);
}

const Node* Parser::ParseImport() {
  const uint32_t begin = Here();
  auto* const node = New<Import>();
  Expect("IMPORT");
  node->external = Accept("EXTERNAL");
  if (Accept("TABLE")) {
    node->table = ParseName("a table");
    if (Accept("PARTITION")) node->partitions = ParsePartition();
  }
  Expect("FROM");
  node->path = ParseString("a path");
  node->tail = TakeTokens();
  return Finish(node, begin);
}

}  // namespace tarn::sql::tree
