#include <nlohmann/json.hpp>

#include <string>
#include <utility>

#include "tarn/cli/command/commands.h"
#include "tarn/cli/input_text.h"
#include "tarn/cli/print/json_report.h"
#include "tarn/cli/print/lineage_text.h"
#include "tarn/engine/lineage_report.h"
#include "tarn/engine/table_lineage.h"

namespace tarn::cli {
namespace {

// The file's name without folders and ending.
std::string JobName(const std::string& file) {
  if (file == "-") return "script";
  const std::string name = file.substr(file.rfind('/') + 1);
  return name.substr(0, name.rfind('.'));
}

Status RunTableLineage(CommandContext& context, const LineageArguments& arguments) {
  TARN_ASSIGN_OR_RETURN(const LineageFormat format, ParseLineageFormat(arguments.format));
  if (format == LineageFormat::kOpenLineage) {
    return Unsupported("lineage: --format openlineage tells of a script's run, not of a table");
  }
  TARN_ASSIGN_OR_RETURN(Engine* const engine, context.OpenEngine());
  TARN_ASSIGN_OR_RETURN(
      const TableLineage lineage,
      WalkTableLineage(*engine,
                       {arguments.table, arguments.column, arguments.version,
                        arguments.down ? LineageDirection::kDown : LineageDirection::kUp}));
  for (const std::string& warning : lineage.warnings) context.console().Warning(warning);
  switch (format) {
    case LineageFormat::kDot:
      return context.console().out(TableLineageDot(lineage));
    case LineageFormat::kMermaid:
      return context.console().out(TableLineageMermaid(lineage));
    case LineageFormat::kJson:
      return context.console().out(JsonText(TableLineageJson(lineage)));
    default:
      return context.console().out(TableLineageText(lineage));
  }
}

}  // namespace

Status RunLineage(CommandContext& context, const LineageArguments& arguments) {
  if (!arguments.table.empty()) return RunTableLineage(context, arguments);
  LineageRequest request;
  request.dialect = arguments.dialect;
  request.default_db = arguments.default_db;
  request.name = JobName(arguments.file);
  TARN_ASSIGN_OR_RETURN(request.format, ParseLineageFormat(arguments.format));
  TARN_ASSIGN_OR_RETURN(request.sql, ReadFileOrInput("lineage", arguments.file));
  for (const std::string& variable : arguments.variables) {
    const size_t equals = variable.find('=');
    if (equals == std::string::npos || equals == 0) {
      return Invalid("lineage: --var '" + variable + "' is not NAME=VALUE");
    }
    request.variables.emplace_back(variable.substr(0, equals), variable.substr(equals + 1));
  }
  Engine* engine = nullptr;
  if (!arguments.schema.empty()) {
    TARN_ASSIGN_OR_RETURN(request.schema_json, ReadFileOrInput("lineage", arguments.schema));
  } else if (!context.lake().empty()) {
    TARN_ASSIGN_OR_RETURN(engine, context.OpenEngine());
  }
  TARN_ASSIGN_OR_RETURN(const std::string report,
                        ReportLineage(request, context.runtime(), engine));
  return context.console().out(report);
}

}  // namespace tarn::cli
