// Any bytes as SQL in each dialect: nothing crashes or hangs, spans stay within the text, and what
// can be read is laid out as a text with the same tree. Half of the inputs are bytes as they are;
// the others choose words of a grammar, so that long statements are reached that bytes alone never
// make.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tarn/sql/dialect.h"
#include "tarn/sql/formatter.h"
#include "tarn/sql/parser.h"
#include "tarn/sql/tree_text.h"

namespace {

using tarn::sql::Dialect;
using tarn::sql::ParsedScript;

// Pieces that statements are made of; a sentence is a run of them. Most are nonsense together, and
// a parser must say so; enough are not.
constexpr std::array<std::string_view, 96> kPieces = {"SELECT ",
                                                      "a",
                                                      ", ",
                                                      "b.c",
                                                      " FROM ",
                                                      "t",
                                                      " u",
                                                      " WHERE ",
                                                      " AND ",
                                                      " OR ",
                                                      "NOT ",
                                                      "(",
                                                      ")",
                                                      " = ",
                                                      "1",
                                                      "'x'",
                                                      " GROUP BY ",
                                                      " ORDER BY ",
                                                      " LIMIT ",
                                                      " UNION ALL ",
                                                      " EXCEPT ",
                                                      "WITH q AS (",
                                                      ") ",
                                                      " JOIN ",
                                                      " LEFT SEMI JOIN ",
                                                      " ON ",
                                                      " USING (",
                                                      "*",
                                                      "t.*",
                                                      "f(",
                                                      "sum(",
                                                      " OVER (",
                                                      "PARTITION BY ",
                                                      "CASE WHEN ",
                                                      " THEN ",
                                                      " ELSE ",
                                                      " END",
                                                      "CAST(",
                                                      " AS ",
                                                      "INT",
                                                      "ARRAY<INT>",
                                                      "INTERVAL 1 DAY",
                                                      " BETWEEN ",
                                                      " IN (",
                                                      " LIKE ",
                                                      " IS NOT NULL",
                                                      "INSERT INTO t ",
                                                      "INSERT OVERWRITE TABLE t PARTITION (d) ",
                                                      "VALUES ",
                                                      "CREATE TABLE t ",
                                                      "MERGE INTO t USING s ON ",
                                                      " WHEN MATCHED THEN UPDATE SET ",
                                                      " WHEN NOT MATCHED THEN INSERT ",
                                                      "DELETE FROM t ",
                                                      "UPDATE t SET ",
                                                      "; ",
                                                      " LATERAL VIEW explode(",
                                                      ") v AS w",
                                                      "UNNEST(",
                                                      " PIVOT (sum(a) FOR b IN (1))",
                                                      " TABLESAMPLE (10 PERCENT)",
                                                      "x -> ",
                                                      "[",
                                                      "]",
                                                      "{",
                                                      "}",
                                                      ": ",
                                                      " + ",
                                                      " - ",
                                                      " || ",
                                                      "::INT",
                                                      "/* c */",
                                                      "-- d\n",
                                                      "/*+ H */",
                                                      "${v}",
                                                      "{{ w }}",
                                                      "?",
                                                      ":p",
                                                      "EXISTS (",
                                                      " |> ",
                                                      "`q`",
                                                      "\"r\"",
                                                      "BEGIN ",
                                                      "IF ",
                                                      "END IF",
                                                      "ALTER TABLE t ",
                                                      "ADD COLUMNS ",
                                                      "DROP TABLE ",
                                                      "SET ",
                                                      "FROM t ",
                                                      " GROUPING SETS (",
                                                      " ROWS BETWEEN 1 PRECEDING AND CURRENT ROW",
                                                      " QUALIFY ",
                                                      "DATE '2024-01-01'",
                                                      ".",
                                                      "EXTRACT(YEAR FROM "};

std::string Sentence(const uint8_t* data, size_t size) {
  std::string text;
  for (size_t i = 0; i < size; ++i) text += kPieces[data[i] % kPieces.size()];
  return text;
}

void Check(const tarn::sql::tree::Node& node, const tarn::sql::SourceSpan& within) {
  if (!within.Contains(node.span) || node.height > tarn::sql::kTreeHeightMax) std::abort();
  tarn::sql::tree::ForEachChild(node, [&](const auto& child) { Check(child, within); });
}

void TryDialect(std::string_view sql, const Dialect& dialect) {
  const ParsedScript script = tarn::sql::Parse(sql, dialect);
  const tarn::sql::SourceSpan all = {0, static_cast<uint32_t>(script.text.size())};
  std::string trees;
  for (const tarn::sql::ParsedStatement& statement : script.statements) {
    if ((statement.root == nullptr) != statement.error.has_value()) std::abort();
    if (statement.root == nullptr) continue;
    Check(*statement.root, all);
    trees += tarn::sql::tree::TreeToText(*statement.root);
  }
  const std::string text = tarn::sql::Format(script);
  if (script.FirstError() != nullptr) return;
  std::string again;
  for (const tarn::sql::ParsedStatement& statement : tarn::sql::Parse(text, dialect).statements) {
    if (statement.root == nullptr) std::abort();  // what we wrote, we cannot read
    again += tarn::sql::tree::TreeToText(*statement.root);
  }
  if (trees != again) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  static const std::array<const Dialect*, 6> kDialects = {
      &tarn::sql::HiveDialect(),   &tarn::sql::SparkDialect(),    &tarn::sql::TrinoDialect(),
      &tarn::sql::DuckDbDialect(), &tarn::sql::PostgresDialect(), &tarn::sql::GenericDialect()};
  const Dialect& dialect = *kDialects[(data[0] >> 1) % kDialects.size()];
  if ((data[0] & 1) == 0) {
    TryDialect({reinterpret_cast<const char*>(data) + 1, size - 1}, dialect);
  } else {
    TryDialect(Sentence(data + 1, size - 1), dialect);
  }
  return 0;
}
