#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "tarn/base/registry.h"
#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/base/writer_name.h"
#include "tarn/datafile/file_format.h"
#include "tarn/duck/duck_session.h"
#include "tarn/model/commit.h"
#include "tarn/model/conflict.h"
#include "tarn/query/query_options.h"
#include "tarn/query/statement_tables.h"
#include "tarn/query/table_resolver.h"
#include "tarn/sql/statement.h"
#include "tarn/table/transaction.h"

namespace tarn {

// What the verbs of SQL work with. Everything outlives a statement.
struct StatementContext {
  Runtime& runtime;
  TableResolver& resolver;
  const Registry<FileFormat>& file_formats;
  const QueryOptions& options;
  DuckSession& session;
  StatementTables& tables;
};

// Queries: rows of a text rewritten by the statement's tables.
Result<std::unique_ptr<BatchStream>> RunQuery(StatementContext& context, std::string_view text);
// Rows said by hand: `select` is SQL for DuckDB.
Result<StatementResult> RowsOf(StatementContext& context, const std::string& select);

// One function per statement, in the file of its name.
Result<StatementResult> RunCreateTable(StatementContext& context, const sql::CreateTable& create);
Result<StatementResult> RunInsert(StatementContext& context, const sql::Insert& insert);
Result<StatementResult> RunDelete(StatementContext& context, const sql::Delete& statement);
Result<StatementResult> RunUpdate(StatementContext& context, const sql::Update& update);
Result<StatementResult> RunDropTable(StatementContext& context, const sql::DropTable& drop);
Result<StatementResult> RunAlterTable(StatementContext& context, const sql::AlterTable& alter);
Result<StatementResult> RunDescribe(StatementContext& context, const sql::Describe& describe);
Result<StatementResult> RunShowTables(StatementContext& context, const sql::ShowTables& show);
Result<StatementResult> RunShowNamespaces(StatementContext& context,
                                          const sql::ShowNamespaces& show);

Result<StatementResult> RunCall(StatementContext& context, const sql::Call& call);

// kSerializable unless a property that the format has for this operation asks for less.
Isolation IsolationOf(const TableFormat& format, const TableMetadata& metadata,
                      OperationKind operation);
// "1 row", "2,000 rows".
std::string CountedRows(int64_t rows);
// An expression in DuckDB's words.
Result<std::string> InDuckWords(const std::string& text);

// Publishes a commit without rows and runs upkeep.
Result<Version> PublishMetadata(StatementContext& context, Table& table, const Snapshot& base,
                                Commit commit);

// Runs a statement again while it ends in kConflict, if `reads_itself` says (after a run) that its
// result depends on the table it writes.
Result<StatementResult> RerunIfItReads(
    StatementContext& context,
    const std::function<Result<StatementResult>(bool& reads_itself)>& run);

}  // namespace tarn
