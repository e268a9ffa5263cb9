#include "tarn/sql/format/formatter_internal.h"

namespace tarn::sql::tree {

void Formatter::Write(const Cache& node) {
  Text(node.uncache ? "UNCACHE" : "CACHE");
  if (node.lazy) Text(" LAZY");
  Text(" TABLE ");
  if (node.if_exists) Text("IF EXISTS ");
  Put(node.name);
  if (!node.options.empty()) {
    Text(" OPTIONS ");
    Put(node.options);
  }
  if (node.as) Text(" AS");
  if (node.query != nullptr) {
    Line();
    Put(node.query);
  }
}

void Formatter::Write(const Use& node) {
  Text("USE ");
  if (!node.object.empty()) {
    Text(node.object);
    Text(" ");
  }
  Put(node.name);
}

void Formatter::Write(const Set& node) {
  Text(node.words);
  PutWord(node.key);
  if (node.assigned) {
    Text(" =");
    PutWord(node.value);
  }
  if (!node.assignments.empty()) {
    Text(" ");
    PutList(node.assignments);
  }
}

void Formatter::Write(const Maintain& node) {
  Text(node.words);
  Text(" ");
  Put(node.table);
  PutClause("WHERE", node.where);
  PutTokens(node.tail);
}

void Formatter::Write(const CallStatement& node) {
  Text(node.word);
  PutNode(node.call);
}

void Formatter::Write(const Explain& node) {
  Text("EXPLAIN");
  PutTokens(node.options);
  Line();
  Put(node.statement);
}

void Formatter::Write(const Command& node) { PutAsWritten(node.tokens); }

// ---- Scripting.

// Each on its own lines, closed by a semicolon: never on one line with others.
void Formatter::PutStatements(const List<const Node*>& statements) {
  Indented([&] {
    for (const Node* statement : statements) {
      Line();
      if (!flat_) CommentsBefore(statement->span.begin);
      Group(*statement, [&] { Put(statement); });
      Text(";");
    }
  });
}

void Formatter::Write(const Block& node) {
  if (!node.label.empty()) {
    Put(node.label);
    Text(": ");
  }
  Text("BEGIN");
  PutTokens(node.options);
  PutStatements(node.statements);
  Line();
  Text("END");
}

void Formatter::Write(const Branch& node) {
  if (node.condition != nullptr) {
    Text(" ");
    Put(node.condition);
    Text(" THEN");
  }
  PutStatements(node.statements);
}

void Formatter::Write(const If& node) {
  Text(node.of_case ? "CASE" : "IF");
  if (node.operand != nullptr) PutNode(node.operand);
  for (size_t i = 0; i < node.branches.size(); ++i) {
    const Branch& branch = *node.branches[i];
    if (i > 0 || node.of_case) {
      Line();
      Text(branch.condition == nullptr ? "ELSE" : (node.of_case ? "WHEN" : "ELSEIF"));
    }
    Put(&branch);
  }
  Line();
  Text(node.of_case ? "END CASE" : "END IF");
}

void Formatter::Write(const Loop& node) {
  if (!node.label.empty()) {
    Put(node.label);
    Text(": ");
  }
  Text(node.word);
  if (node.word == "WHILE") {
    PutNode(node.condition);
    Text(" DO");
  } else if (node.word == "FOR") {
    if (!node.variable.empty()) {
      Word(node.variable.text);
      Text(" AS");
    }
    Line();
    Put(node.query);
    Line();
    Text("DO");
  }
  PutStatements(node.statements);
  Line();
  if (node.word == "REPEAT") {
    Text("UNTIL");
    PutNode(node.condition);
    Line();
  }
  Text("END ");
  Text(node.word);
}

void Formatter::Write(const Declare& node) {
  Text(node.words);
  PutTokens(node.handler);
  if (node.statement != nullptr) {
    Line();
    Put(node.statement);
  }
  if (!node.names.empty()) {
    Text(" ");
    PutList(node.names);
  }
  if (node.type != nullptr) PutNode(node.type);
  if (node.value != nullptr) {
    Word(node.default_word);
    PutNode(node.value);
  }
}

}  // namespace tarn::sql::tree
