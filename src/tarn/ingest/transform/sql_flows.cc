#include "tarn/ingest/transform/sql_flows.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "tarn/base/text.h"
#include "tarn/lineage/analyze.h"
#include "tarn/sql/dialect.h"

namespace tarn {
namespace {

constexpr std::string_view kInput = "batch";

class OneTable final : public lineage::SchemaProvider {
 public:
  explicit OneTable(const Schema& schema) {
    for (const Field& field : schema.fields) table_.columns.push_back({field.name});
  }
  const lineage::TableSchema* Find(std::string_view name) const override {
    return name == kInput ? &table_ : nullptr;
  }

 private:
  lineage::TableSchema table_;
};

std::optional<lineage::StatementLineage> Analyze(const Schema& input, const std::string& query) {
  const OneTable schema(input);
  lineage::ScriptLineage script = lineage::Analyze(query, sql::DuckDbDialect(), schema);
  if (script.statements.size() != 1) return std::nullopt;
  return std::move(script.statements[0]);
}

// The edge's input as `schema` spells it; nothing for a column of another table.
std::optional<FlowInput> InputOf(const lineage::StatementLineage& statement,
                                 const lineage::Edge& edge, const Schema& schema) {
  const lineage::Column& column = statement.column(edge.input);
  if (statement.dataset(column.dataset).name != kInput) return std::nullopt;
  const auto index = schema.IndexOf(column.name);
  if (!index) return std::nullopt;
  return FlowInput{{schema.fields[*index].name}, edge.kind, edge.masking};
}

void AddOnce(std::vector<FlowInput>& inputs, std::optional<FlowInput> input) {
  if (input && std::find(inputs.begin(), inputs.end(), *input) == inputs.end()) {
    inputs.push_back(std::move(*input));
  }
}

}  // namespace

std::vector<std::vector<FlowInput>> InputsOfSelect(const Schema& input, const std::string& select) {
  std::vector<std::vector<FlowInput>> inputs;
  const auto statement = Analyze(input, "SELECT " + select + " FROM " + std::string(kInput));
  if (!statement) return inputs;
  std::map<lineage::ColumnId, size_t> positions;
  for (const lineage::OutputColumn& output : statement->output_columns) {
    positions.emplace(output.column, inputs.size());
    inputs.emplace_back();
  }
  for (const lineage::Edge& edge : statement->edges) {
    const auto position = positions.find(edge.output);
    if (position != positions.end()) {
      AddOnce(inputs[position->second], InputOf(*statement, edge, input));
    }
  }
  return inputs;
}

std::vector<FlowInput> InputsOfCondition(const Schema& input, const std::string& condition) {
  std::vector<FlowInput> inputs;
  const auto statement =
      Analyze(input, "SELECT 1 AS keep FROM " + std::string(kInput) + " WHERE " + condition);
  if (!statement) return inputs;
  for (const lineage::Edge& edge : statement->edges) {
    if (edge.output == lineage::kEveryColumn) AddOnce(inputs, InputOf(*statement, edge, input));
  }
  return inputs;
}

}  // namespace tarn
