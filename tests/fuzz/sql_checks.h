#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tarn/sql/dialect.h"
#include "tarn/sql/formatter.h"
#include "tarn/sql/parser.h"
#include "tarn/sql/tree_text.h"

// What must hold of any text read as SQL; each aborts where it does not.
namespace tarn::fuzz {

inline const sql::Dialect& DialectOf(uint8_t number) {
  static const std::array<const sql::Dialect*, 6> kDialects = {
      &sql::HiveDialect(),   &sql::SparkDialect(),    &sql::TrinoDialect(),
      &sql::DuckDbDialect(), &sql::PostgresDialect(), &sql::GenericDialect()};
  return *kDialects[number % kDialects.size()];
}

// Spans stay within the text, and no tree is deeper than walkers may recurse.
inline void CheckSpans(const sql::tree::Node& node, const sql::SourceSpan& within) {
  if (!within.Contains(node.span) || node.height > sql::kTreeHeightMax) std::abort();
  sql::tree::ForEachChild(node, [&](const auto& child) { CheckSpans(child, within); });
}

// Each statement has a tree or an error, and what could be read is laid out as a text that has the
// same tree and is laid out as itself. Whether all could be read.
inline bool CheckRoundTrip(std::string_view text, const sql::Dialect& dialect) {
  const sql::ParsedScript script = sql::Parse(text, dialect);
  const sql::SourceSpan all = {0, static_cast<uint32_t>(script.text.size())};
  std::string trees;
  for (const sql::ParsedStatement& statement : script.statements) {
    if ((statement.root == nullptr) != statement.error.has_value()) std::abort();
    if (statement.root == nullptr) continue;
    CheckSpans(*statement.root, all);
    trees += sql::tree::TreeToText(*statement.root);
  }
  const std::string laid_out = sql::Format(script);
  if (script.FirstError() != nullptr) return false;
  const sql::ParsedScript again = sql::Parse(laid_out, dialect);
  std::string trees_again;
  for (const sql::ParsedStatement& statement : again.statements) {
    if (statement.root == nullptr) std::abort();  // what we wrote, we cannot read
    trees_again += sql::tree::TreeToText(*statement.root);
  }
  if (trees != trees_again) std::abort();
  return true;
}

}  // namespace tarn::fuzz
