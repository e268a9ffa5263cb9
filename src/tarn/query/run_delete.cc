#include <utility>

#include <fmt/format.h>

#include "tarn/query/multi_file.h"
#include "tarn/query/row_finder.h"
#include "tarn/query/statement_context_internal.h"
#include "tarn/query/statement_lineage.h"
#include "tarn/write/delete_rows.h"
#include "tarn/write/write_rows.h"

namespace tarn {

namespace {

Result<StatementResult> Attempt(StatementContext& context, const sql::Delete& statement) {
  context.tables.Begin();
  TARN_ASSIGN_OR_RETURN(const PinnedTable target, context.tables.Pin(statement.table));
  DeleteRequest request;
  request.writer = WriterName();
  request.isolation =
      IsolationOf(*target.table->format, target.snapshot.metadata, OperationKind::kDelete);
  request.where = Expression::True();
  if (statement.where) {
    std::string alias = statement.alias;
    if (alias.empty()) alias = statement.table.parts.empty() ? "t" : statement.table.parts.back();
    TARN_ASSIGN_OR_RETURN(
        const sql::Rewritten where,
        context.tables.Rewrite(statement.where->text, sql::TextKind::kExpression));
    // A subquery over the table itself may look at any row of it.
    request.reads.everything = context.tables.Uses(*target.table);
    const auto scan = std::make_shared<TableScan>(target.table, target.snapshot, true);
    const std::string key = context.tables.AddOwnScan(scan);
    auto bound = BindPredicate(context.session, key, *scan, alias, where.text);
    if (!bound.ok()) return context.tables.Explain(bound.error());
    request.where = std::move(bound).value();
    request.where_sql = where.text;
    request.find = FindRowsInDuck(context, target.table, alias, where.text);
    request.operation.parameters["predicate"] = statement.where->text;
    const Snapshot& base = target.snapshot;
    request.lineage = LineageOfDelete(context.tables, {*target.table, base.metadata, base.version},
                                      alias, where.text);
  }
  request.operation.kind = OperationKind::kDelete;
  TARN_ASSIGN_OR_RETURN(
      const DeleteResult deleted,
      DeleteRows(context.runtime, *target.table, target.snapshot, context.file_formats, request));
  StatementResult result;
  if (!deleted.version) {
    result.message = fmt::format("0 rows deleted from {}", target.table->name);
  } else if (deleted.rows_deleted < 0) {
    result.message = fmt::format("{} files removed from {}, version {}", deleted.files_removed,
                                 target.table->name, deleted.version->text);
  } else {
    result.message =
        fmt::format("{} deleted from {}, version {}", CountedRows(deleted.rows_deleted),
                    target.table->name, deleted.version->text);
  }
  return result;
}

}  // namespace

Result<StatementResult> RunDelete(StatementContext& context, const sql::Delete& statement) {
  return RerunIfItReads(context, [&](bool& reads_itself) {
    reads_itself = true;
    return Attempt(context, statement);
  });
}

}  // namespace tarn
