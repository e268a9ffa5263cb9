#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "tarn/cli/command/commands.h"
#include "tarn/cli/input_text.h"
#include "tarn/cli/print/json_report.h"
#include "tarn/cli/print/lineage_text.h"
#include "tarn/engine/lineage_report.h"
#include "tarn/engine/table_lineage.h"

namespace tarn::cli {
namespace {

bool IsScript(const std::filesystem::path& path) {
  return path.extension() == ".sql" || path.extension() == ".hql";
}

// The scripts in a folder and those below it, by name. Hidden ones (.git, …) are left out.
Result<std::vector<std::string>> ScriptsBelow(const std::string& folder) {
  namespace fs = std::filesystem;
  std::vector<std::string> scripts;
  std::error_code failed;
  for (auto at = fs::recursive_directory_iterator(folder, failed);
       !failed && at != fs::recursive_directory_iterator(); at.increment(failed)) {
    std::error_code unknown;  // a link that leads nowhere is no script
    const bool hidden = at->path().filename().string().starts_with('.');
    if (at->is_directory(unknown)) {
      if (hidden) at.disable_recursion_pending();
    } else if (!hidden && IsScript(at->path()) && at->is_regular_file(unknown)) {
      scripts.push_back(at->path().string());
    }
  }
  if (failed) return Unavailable("lineage: '" + folder + "': " + failed.message());
  if (scripts.empty()) return NotFound("lineage: no *.sql and no *.hql in '" + folder + "'");
  std::sort(scripts.begin(), scripts.end());
  return scripts;
}

Result<std::vector<LineageScript>> ReadScripts(const std::vector<std::string>& given) {
  std::vector<std::string> files;
  for (const std::string& name : given) {
    std::error_code unknown;  // what is not there is said when it is read
    if (!std::filesystem::is_directory(name, unknown)) {
      files.push_back(name);
      continue;
    }
    TARN_ASSIGN_OR_RETURN(std::vector<std::string> below, ScriptsBelow(name));
    std::move(below.begin(), below.end(), std::back_inserter(files));
  }
  std::vector<LineageScript> scripts;
  for (std::string& file : files) {
    TARN_ASSIGN_OR_RETURN(std::string sql, ReadFileOrInput("lineage", file));
    scripts.push_back({file == "-" ? "script" : std::move(file), std::move(sql)});
  }
  return scripts;
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
  TARN_ASSIGN_OR_RETURN(request.format, ParseLineageFormat(arguments.format));
  TARN_ASSIGN_OR_RETURN(request.scripts, ReadScripts(arguments.files));
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
