#include "tarn/engine/sql_report.h"

#include <fmt/format.h>

#include "tarn/base/text.h"
#include "tarn/sql/dialect.h"
#include "tarn/sql/formatter.h"
#include "tarn/sql/parser.h"
#include "tarn/sql/places.h"
#include "tarn/sql/tokenizer.h"
#include "tarn/sql/tree_text.h"

namespace tarn {
namespace {

Result<sql::ParsedScript> ParseAs(std::string_view text, std::string_view dialect) {
  const sql::Dialect* const known = sql::FindDialect(dialect);
  if (known == nullptr) {
    return Invalid(
        fmt::format("sql: no dialect '{}'{}", dialect, DidYouMean(dialect, SqlDialectNames())));
  }
  return sql::Parse(text, *known);
}

SqlReport ReportOf(const sql::ParsedScript& script) {
  SqlReport report;
  report.statement_count = static_cast<int64_t>(script.statements.size());
  for (const sql::ParsedStatement& statement : script.statements) {
    if (statement.error) report.errors.push_back(statement.error->message);
  }
  return report;
}

}  // namespace

Result<SqlReport> FormatSqlText(std::string_view sql, std::string_view dialect) {
  TARN_ASSIGN_OR_RETURN(const sql::ParsedScript script, ParseAs(sql, dialect));
  SqlReport report = ReportOf(script);
  report.text = sql::Format(script);
  return report;
}

Result<SqlReport> SqlTextTree(std::string_view sql, std::string_view dialect) {
  TARN_ASSIGN_OR_RETURN(const sql::ParsedScript script, ParseAs(sql, dialect));
  SqlReport report = ReportOf(script);
  sql::Places places(script.text);
  int64_t number = 0;
  for (const sql::ParsedStatement& statement : script.statements) {
    report.text += fmt::format("-- statement {} at {}\n", ++number,
                               sql::PlaceToText(places.Of(statement.span.begin)));
    report.text += statement.root != nullptr ? sql::tree::TreeToText(*statement.root)
                                             : "cannot be read: " + statement.error->message + "\n";
  }
  return report;
}

std::vector<std::string> SqlDialectNames() {
  const auto names = sql::DialectNames();
  return {names.begin(), names.end()};
}

}  // namespace tarn
