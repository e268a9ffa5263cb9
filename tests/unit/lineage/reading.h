#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tarn/lineage/analyze.h"
#include "tarn/lineage/schema_file.h"
#include "tarn/sql/dialect.h"

namespace tarn::lineage::testing {

// The lineage of `sql` with the tables of `schema` (a schema file's text).
inline ScriptLineage Lineage(std::string_view sql, std::string_view schema = "{}",
                             std::string_view dialect = "spark",
                             const AnalyzeOptions& options = {}) {
  Result<SchemaMap> tables = ParseSchemaFile(schema);
  return Analyze(sql, *sql::FindDialect(dialect), tables.ok() ? *tables : SchemaMap(), options);
}

// The first statement of it.
inline StatementLineage Statement(std::string_view sql, std::string_view schema = "{}",
                                  std::string_view dialect = "spark") {
  return Lineage(sql, schema, dialect).statements.at(0);
}

// Its edges in order: "x <- d.s.a IDENTITY"; of every row "* <- …".
inline std::vector<std::string> Edges(const StatementLineage& statement) {
  std::vector<std::string> edges;
  for (const Edge& edge : statement.edges) {
    edges.push_back((edge.output == kEveryColumn ? "*" : statement.column(edge.output).name) +
                    " <- " + QualifiedName(statement, edge.input) + " " +
                    std::string(EdgeKindName(edge.kind)));
  }
  return edges;
}

inline std::vector<std::string> Edges(std::string_view sql, std::string_view schema = "{}",
                                      std::string_view dialect = "spark") {
  return Edges(Statement(sql, schema, dialect));
}

// The text that each edge is about.
inline std::vector<std::string> Wheres(std::string_view sql, std::string_view schema = "{}",
                                       std::string_view dialect = "spark") {
  std::vector<std::string> texts;
  for (const Edge& edge : Statement(sql, schema, dialect).edges) {
    texts.emplace_back(sql.substr(edge.where.begin, edge.where.size()));
  }
  return texts;
}

// The codes of its warnings, in order.
inline std::vector<std::string> Warnings(std::string_view sql, std::string_view schema = "{}",
                                         std::string_view dialect = "spark") {
  std::vector<std::string> codes;
  for (const Warning& warning : Statement(sql, schema, dialect).warnings) {
    codes.emplace_back(WarningCodeName(warning.code));
  }
  return codes;
}

using Texts = std::vector<std::string>;

}  // namespace tarn::lineage::testing
