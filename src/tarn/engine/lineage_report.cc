#include "tarn/engine/lineage_report.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tarn/base/text.h"
#include "tarn/engine/catalog_schema.h"
#include "tarn/lineage/analyze.h"
#include "tarn/lineage/lineage_graph.h"
#include "tarn/lineage/lineage_json.h"
#include "tarn/lineage/lineage_text.h"
#include "tarn/lineage/openlineage.h"
#include "tarn/lineage/project.h"
#include "tarn/lineage/schema_file.h"
#include "tarn/model/civil_date.h"
#include "tarn/sql/dialect.h"

namespace tarn {
namespace {

using Json = nlohmann::ordered_json;
using lineage::ProjectScript;

constexpr std::array<std::pair<std::string_view, LineageFormat>, 5> kFormats = {
    {{"tree", LineageFormat::kTree},
     {"json", LineageFormat::kJson},
     {"openlineage", LineageFormat::kOpenLineage},
     {"dot", LineageFormat::kDot},
     {"mermaid", LineageFormat::kMermaid}}};

// "2026-11-30T10:00:00Z"
std::string EventTime(Runtime& runtime) {
  constexpr int64_t kDaySeconds = 86'400;
  const int64_t seconds = runtime.clock.NowMicros() / 1'000'000;
  const CivilDate date = CivilFromDays(seconds / kDaySeconds);
  const int64_t of_day = seconds % kDaySeconds;
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", date.year, date.month, date.day,
                     of_day / 3600, of_day / 60 % 60, of_day % 60);
}

std::vector<ProjectScript> Analyzed(const LineageRequest& request, const sql::Dialect& dialect,
                                    const lineage::SchemaProvider& schema,
                                    const lineage::AnalyzeOptions& options) {
  std::vector<ProjectScript> scripts;
  for (const LineageScript& script : request.scripts) {
    scripts.push_back({.file = script.file, .sql = script.sql});
  }
  if (scripts.size() == 1) {
    scripts[0].lineage = lineage::Analyze(scripts[0].sql, dialect, schema, options);
  } else {
    lineage::AnalyzeProject(scripts, dialect, schema, options);
  }
  return scripts;
}

std::string Trees(const std::vector<ProjectScript>& scripts) {
  std::string out;
  for (const ProjectScript& script : scripts) {
    if (scripts.size() > 1) out += (out.empty() ? "== " : "\n== ") + script.file + "\n";
    out += lineage::LineageTree(script.lineage, script.sql);
  }
  return out;
}

// As one script, for drawings, which need no texts.
lineage::ScriptLineage Together(const std::vector<ProjectScript>& scripts) {
  lineage::ScriptLineage all;
  for (const ProjectScript& script : scripts) {
    all.statements.insert(all.statements.end(), script.lineage.statements.begin(),
                          script.lineage.statements.end());
  }
  return all;
}

std::string OpenLineage(const std::vector<ProjectScript>& scripts, const std::string& time) {
  Json all = Json::array();
  for (const ProjectScript& script : scripts) {
    const lineage::OpenLineageOptions options{.job_name = lineage::ModelName(script.file),
                                              .event_time = time};
    std::string events = lineage::OpenLineageJson(script.lineage, script.sql, options);
    if (scripts.size() == 1) return events;
    for (Json& event : Json::parse(events)) all.push_back(std::move(event));
  }
  return all.dump(2) + "\n";
}

bool LooksThroughViews(const ProjectScript& script) {
  return std::any_of(script.lineage.statements.begin(), script.lineage.statements.end(),
                     [](const auto& statement) { return statement.through_views; });
}

// `expanded` may be empty: no view was read.
std::string JsonOf(const std::vector<ProjectScript>& scripts,
                   const std::vector<ProjectScript>& expanded) {
  Json all = Json::array();
  for (size_t i = 0; i < scripts.size(); ++i) {
    const ProjectScript& script = scripts[i];
    const bool both = !expanded.empty() && LooksThroughViews(script);
    std::string text =
        lineage::LineageJson(script.lineage, script.sql, both ? &expanded[i].lineage : nullptr);
    if (scripts.size() == 1) return text;
    Json object = {{"file", script.file}};
    object.update(Json::parse(text));
    all.push_back(std::move(object));
  }
  return all.dump(2) + "\n";
}

}  // namespace

std::vector<std::string> LineageFormatNames() {
  std::vector<std::string> names;
  names.reserve(kFormats.size());
  for (const auto& [name, format] : kFormats) names.emplace_back(name);
  return names;
}

std::vector<std::string> LineageDialectNames() {
  const std::span<const std::string_view> names = sql::DialectNames();
  return {names.begin(), names.end()};
}

Result<LineageFormat> ParseLineageFormat(std::string_view name) {
  for (const auto& [known, format] : kFormats) {
    if (AsciiEqualsIgnoreCase(known, name)) return format;
  }
  return Invalid("lineage: no format '" + std::string(name) + "'" +
                 DidYouMean(std::string(name), LineageFormatNames()));
}

Result<std::string> ReportLineage(const LineageRequest& request, Runtime& runtime, Engine* engine) {
  const sql::Dialect* const dialect = sql::FindDialect(request.dialect);
  if (dialect == nullptr) {
    return Invalid("lineage: no dialect '" + request.dialect + "'" +
                   DidYouMean(request.dialect, LineageDialectNames()));
  }
  // Not moved out of the Result: g++ 12 then warns of a map that is freed without being on the
  // heap.
  const Result<lineage::SchemaMap> given =
      lineage::ParseSchemaFile(request.schema_json.empty() ? "{}" : request.schema_json);
  TARN_RETURN_IF_ERROR(given.status());
  std::optional<CatalogSchema> catalog;
  const lineage::SchemaProvider* schema = &given.value();
  if (request.schema_json.empty() && engine != nullptr) schema = &catalog.emplace(*engine);

  lineage::AnalyzeOptions options;
  options.default_db = request.default_db;
  options.variables = request.variables;
  std::vector<ProjectScript> scripts = Analyzed(request, *dialect, *schema, options);
  switch (request.format) {
    case LineageFormat::kTree:
      return Trees(scripts);
    case LineageFormat::kDot:
      return lineage::LineageDot(Together(scripts));
    case LineageFormat::kMermaid:
      return lineage::LineageMermaid(Together(scripts));
    case LineageFormat::kOpenLineage:
      return OpenLineage(scripts, EventTime(runtime));
    case LineageFormat::kJson:
      break;
  }
  const bool through_views = std::any_of(scripts.begin(), scripts.end(), LooksThroughViews);
  std::vector<ProjectScript> expanded;
  if (through_views) {
    options.views = lineage::Views::kExpanded;
    expanded = Analyzed(request, *dialect, *schema, options);
  }
  return JsonOf(scripts, expanded);
}

}  // namespace tarn
