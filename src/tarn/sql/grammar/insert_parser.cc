#include "tarn/sql/grammar/parser_internal.h"

namespace tarn::sql::tree {

// INSERT INTO t · INSERT OVERWRITE [TABLE] t · INSERT OVERWRITE DIRECTORY · REPLACE INTO · UPSERT
// INTO
const Node* Parser::ParseInsert(const With* with) {
  const Level level(*this);
  const uint32_t begin = with != nullptr ? with->span.begin : Here();
  auto* const insert = New<Insert>();
  insert->with = with;
  const size_t from = at_;
  Skip();  // INSERT, REPLACE, UPSERT
  insert->hints = TakeHints();
  if (Accept("OR")) Skip();  // OR REPLACE, OR IGNORE
  if (Accept("OVERWRITE")) {
    insert->mode = Insert::Mode::kOverwrite;
    Accept("INTO");
  } else if (!Accept("INTO")) {
    Fail("INTO or OVERWRITE");
  }
  if (LooksAt("TABLE") && Peek(1).keyword != K(".")) Skip();
  insert->words = WordsFrom(from);
  if (LooksAt("DIRECTORY") || LooksAt("LOCAL", "DIRECTORY")) {
    ParseDirectory(*insert);
  } else {
    ParseInsertTarget(*insert);
  }
  ParseInsertSource(*insert);
  return Finish(insert, begin);
}

void Parser::ParseDirectory(Insert& insert) {
  insert.local = Accept("LOCAL");
  Expect("DIRECTORY");
  insert.directory_said = true;
  if (AtString()) insert.directory = ParseString("a path");
  NodeCollector<Clause> clauses(*this);
  while (!AtQuery() && !LooksAt("(") && !AtEnd() && !LooksAt(";")) clauses.Add(ParseClause());
  insert.clauses = clauses.Take();
}

// The table, and what may stand between it and the rows, in any order.
void Parser::ParseInsertTarget(Insert& insert) {
  insert.table = ParseTableName(false);
  while (!failed()) {
    if (LooksAt("PARTITION")) {
      Skip();
      if (!LooksAt("(")) {
        Fail("'('");
        return;
      }
      insert.partitions = ParsePartition();
    } else if (Accept("IF", "NOT", "EXISTS")) {
      insert.if_not_exists = true;
    } else if (LooksAt("(") && !AtQuery(1) && Peek(1).keyword != K("(") && !insert.columns_said) {
      insert.columns_said = true;
      insert.columns_first = insert.partitions.empty();
      insert.columns = ParseNamesInBrackets("a column");
    } else if (Accept("BY", "NAME")) {
      insert.by_name = true;
    } else if (Accept("BY", "POSITION")) {
      continue;
    } else if (LooksAt("REPLACE", "WHERE")) {
      Skip(2);
      insert.mode = Insert::Mode::kReplaceWhere;
      insert.replace_where = ParseExpression();
    } else if (LooksAt("REPLACE", "USING")) {
      Skip(2);
      insert.mode = Insert::Mode::kReplaceUsing;
      insert.replace_using = ParseNamesInBrackets("a column");
    } else if (LooksAt("OVERRIDING")) {
      const size_t from = at_;
      Skip(3);  // OVERRIDING SYSTEM VALUE
      insert.overriding = WordsFrom(from);
    } else {
      return;
    }
  }
}

void Parser::ParseInsertSource(Insert& insert) {
  if (Accept("DEFAULT", "VALUES")) {
    insert.default_values = true;
  } else if (Accept("SET")) {
    insert.assignments = ParseAssignments();
  } else {
    insert.query = ParseQuery();
  }
  if (LooksAt("ON") && Peek(1).Is("CONFLICT")) ParseConflict(insert);
  insert.returning = ParseReturning();
}

void Parser::ParseConflict(Insert& insert) {
  insert.conflict = TakeTokensUntil([&] { return LooksAt("DO"); });
  Expect("DO");
  if (Accept("NOTHING")) return;
  Expect("UPDATE", "SET");
  insert.conflict_update = true;
  insert.conflict_set = ParseAssignments();
  if (Accept("WHERE")) insert.conflict_where = ParseExpression();
}

// FROM t …: Hive's multi-insert, or a query that says FROM first.
const Node* Parser::ParseFromStatement(const With* with) {
  const uint32_t begin = with != nullptr ? with->span.begin : Here();
  const uint32_t from_begin = Here();
  Expect("FROM");
  const List<const Relation*> from = ParseRelations();
  if (!LooksAt("INSERT")) {
    return ParseQueryFrom(with, ParseSelectAfter(from, from_begin), begin);
  }
  auto* const multi = New<MultiInsert>();
  multi->with = with;
  multi->from = from;
  NodeCollector<Insert> branches(*this);
  while (LooksAt("INSERT") && !failed()) {
    branches.Add(static_cast<const Insert*>(ParseInsert(nullptr)));
  }
  multi->branches = branches.Take();
  return Finish(multi, begin);
}

// (ds = '1', hr) · (ds > '2024', bucket(4, x))
List<const PartitionItem*> Parser::ParsePartition() {
  Expect("(");
  NodeCollector<PartitionItem> items(*this);
  if (!LooksAt(")")) {
    do {
      items.Add(ParsePartitionItem());
    } while (Accept(","));
  }
  Expect(")");
  return items.Take();
}

const PartitionItem* Parser::ParsePartitionItem() {
  const uint32_t begin = Here();
  auto* const item = New<PartitionItem>();
  static constexpr KeywordSet kComparisons = {"=", "==", "<", ">", "<=", ">=", "<>", "!="};
  const KeywordId next = Peek(1).keyword;
  const bool plain = next == K(",") || next == K(")") || next == K(".") ||
                     (kComparisons.Contains(next) && next != 0);
  if (!plain) {
    item->expression = ParseExpression();
    return Finish(item, begin);
  }
  item->column = ParseAnyName("a column");
  item->comparison = AcceptAny(kComparisons);
  if (!item->comparison.empty()) item->value = ParseOperators(5);
  return Finish(item, begin);
}

List<const Assignment*> Parser::ParseAssignments() {
  NodeCollector<Assignment> assignments(*this);
  do {
    const uint32_t begin = Here();
    auto* const assignment = New<Assignment>();
    assignment->target = ParseOperators(5);
    if (!Accept("=")) Expect(":=");
    assignment->value = ParseExpression();
    assignments.Add(Finish(assignment, begin));
  } while (Accept(","));
  return assignments.Take();
}

List<const Alias*> Parser::ParseReturning() {
  if (!Accept("RETURNING")) return {};
  return ParseAliases();
}

}  // namespace tarn::sql::tree
