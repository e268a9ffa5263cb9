#include "tarn/sql/format/formatter_internal.h"

namespace tarn::sql::tree {

void Formatter::Write(const ColumnDefinition& node) {
  Put(node.name);
  if (node.colon) Text(":");
  if (node.type != nullptr) PutNode(node.type);
  PutTokens(node.attributes);
  if (node.default_value != nullptr) {
    Text(" DEFAULT ");
    Put(node.default_value);
  }
  PutWord(node.generated_words);
  if (node.generated != nullptr) PutNode(node.generated);
  PutTokens(node.tail);
}

void Formatter::Write(const Clause& node) { Put(node.tokens); }

void Formatter::Write(const CreateTable& node) {
  if (node.with != nullptr) {
    Put(node.with);
    Line();
  }
  Text(node.words);
  if (node.if_not_exists) Text(" IF NOT EXISTS");
  Text(" ");
  if (node.name_expression != nullptr) {
    Put(node.name_expression);
  } else {
    Put(node.name);
  }
  if (node.columns_said) {
    Text(" (");
    Indented([&] {
      SoftLine();
      PutList(node.columns);
      if (!node.columns.empty() && !node.constraints.empty()) {
        Text(",");
        Line();
      }
      PutList(node.constraints);
    });
    SoftLine();
    Text(")");
  }
  if (!node.like.empty()) {
    Text(" LIKE ");
    Put(node.like);
  }
  if (!node.clone.empty()) {
    Word(node.clone_words);
    Text(" ");
    Put(node.clone);
    if (node.clone_as_of != nullptr) PutNode(node.clone_as_of);
  }
  if (!node.format.empty()) {
    Line();
    Text("USING ");
    Put(node.format);
  }
  if (!node.partitioned_by.empty()) {
    Line();
    Text(node.partitioned_word);
    Text(" ");
    Group(SpanOf(node.partitioned_by), [&] { PutBracketed(node.partitioned_by); });
  }
  for (const Clause* clause : node.clauses) {
    Line();
    if (!flat_) CommentsBefore(clause->span.begin);
    Put(clause);
  }
  if (node.execute != nullptr || node.query != nullptr) {
    Line();
    if (node.as) Text("AS");
    if (node.as) Line();
    if (node.query != nullptr && !flat_) CommentsBefore(node.query->span.begin);
    Put(node.query);
    Put(node.execute);
  }
  PutTokens(node.tail);
}

void Formatter::Write(const CreateView& node) {
  Text(node.words);
  if (node.if_not_exists) Text(" IF NOT EXISTS");
  Text(" ");
  Put(node.name);
  if (!node.columns.empty()) {
    Text(" ");
    Group(SpanOf(node.columns), [&] { PutBracketed(node.columns); });
  }
  if (!node.format.empty()) {
    Line();
    Text("USING ");
    Put(node.format);
  }
  if (!node.partitioned_by.empty()) {
    Line();
    Text(node.partitioned_word);
    Text(" ");
    PutBracketed(node.partitioned_by);
  }
  for (const Clause* clause : node.clauses) {
    Line();
    Put(clause);
  }
  if (node.query != nullptr) {
    Line();
    Text("AS");
    Line();
    if (!flat_) CommentsBefore(node.query->span.begin);
    Put(node.query);
  }
  PutTokens(node.tail);
}

void Formatter::Write(const CreateFunction& node) {
  Text(node.words);
  if (node.if_not_exists) Text(" IF NOT EXISTS");
  Text(" ");
  Put(node.name);
  if (node.parameters_said) {
    Text(" (");
    PutList(node.parameters);
    Text(")");
  }
  PutTokens(node.returns);
  PutWord(node.body_word);
  if (node.table_body) Text(" TABLE");
  if (node.body != nullptr) {
    Indented([&] {
      Line();
      Put(node.body);
    });
  }
  PutTokens(node.tail);
}

void Formatter::Write(const CreateOther& node) {
  Text(node.words);
  Word(node.object);
  if (node.if_not_exists) Text(" IF NOT EXISTS");
  if (!node.name.empty()) {
    Text(" ");
    Put(node.name);
  }
  if (node.on) {
    Text(" ON ");
    Put(node.table);
  }
  PutTokens(node.tail);
}

void Formatter::Write(const Drop& node) {
  Text("DROP ");
  Text(node.object);
  if (node.if_exists) Text(" IF EXISTS");
  Text(" ");
  PutList(node.names);
  PutTokens(node.tail);
}

void Formatter::Write(const Alter& node) {
  Text("ALTER ");
  Text(node.object);
  if (node.if_exists) Text(" IF EXISTS");
  Text(" ");
  Put(node.name);
  if (!node.partitions.empty()) PutPartition(node.partitions);
  Indented([&] {
    for (size_t i = 0; i < node.actions.size(); ++i) {
      if (i > 0) Text(",");
      Line();
      Put(node.actions[i]);
    }
  });
}

void Formatter::Write(const AlterAction& node) {
  Text(node.words);
  const bool adds = node.words.starts_with("ADD");
  if (node.if_exists) Text(adds ? " IF NOT EXISTS" : " IF EXISTS");
  if (!node.column_names.empty()) {
    Text(" ");
    if (node.parenthesized) Text("(");
    PutList(node.column_names);
    if (node.parenthesized) Text(")");
  }
  if (!node.new_column.empty()) {
    Text(" TO ");
    Put(node.new_column);
  }
  if (!node.columns.empty()) {
    Text(" ");
    if (node.parenthesized) {
      Group(SpanOf(node.columns), [&] { PutBracketed(node.columns); });
    } else {
      PutList(node.columns);
    }
  }
  if (node.type != nullptr) {
    Word(node.type_words);
    PutNode(node.type);
  }
  for (size_t i = 0; i < node.partitions.size(); ++i) {
    // EXCHANGE PARTITION (…): the word belongs to the spec.
    if (node.what != AlterAction::What::kExchangePartition) {
      PutNode(node.partitions[i]);
    } else {
      Text(i == 0 ? " (" : ", (");
      PutList(As<PartitionSpec>(node.partitions[i])->items);
      Text(")");
    }
  }
  if (!node.new_partitions.empty()) {
    Text(" (");
    PutList(node.new_partitions);
    Text(")");
  }
  if (node.what == AlterAction::What::kExchangePartition) Text(" WITH TABLE");
  if (!node.name.empty()) {
    Text(" ");
    Put(node.name);
  }
  if (node.location != nullptr) PutNode(node.location);
  if (node.query != nullptr) {
    Line();
    Put(node.query);
  }
  if (node.words.empty()) {
    Put(node.tokens);
  } else {
    PutTokens(node.tokens);
  }
}

}  // namespace tarn::sql::tree
