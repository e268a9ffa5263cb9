#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "tarn/cli/command/commands.h"
#include "tarn/engine/lineage_report.h"

namespace tarn::cli {
namespace {

Result<std::string> ReadFileOrInput(const std::string& file) {
  std::string text;
  if (file == "-") {
    char buffer[1 << 16];
    size_t length = 0;
    while ((length = std::fread(buffer, 1, sizeof buffer, stdin)) > 0) text.append(buffer, length);
    if (std::ferror(stdin) != 0) return Unavailable("standard input cannot be read");
    return text;
  }
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return NotFound("lineage: '" + file + "' cannot be read");
  text.assign(std::istreambuf_iterator<char>(stream), {});
  if (stream.bad()) return NotFound("lineage: '" + file + "' cannot be read");
  return text;
}

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
  TARN_ASSIGN_OR_RETURN(request.sql, ReadFileOrInput(arguments.file));
  for (const std::string& variable : arguments.variables) {
    const size_t equals = variable.find('=');
    if (equals == std::string::npos || equals == 0) {
      return Invalid("lineage: --var '" + variable + "' is not NAME=VALUE");
    }
    request.variables.emplace_back(variable.substr(0, equals), variable.substr(equals + 1));
  }
  Engine* engine = nullptr;
  if (!arguments.schema.empty()) {
    TARN_ASSIGN_OR_RETURN(request.schema_json, ReadFileOrInput(arguments.schema));
  } else if (!context.lake().empty()) {
    TARN_ASSIGN_OR_RETURN(engine, context.OpenEngine());
  }
  TARN_ASSIGN_OR_RETURN(const std::string report,
                        ReportLineage(request, context.runtime(), engine));
  return context.console().out(report);
}

}  // namespace tarn::cli
