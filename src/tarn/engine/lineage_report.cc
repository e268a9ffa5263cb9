#include "tarn/engine/lineage_report.h"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "tarn/base/text.h"
#include "tarn/engine/catalog_schema.h"
#include "tarn/lineage/analyze.h"
#include "tarn/lineage/lineage_graph.h"
#include "tarn/lineage/lineage_json.h"
#include "tarn/lineage/lineage_text.h"
#include "tarn/lineage/openlineage.h"
#include "tarn/lineage/schema_file.h"
#include "tarn/model/civil_date.h"
#include "tarn/sql/dialect.h"

namespace tarn {
namespace {

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
  const lineage::ScriptLineage script = lineage::Analyze(request.sql, *dialect, *schema, options);
  switch (request.format) {
    case LineageFormat::kTree:
      return lineage::LineageTree(script, request.sql);
    case LineageFormat::kDot:
      return lineage::LineageDot(script);
    case LineageFormat::kMermaid:
      return lineage::LineageMermaid(script);
    case LineageFormat::kOpenLineage:
      return lineage::OpenLineageJson(script, request.sql,
                                      {.job_name = request.name, .event_time = EventTime(runtime)});
    case LineageFormat::kJson:
      break;
  }
  const bool through_views =
      std::any_of(script.statements.begin(), script.statements.end(),
                  [](const auto& statement) { return statement.through_views; });
  if (!through_views) return lineage::LineageJson(script, request.sql);
  options.views = lineage::Views::kExpanded;
  const lineage::ScriptLineage expanded = lineage::Analyze(request.sql, *dialect, *schema, options);
  return lineage::LineageJson(script, request.sql, &expanded);
}

}  // namespace tarn
