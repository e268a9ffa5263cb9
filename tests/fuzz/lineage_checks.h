#pragma once

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <tuple>

#include "tarn/lineage/analyze.h"
#include "tarn/lineage/lineage_graph.h"
#include "tarn/lineage/lineage_json.h"
#include "tarn/lineage/lineage_text.h"
#include "tarn/lineage/openlineage.h"
#include "tarn/lineage/schema_file.h"
#include "tarn/sql/dialect.h"

// What must hold of the lineage of any text; each aborts where it does not.
namespace tarn::fuzz {

// Ids mean something, spans lie in the text, edges are sorted, and no edge comes from a dataset
// that the statement does not read (or change).
inline void CheckLineageValue(const lineage::StatementLineage& statement, size_t text_size) {
  const auto require = [](bool holds) {
    if (!holds) std::abort();
  };
  const auto in_text = [&](const sql::SourceSpan& span) {
    return span.begin <= span.end && span.end <= text_size;
  };
  const auto is_dataset = [&](lineage::DatasetId id) {
    return static_cast<size_t>(id) < statement.datasets.size();
  };
  const auto is_column = [&](lineage::ColumnId id) {
    return static_cast<size_t>(id) < statement.columns.size() &&
           is_dataset(statement.column(id).dataset);
  };
  const auto listed = [](const std::vector<lineage::DatasetId>& ids, lineage::DatasetId id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
  };
  require(in_text(statement.span));
  for (const auto id : statement.inputs) require(is_dataset(id));
  for (const auto id : statement.outputs) require(is_dataset(id));
  for (const lineage::OutputColumn& output : statement.output_columns) {
    require(is_column(output.column) && in_text(output.expression));
  }
  for (const lineage::Edge& edge : statement.edges) {
    require(is_dataset(edge.target) && is_column(edge.input) && in_text(edge.where));
    require(edge.output == lineage::kEveryColumn || is_column(edge.output));
    const lineage::DatasetId from = statement.column(edge.input).dataset;
    require(listed(statement.inputs, from) || listed(statement.outputs, from));
    require(listed(statement.outputs, edge.target) ||
            statement.dataset(edge.target).kind == lineage::DatasetKind::kQuery);
  }
  const auto before = [](const lineage::Edge& a, const lineage::Edge& b) {
    return std::tuple(a.target, a.output) < std::tuple(b.target, b.output);
  };
  require(std::is_sorted(statement.edges.begin(), statement.edges.end(), before));
  for (const lineage::Warning& warning : statement.warnings) {
    require(in_text(warning.where) && !warning.message.empty());
  }
}

// The schema of the tables that the grammar and the pieces name.
inline const lineage::SchemaMap& FuzzSchema() {
  static const auto kSchema = lineage::ParseSchemaFile(
      R"({"schema": {"t": ["a", "b", "c", "d"], "s": ["a", "b", "x"], "db.u": ["b", "c", "e"]},
          "partition_columns": {"t": ["d"]},
          "types": {"t.c": "struct<f:int,g:string>"},
          "views": {"v": "SELECT a, b AS w FROM t WHERE c = 1", "r": "SELECT * FROM r"}})");
  if (!kSchema.ok()) std::abort();
  return kSchema.value();
}

// With a schema and without, views kept and looked through, in every form of output.
inline void CheckLineage(std::string_view text, const sql::Dialect& dialect) {
  const lineage::NoSchema none;
  for (const lineage::SchemaProvider* schema :
       {static_cast<const lineage::SchemaProvider*>(&none),
        static_cast<const lineage::SchemaProvider*>(&FuzzSchema())}) {
    const lineage::ScriptLineage kept = lineage::Analyze(text, dialect, *schema);
    const lineage::ScriptLineage expanded =
        lineage::Analyze(text, dialect, *schema, {.views = lineage::Views::kExpanded});
    for (const auto* script : {&kept, &expanded}) {
      for (const auto& statement : script->statements) CheckLineageValue(statement, text.size());
    }
    (void)lineage::LineageTree(kept, text);
    (void)lineage::LineageJson(kept, text, &expanded);
    (void)lineage::OpenLineageJson(kept, text);
    (void)lineage::LineageDot(kept);
    (void)lineage::LineageMermaid(kept);
  }
}

}  // namespace tarn::fuzz
