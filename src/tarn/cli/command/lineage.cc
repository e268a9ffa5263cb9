#include <string>
#include <utility>

#include "tarn/cli/command/commands.h"
#include "tarn/cli/input_text.h"
#include "tarn/engine/lineage_report.h"

namespace tarn::cli {
namespace {

// The file's name without folders and ending.
std::string JobName(const std::string& file) {
  if (file == "-") return "script";
  const std::string name = file.substr(file.rfind('/') + 1);
  return name.substr(0, name.rfind('.'));
}

}  // namespace

Status RunLineage(CommandContext& context, const LineageArguments& arguments) {
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
