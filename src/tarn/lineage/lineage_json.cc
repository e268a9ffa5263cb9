#include "tarn/lineage/lineage_json.h"

#include <nlohmann/json.hpp>

#include <utility>
#include <vector>

#include "tarn/lineage/merge_script.h"
#include "tarn/lineage/source_text_internal.h"
#include "tarn/sql/places.h"

namespace tarn::lineage {
namespace {

using Json = nlohmann::ordered_json;

Json SourceJson(const MergedSource& source, std::string_view sql) {
  Json json = {{"column", source.column},
               {"type", IsDirect(source.kind) ? "DIRECT" : "INDIRECT"},
               {"kind", EdgeKindName(source.kind)}};
  if (source.masking) json["masking"] = true;
  if (source.where.size() > 0) json["expression"] = SourceText(sql, source.where);
  return json;
}

Json ColumnsJson(const MergedLineage& merged, std::string_view sql) {
  Json columns = Json::array();
  for (const MergedColumn& column : merged.columns) {
    Json json = {{"output", column.output}};
    const std::string_view own =
        std::string_view(column.output).substr(column.output.rfind('.') + 1);
    if (!column.projection.empty() && column.projection != own) {
      json["projection"] = column.projection;
    }
    if (column.expression.size() > 0) json["expression"] = SourceText(sql, column.expression);
    json["sources"] = Json::array();
    for (const MergedSource& source : column.sources) {
      json["sources"].push_back(SourceJson(source, sql));
    }
    columns.push_back(std::move(json));
  }
  return columns;
}

Json EffectsJson(const MergedLineage& merged, std::string_view sql) {
  Json effects = Json::array();
  for (const MergedEffect& effect : merged.effects) {
    Json json = {
        {"column", effect.column}, {"type", "INDIRECT"}, {"kind", EdgeKindName(effect.kind)}};
    if (effect.where.size() > 0) json["expression"] = SourceText(sql, effect.where);
    if (merged.outputs.size() > 1) json["outputs"] = effect.outputs;
    effects.push_back(std::move(json));
  }
  return effects;
}

Json FlowJson(const MergedLineage& merged, std::string_view sql) {
  return {{"inputs", merged.inputs},
          {"outputs", merged.outputs},
          {"columns", ColumnsJson(merged, sql)},
          {"dataset", EffectsJson(merged, sql)}};
}

Json DdlJson(const std::vector<DdlEffect>& effects) {
  Json ddl = Json::array();
  for (const DdlEffect& effect : effects) {
    Json json = {{"op", effect.op}};
    if (!effect.object.empty()) json["object"] = effect.object;
    if (!effect.from.empty()) json["from"] = effect.from;
    if (!effect.to.empty()) json["to"] = effect.to;
    if (!effect.columns.empty()) json["columns"] = effect.columns;
    ddl.push_back(std::move(json));
  }
  return ddl;
}

void AddPlace(Json& json, sql::Places& places, uint32_t offset) {
  const sql::SourcePlace place = places.Of(offset);
  json["line"] = place.line;
  json["column"] = place.column;
}

Json StatementsJson(const ScriptLineage& script, sql::Places& places) {
  Json statements = Json::array();
  for (const StatementLineage& statement : script.statements) {
    Json json = {{"operation", OperationName(statement.operation)}};
    AddPlace(json, places, statement.span.begin);
    json["inputs"] = Json::array();
    json["outputs"] = Json::array();
    for (const DatasetId id : statement.inputs) {
      json["inputs"].push_back(statement.dataset(id).name);
    }
    for (const DatasetId id : statement.outputs) {
      json["outputs"].push_back(statement.dataset(id).name);
    }
    statements.push_back(std::move(json));
  }
  return statements;
}

Json WarningsJson(const ScriptLineage& script, sql::Places& places) {
  Json warnings = Json::array();
  for (const StatementLineage& statement : script.statements) {
    for (const Warning& warning : statement.warnings) {
      Json json = {{"code", WarningCodeName(warning.code)}, {"message", warning.message}};
      AddPlace(json, places, warning.where.begin);
      warnings.push_back(std::move(json));
    }
  }
  return warnings;
}

}  // namespace

std::string LineageJson(const ScriptLineage& script, std::string_view sql,
                        const ScriptLineage* expanded) {
  const MergedLineage merged = MergeScript(script);
  Json json = FlowJson(merged, sql);
  if (!merged.partitions.empty()) {
    for (const auto& [dataset, column, value] : merged.partitions) {
      json["partitions"][dataset][column] = value.has_value() ? Json(*value) : Json();
    }
  }
  if (!merged.ddl.empty()) json["ddl"] = DdlJson(merged.ddl);
  if (!merged.schema_from.empty()) json["schema_from"] = merged.schema_from;
  if (!merged.maintenance.empty()) json["maintenance"] = merged.maintenance;
  if (!merged.transient.empty()) json["transient"] = merged.transient;
  if (expanded != nullptr) json["expanded"] = FlowJson(MergeScript(*expanded), sql);
  sql::Places places(sql);
  json["warnings"] = WarningsJson(script, places);
  json["statements"] = StatementsJson(script, places);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tarn::lineage
