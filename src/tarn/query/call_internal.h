#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/query/query_options.h"
#include "tarn/query/statement_context_internal.h"
#include "tarn/query/statement_tables.h"
#include "tarn/sql/statement.h"

namespace tarn {

// The arguments of a CALL by the names of its procedure's parameters. Values are expressions that
// DuckDB evaluates. Errors name the procedure and the parameter.
class CallArguments {
 public:
  // kInvalid for one too many, an unknown name, one given twice.
  static Result<CallArguments> Make(StatementContext& context, const std::string& procedure,
                                    const std::vector<std::string>& parameters,
                                    const sql::Call& call);

  bool Has(const char* name) const { return values_.contains(name); }
  // As text; nothing if it was not given or is NULL.
  Result<std::optional<std::string>> Text(const char* name) const;
  Result<std::string> Required(const char* name) const;  // kInvalid: it is missing
  Result<std::optional<int64_t>> Number(const char* name) const;
  Result<std::optional<bool>> Flag(const char* name) const;
  // A point in time, in milliseconds since 1970.
  Result<std::optional<int64_t>> Millis(const char* name) const;
  // The members of a list.
  Result<std::vector<std::string>> Members(const char* name) const;
  // The parameter `table`: a name, or a path if it has a '/'.
  Result<sql::TableName> NameOfTable() const;
  // The table of it.
  Result<PinnedTable> Table() const;
  // The same; kUnsupported where its format has no branches and no states that expire.
  Result<PinnedTable> TableWithReferences() const;

  StatementContext& context() const { return *context_; }
  const std::string& procedure() const { return procedure_; }

 private:
  CallArguments(StatementContext& context, std::string procedure)
      : context_(&context), procedure_(std::move(procedure)) {}
  // What DuckDB makes of the argument between `before` and `after`, a value per row.
  Result<std::vector<std::string>> Values(const char* name, const std::string& before,
                                          const std::string& after) const;

  StatementContext* context_;
  std::string procedure_;
  std::map<std::string, std::string> values_;
};

// One row as an answer: column, and its value as SQL.
Result<StatementResult> AnswerRow(StatementContext& context,
                                  const std::vector<std::pair<std::string, std::string>>& cells);
// A version as an answer shows it: a number where it is one.
std::string VersionSql(const std::string& version);

// Procedures that keep a table small (call_maintenance.cc).
Result<StatementResult> CallExpireSnapshots(const CallArguments& arguments);
Result<StatementResult> CallRemoveOrphanFiles(const CallArguments& arguments);
Result<StatementResult> CallRewriteDataFiles(const CallArguments& arguments);
Result<StatementResult> CallRewriteManifests(const CallArguments& arguments);
// Data files, then snapshots: what a table's own upkeep is (table_upkeep.h).
Result<StatementResult> CallUpkeep(const CallArguments& arguments);

// Names in the catalog (call_catalog.cc).
Result<StatementResult> CallRegisterTable(const CallArguments& arguments);

}  // namespace tarn
