#include "tarn/sql/format/formatter_internal.h"

namespace tarn::sql::tree {

void Formatter::Write(const Insert& node) {
  if (node.with != nullptr) {
    Put(node.with);
    Line();
  }
  WriteInsertTarget(node);
  if (node.default_values) {
    Line();
    Text("DEFAULT VALUES");
  } else if (!node.assignments.empty()) {
    PutClause("SET", node.assignments);
  } else {
    Line();
    if (!flat_) CommentsBefore(node.query->span.begin);
    Put(node.query);
  }
  WriteInsertEnd(node);
}

void Formatter::WriteInsertTarget(const Insert& node) {
  // Hints stand behind the first word, as they were read.
  const size_t space = node.words.find(' ');
  Text(node.words.substr(0, space));
  for (const std::string_view hint : node.hints) Word(hint);
  if (space != std::string_view::npos) Text(node.words.substr(space));
  if (node.directory_said) {
    Text(node.local ? " LOCAL DIRECTORY" : " DIRECTORY");
    if (node.directory != nullptr) PutNode(node.directory);
    Indented([&] {
      for (const Clause* clause : node.clauses) {
        Line();
        Put(clause);
      }
    });
    return;
  }
  PutNode(node.table);
  const auto columns = [&] {
    if (!node.columns_said) return;
    Text(" ");
    PutBracketed(node.columns);
  };
  if (node.columns_first) columns();
  if (!node.partitions.empty()) PutPartition(node.partitions);
  if (node.if_not_exists) Text(" IF NOT EXISTS");
  if (!node.columns_first) columns();
  if (node.by_name) Text(" BY NAME");
  PutWord(node.overriding);
  if (node.replace_where != nullptr) {
    Text(" REPLACE WHERE ");
    Put(node.replace_where);
  }
  if (!node.replace_using.empty()) {
    Text(" REPLACE USING ");
    PutBracketed(node.replace_using);
  }
}

void Formatter::WriteInsertEnd(const Insert& node) {
  if (!node.conflict.empty()) {
    Line();
    Put(node.conflict);
    Text(node.conflict_update ? " DO UPDATE" : " DO NOTHING");
    if (node.conflict_update) {
      PutClause("SET", node.conflict_set);
      PutClause("WHERE", node.conflict_where);
    }
  }
  PutClause("RETURNING", node.returning);
}

void Formatter::PutPartition(const List<const PartitionItem*>& items) {
  Text(" PARTITION (");
  PutList(items);
  Text(")");
}

void Formatter::Write(const PartitionItem& node) {
  if (node.expression != nullptr) {
    Put(node.expression);
    return;
  }
  Put(node.column);
  if (node.value == nullptr) return;
  Word(node.comparison);
  PutNode(node.value);
}

void Formatter::Write(const PartitionSpec& node) {
  Text("PARTITION (");
  PutList(node.items);
  Text(")");
  if (node.location != nullptr) {
    Text(" LOCATION ");
    Put(node.location);
  }
}

void Formatter::Write(const MultiInsert& node) {
  if (node.with != nullptr) {
    Put(node.with);
    Line();
  }
  Text("FROM ");
  Indented([&] { PutList(node.from); });
  for (const Insert* branch : node.branches) {
    Line();
    if (!flat_) CommentsBefore(branch->span.begin);
    Put(branch);
  }
}

void Formatter::Write(const Assignment& node) {
  Put(node.target);
  Text(" = ");
  Put(node.value);
}

void Formatter::Write(const Merge& node) {
  if (node.with != nullptr) {
    Put(node.with);
    Line();
  }
  Text("MERGE");
  for (const std::string_view hint : node.hints) Word(hint);
  if (node.schema_evolution) Text(" WITH SCHEMA EVOLUTION");
  if (node.into) Text(" INTO");
  PutNode(node.target);
  PutClause("USING", node.source);
  PutClause("ON", node.on);
  if (!node.using_columns.empty()) {
    Line();
    Text("USING (");
    PutList(node.using_columns);
    Text(")");
  }
  for (const MergeClause* clause : node.clauses) {
    Line();
    if (!flat_) CommentsBefore(clause->span.begin);
    Group(*clause, [&] { Put(clause); });
  }
  PutClause("RETURNING", node.returning);
}

void Formatter::Write(const MergeClause& node) {
  Text(node.words);
  if (node.condition != nullptr) {
    Text(" AND ");
    Put(node.condition);
  }
  Text(" THEN ");
  Text(node.action_words);
  if (node.all) Text(" *");
  if (!node.assignments.empty()) {
    Indented([&] {
      Line();
      PutList(node.assignments);
    });
  }
  if (!node.columns.empty()) {
    Text(" ");
    PutBracketed(node.columns);
  }
  if (node.action == MergeClause::Action::kInsert && !node.all) {
    Line();
    Text(node.default_values ? "DEFAULT VALUES" : "VALUES ");
    if (!node.default_values) PutBracketed(node.values);
  }
  PutClause("WHERE", node.where);
}

void Formatter::Write(const Update& node) {
  if (node.with != nullptr) {
    Put(node.with);
    Line();
  }
  Text("UPDATE ");
  Put(node.table);
  PutClause("SET", node.assignments);
  PutClause("FROM", node.from);
  PutClause("WHERE", node.where);
  PutClause("ORDER BY", node.order_by);
  PutClause("LIMIT", node.limit);
  PutClause("RETURNING", node.returning);
}

void Formatter::Write(const Delete& node) {
  if (node.with != nullptr) {
    Put(node.with);
    Line();
  }
  Text(node.from_said ? "DELETE FROM " : "DELETE ");
  Put(node.table);
  PutClause("USING", node.using_relations);
  PutClause("WHERE", node.where);
  PutClause("ORDER BY", node.order_by);
  PutClause("LIMIT", node.limit);
  PutClause("RETURNING", node.returning);
}

void Formatter::Write(const Truncate& node) {
  Text(node.table_said ? "TRUNCATE TABLE " : "TRUNCATE ");
  if (node.if_exists) Text("IF EXISTS ");
  PutList(node.names);
  if (!node.partitions.empty()) PutPartition(node.partitions);
  PutTokens(node.tail);
}

void Formatter::Write(const Load& node) {
  Text(node.local ? "LOAD DATA LOCAL INPATH " : "LOAD DATA INPATH ");
  Put(node.path);
  Text(node.overwrite ? " OVERWRITE INTO TABLE " : " INTO TABLE ");
  Put(node.table);
  if (!node.partitions.empty()) PutPartition(node.partitions);
  PutTokens(node.tail);
}

void Formatter::Write(const Copy& node) {
  Text(node.into ? "COPY INTO" : "COPY");
  const auto query = [&] {
    Text(" (");
    Indented([&] {
      SoftLine();
      Put(node.query);
    });
    SoftLine();
    Text(")");
  };
  if (node.table != nullptr) {
    PutNode(node.table);
    if (!node.columns.empty()) {
      Text(" ");
      PutBracketed(node.columns);
    }
  } else {
    query();
  }
  Text(node.to ? " TO" : " FROM");
  if (node.place != nullptr) {
    PutNode(node.place);
  } else {
    query();
  }
  PutTokens(node.tail);
}

void Formatter::Write(const Export& node) {
  Text("EXPORT TABLE ");
  Put(node.table);
  if (!node.partitions.empty()) PutPartition(node.partitions);
  Text(" TO ");
  Put(node.path);
  PutTokens(node.tail);
}

void Formatter::Write(const Import& node) {
  Text(node.external ? "IMPORT EXTERNAL" : "IMPORT");
  if (!node.table.empty()) {
    Text(" TABLE ");
    Put(node.table);
    if (!node.partitions.empty()) PutPartition(node.partitions);
  }
  Text(" FROM ");
  Put(node.path);
  PutTokens(node.tail);
}

}  // namespace tarn::sql::tree
