#include <string>
#include <utility>

#include "tarn/cli/command/commands.h"
#include "tarn/cli/input_text.h"
#include "tarn/cli/shell/shell.h"

namespace tarn::cli {
namespace {

constexpr int64_t kTableRowsOnTerminal = 1000;

}  // namespace

Status RunStatements(CommandContext& context, QuerySession& session, const std::string& sql,
                     const ResultOptions& options) {
  return session.Run(sql, [&](StatementResult result) -> Status {
    if (result.rows != nullptr) {
      TARN_RETURN_IF_ERROR(
          WriteResult(context.runtime(), *result.rows, options, context.console().out));
    }
    if (!result.message.empty()) context.console().Info(result.message);
    return OkStatus();
  });
}

Status RunSql(CommandContext& context, const SqlArguments& arguments) {
  ResultOptions options;
  if (!arguments.format.empty()) {
    TARN_ASSIGN_OR_RETURN(options.format, ParseResultFormat(arguments.format));
  }
  options.width_max = context.console().width;
  if (context.console().out_is_terminal) options.table_rows_max = kTableRowsOnTerminal;

  if (!arguments.sql.empty() && (arguments.sql[0] == "fmt" || arguments.sql[0] == "parse")) {
    return RunSqlText(context, arguments);
  }
  if (arguments.sql.size() > 1) {
    return Invalid("sql: one text is expected, found " + std::to_string(arguments.sql.size()) +
                   "; put the whole SQL in quotes");
  }
  if (arguments.sql.empty() && context.console().in_is_terminal) return RunShell(context, options);
  std::string sql;
  if (arguments.sql.empty() || arguments.sql[0] == "-") {
    TARN_ASSIGN_OR_RETURN(sql, ReadStandardInput());
  } else {
    sql = arguments.sql[0];
  }
  TARN_ASSIGN_OR_RETURN(Engine* const engine, context.OpenEngine(arguments.skipping));
  TARN_ASSIGN_OR_RETURN(const std::unique_ptr<QuerySession> session, engine->OpenSession());
  return RunStatements(context, *session, sql, options);
}

}  // namespace tarn::cli
