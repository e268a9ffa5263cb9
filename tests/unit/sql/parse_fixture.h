#pragma once

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tarn/sql/formatter.h"
#include "tarn/sql/parser.h"
#include "tarn/sql/tree.h"
#include "tarn/sql/tree_text.h"

// For tests of what is built on the parser: one statement in, its tree or its text out.
namespace tarn::sql {

inline ParsedScript Read(std::string_view sql, const Dialect& dialect = SparkDialect()) {
  ParsedScript script = Parse(sql, dialect);
  for (const ParsedStatement& statement : script.statements) {
    EXPECT_FALSE(statement.error.has_value()) << sql << "\n"
                                              << (statement.error ? statement.error->message : "");
  }
  return script;
}

// The only statement of `script` as a T. Ends the test's process if it is none: nothing else could
// be said of it.
template <class T>
const T& Only(const ParsedScript& script) {
  EXPECT_EQ(script.statements.size(), 1u);
  const T* const typed = tree::As<T>(script.statements.at(0).root);
  EXPECT_NE(typed, nullptr) << script.text;
  if (typed == nullptr) std::abort();
  return *typed;
}

// The select of a script that is one plain query.
inline const tree::Select& OnlySelect(const ParsedScript& script) {
  const auto* const select = tree::As<tree::Select>(Only<tree::Query>(script).body);
  EXPECT_NE(select, nullptr) << script.text;
  if (select == nullptr) std::abort();
  return *select;
}

// `sql` read and written on one line: what the grammar made of it, for the reader's eye.
inline std::string Line(std::string_view sql, const Dialect& dialect = SparkDialect()) {
  const ParsedScript script = Read(sql, dialect);
  if (script.statements.size() != 1 || script.statements[0].root == nullptr) return "?";
  return FormatNode(*script.statements[0].root);
}

inline std::string ErrorOf(std::string_view sql, const Dialect& dialect = SparkDialect()) {
  const ParsedScript script = Parse(sql, dialect);
  const ParseError* const error = script.FirstError();
  return error == nullptr ? "no error" : error->message;
}

// The trees of all statements.
inline std::string Trees(const ParsedScript& script) {
  std::string text;
  for (const ParsedStatement& statement : script.statements) {
    text += statement.root == nullptr ? "unread\n" : tree::TreeToText(*statement.root);
  }
  return text;
}

// Laid out, read again, and laid out again: the same tree, and the same text.
inline void ExpectRoundTrip(std::string_view sql, const Dialect& dialect = SparkDialect()) {
  const ParsedScript once = Read(sql, dialect);
  for (const int32_t width : {100, 20}) {
    const std::string text = Format(once, {.width = width});
    const ParsedScript twice = Read(text, dialect);
    EXPECT_EQ(Trees(once), Trees(twice)) << text;
    EXPECT_EQ(Format(twice, {.width = width}), text);
  }
}

}  // namespace tarn::sql
