#include <string>
#include <utility>

#include "tarn/cli/command/commands.h"
#include "tarn/cli/input_text.h"
#include "tarn/engine/sql_report.h"

namespace tarn::cli {
Status RunSqlText(CommandContext& context, const SqlArguments& arguments) {
  const bool formats = arguments.sql[0] == "fmt";
  if (arguments.sql.size() != 2) {
    return Invalid("sql " + arguments.sql[0] + ": one file is expected, or - for standard input");
  }
  TARN_ASSIGN_OR_RETURN(const std::string text, ReadFileOrInput("sql", arguments.sql[1]));
  TARN_ASSIGN_OR_RETURN(const SqlReport report, formats ? FormatSqlText(text, arguments.dialect)
                                                        : SqlTextTree(text, arguments.dialect));
  if (formats || arguments.tree) {
    TARN_RETURN_IF_ERROR(context.console().out(report.text));
  }
  for (const std::string& error : report.errors) {
    context.console().Info(arguments.sql[1] + ": " + error);
  }
  const std::string count = std::to_string(report.statement_count);
  if (!report.errors.empty()) {
    return Invalid("sql: " + std::to_string(report.errors.size()) + " of " + count +
                   " statements cannot be read");
  }
  if (!formats && !arguments.tree) context.console().Info(count + " statements");
  return OkStatus();
}

}  // namespace tarn::cli
