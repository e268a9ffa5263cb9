#include "tarn/query/call_internal.h"

#include <algorithm>

#include <arrow/record_batch.h>
#include <arrow/scalar.h>

#include "tarn/base/text.h"
#include "tarn/sql/token_cursor.h"
#include "tarn/sql/tokenizer.h"

namespace tarn {

Result<CallArguments> CallArguments::Make(StatementContext& context, const std::string& procedure,
                                          const std::vector<std::string>& parameters,
                                          const sql::Call& call) {
  CallArguments arguments(context, procedure);
  size_t place = 0;
  for (const sql::Call::Argument& argument : call.arguments) {
    std::string name = argument.name;
    if (name.empty()) {
      if (place == parameters.size()) {
        return Invalid("CALL " + procedure + " takes at most " + std::to_string(parameters.size()) +
                       " arguments: " + Join(parameters, ", "));
      }
      name = parameters[place++];
    }
    if (std::find(parameters.begin(), parameters.end(), name) == parameters.end()) {
      return Invalid("CALL " + procedure + ": no parameter '" + name + "'" +
                     DidYouMean(name, parameters));
    }
    if (!arguments.values_.emplace(name, argument.value.text).second) {
      return Invalid("CALL " + procedure + ": '" + name + "' is given twice");
    }
  }
  return arguments;
}

Result<std::vector<std::string>> CallArguments::Values(const char* name, const std::string& before,
                                                       const std::string& after) const {
  std::vector<std::string> texts;
  const auto value = values_.find(name);
  if (value == values_.end()) return texts;
  TARN_ASSIGN_OR_RETURN(const std::string sql, InDuckWords(value->second));
  const auto in_context = [&](const Error& error) {
    return error.WithContext("CALL " + procedure_ + ": " + name);
  };
  auto rows =
      context_->session.Query("SELECT CAST(" + before + "(" + sql + "\n)" + after + " AS VARCHAR)");
  if (!rows.ok()) return in_context(rows.error());
  while (true) {
    const auto batch = (*rows)->Next();
    if (!batch.ok()) return in_context(batch.error());
    if (*batch == nullptr) return texts;
    for (int64_t row = 0; row < (*batch)->num_rows(); ++row) {
      const auto cell = (*batch)->column(0)->GetScalar(row);
      if (cell.ok() && (*cell)->is_valid) texts.push_back((*cell)->ToString());
    }
  }
}

Result<std::optional<std::string>> CallArguments::Text(const char* name) const {
  TARN_ASSIGN_OR_RETURN(auto values, Values(name, "", ""));
  if (values.empty()) return std::optional<std::string>();
  return std::optional(std::move(values.front()));
}

Result<std::string> CallArguments::Required(const char* name) const {
  TARN_ASSIGN_OR_RETURN(auto text, Text(name));
  if (!text) return Invalid("CALL " + procedure_ + ": '" + name + "' is missing");
  return *std::move(text);
}

Result<std::optional<int64_t>> CallArguments::Number(const char* name) const {
  TARN_ASSIGN_OR_RETURN(const auto values, Values(name, "CAST(", " AS BIGINT)"));
  if (values.empty()) return std::optional<int64_t>();
  return std::optional<int64_t>(std::stoll(values.front()));
}

Result<std::optional<bool>> CallArguments::Flag(const char* name) const {
  TARN_ASSIGN_OR_RETURN(const auto values, Values(name, "CAST(", " AS BOOLEAN)"));
  if (values.empty()) return std::optional<bool>();
  return std::optional(values.front() == "true");
}

Result<std::optional<int64_t>> CallArguments::Millis(const char* name) const {
  TARN_ASSIGN_OR_RETURN(const auto values,
                        Values(name, "epoch_ms(CAST(", " AS TIMESTAMP WITH TIME ZONE))"));
  if (values.empty()) return std::optional<int64_t>();
  return std::optional<int64_t>(std::stoll(values.front()));
}

Result<std::vector<std::string>> CallArguments::Members(const char* name) const {
  return Values(name, "unnest(", ")");
}

Result<sql::TableName> CallArguments::NameOfTable() const {
  TARN_ASSIGN_OR_RETURN(const std::string text, Required("table"));
  if (text.find('/') != std::string::npos) return sql::TableName{.path = text};
  TARN_ASSIGN_OR_RETURN(const auto tokens, sql::Tokenize(text));
  sql::TokenCursor cursor(text, tokens);
  TARN_ASSIGN_OR_RETURN(sql::TableName name, sql::ParseTableName(cursor));
  if (!cursor.AtEnd()) return cursor.Expected("the name of a table");
  return name;
}

Result<PinnedTable> CallArguments::Table() const {
  TARN_ASSIGN_OR_RETURN(const sql::TableName name, NameOfTable());
  return context_->tables.Pin(name);
}

Result<PinnedTable> CallArguments::TableWithReferences() const {
  TARN_ASSIGN_OR_RETURN(PinnedTable pinned, Table());
  if (pinned.table->format->traits().references) return pinned;
  return Unsupported("CALL " + procedure_ + ": a table of format '" +
                     std::string(pinned.table->format->name()) +
                     "' has no branches and no states that expire");
}

Result<StatementResult> AnswerRow(StatementContext& context,
                                  const std::vector<std::pair<std::string, std::string>>& cells) {
  std::string select;
  for (const auto& [name, value] : cells) {
    select += (select.empty() ? "SELECT " : ", ") + value + " AS " + QuoteIdentifier(name);
  }
  return RowsOf(context, select);
}

std::string VersionSql(const std::string& version) {
  if (version.empty()) return "NULL";
  const bool number = version.find_first_not_of("0123456789") == std::string::npos;
  return number ? version : QuoteLiteral(version);
}

}  // namespace tarn
