#include <map>
#include <utility>

#include <arrow/record_batch.h>
#include <fmt/format.h>

#include "tarn/base/text.h"
#include "tarn/datafile/arrow_schema.h"
#include "tarn/duck/batch_sql.h"
#include "tarn/query/multi_file.h"
#include "tarn/query/row_finder.h"
#include "tarn/query/statement_context_internal.h"
#include "tarn/query/target_columns.h"
#include "tarn/scan/plan.h"
#include "tarn/write/table_writer.h"

namespace tarn {

namespace {

// Expressions by column: what SET gives it.
Result<std::map<size_t, std::string>> AssignmentsOf(StatementContext& context,
                                                    const PinnedTable& target,
                                                    const sql::Update& update) {
  const Schema& schema = target.snapshot.metadata.schema;
  std::map<size_t, std::string> values;
  for (const auto& assignment : update.assignments) {
    const Field* field = schema.FindByPath(assignment.column);
    if (field == nullptr) {
      return NotFound("UPDATE: " + target.table->name + " has no column '" + assignment.column +
                      "'");
    }
    size_t column = 0;
    while (column < schema.fields.size() && schema.fields[column].id != field->id) ++column;
    if (column == schema.fields.size()) {
      return Unsupported("UPDATE of '" + assignment.column +
                         "': a member of a struct; set the whole column");
    }
    TARN_ASSIGN_OR_RETURN(
        const sql::Rewritten value,
        context.tables.Rewrite(assignment.value.text, sql::TextKind::kExpression));
    const std::string text = AsciiEqualsIgnoreCase(value.text, "default")
                                 ? field->write_default_sql.value_or("NULL")
                                 : value.text;
    if (!values.emplace(column, text).second) {
      return Invalid("UPDATE: column '" + assignment.column + "' is set twice");
    }
  }
  return values;
}

// The files of `plan` that stand in `rows`.
ScanPlan OnlyFilesOf(const ScanPlan& plan, const std::map<std::string, const RowDelete*>& rows) {
  ScanPlan touched{.snapshot = plan.snapshot, .batches = {}, .files_seen = plan.files_seen};
  for (const FileBatch& batch : plan.batches) {
    std::vector<uint8_t> keep(static_cast<size_t>(batch.size), 0);
    for (size_t i = 0; i < keep.size(); ++i) {
      keep[i] = rows.contains(std::string(batch.path[i])) ? 1 : 0;
    }
    FileBatch kept = batch.Filter(keep);
    if (kept.size == 0) continue;
    touched.files_kept += kept.size;
    touched.batches.push_back(std::move(kept));
  }
  return touched;
}

// The rows of the touched files, written again.
Result<std::vector<DataFile>> Rewrite(StatementContext& context, const PinnedTable& target,
                                      const std::string& select) {
  Table& table = *target.table;
  const TableMetadata& metadata = target.snapshot.metadata;
  TARN_ASSIGN_OR_RETURN(const FileFormat* parquet, context.file_formats.Find("parquet"));
  TARN_ASSIGN_OR_RETURN(
      const auto checker,
      ConstraintChecker::Make(context.runtime, metadata.schema, metadata.constraints));
  TARN_ASSIGN_OR_RETURN(WriteTicket ticket,
                        table.format->Begin(table.home, target.snapshot, {OperationKind::kUpdate}));
  TARN_RETURN_IF_ERROR(table.committer->ShowFirst(table.home, ticket));
  TARN_ASSIGN_OR_RETURN(
      const auto writer,
      MakeTableWriter(context.runtime, *table.storage, table.home, *parquet, metadata,
                      {.ticket = std::move(ticket), .traits = table.format->traits()}));
  TARN_ASSIGN_OR_RETURN(auto rows, context.session.Query(select));
  while (true) {
    TARN_ASSIGN_OR_RETURN(const auto batch, rows->Next());
    if (batch == nullptr) break;
    TARN_ASSIGN_OR_RETURN(auto conformed, Conform(*batch, metadata.schema));
    TARN_RETURN_IF_ERROR(checker->Check(conformed));
    TARN_RETURN_IF_ERROR(writer->Write(std::move(conformed)));
  }
  return writer->Finish();
}

Result<StatementResult> Attempt(StatementContext& context, const sql::Update& update) {
  context.tables.Begin();
  TARN_ASSIGN_OR_RETURN(const PinnedTable target, context.tables.Pin(update.table));
  Table& table = *target.table;
  const TableMetadata& metadata = target.snapshot.metadata;
  if (table.committer == nullptr || table.storage == nullptr) {
    return Invalid(table.name + " can only be read");
  }
  const auto change_data = metadata.properties.find("delta.enableChangeDataFeed");
  if (change_data != metadata.properties.end() &&
      AsciiEqualsIgnoreCase(change_data->second, "true")) {
    return Unsupported("UPDATE of " + table.name + ", which keeps change data");
  }
  std::string alias = update.alias;
  if (alias.empty()) alias = update.table.parts.empty() ? "t" : update.table.parts.back();
  TARN_ASSIGN_OR_RETURN(const auto values, AssignmentsOf(context, target, update));
  std::string where = "true";
  Expression predicate = Expression::True();
  if (update.where) {
    TARN_ASSIGN_OR_RETURN(const sql::Rewritten text,
                          context.tables.Rewrite(update.where->text, sql::TextKind::kExpression));
    where = text.text;
    const auto scan = std::make_shared<TableScan>(target.table, target.snapshot, true);
    const std::string key = context.tables.AddOwnScan(scan);
    auto bound = BindPredicate(context.session, key, *scan, alias, where);
    if (!bound.ok()) return context.tables.Explain(bound.error());
    predicate = std::move(bound).value();
  }
  FileRequest request;
  request.filter = predicate;
  TARN_ASSIGN_OR_RETURN(const ScanPlan plan,
                        PlanScan(*table.format, table.home, target.snapshot, request));
  TARN_ASSIGN_OR_RETURN(const std::vector<RowDelete> found,
                        FindRowsInDuck(context, target.table, alias, where)(plan));
  StatementResult result;
  if (found.empty()) {
    result.message = "0 rows updated in " + table.name;
    return result;
  }
  std::map<std::string, const RowDelete*> by_path;
  int64_t rows_updated = 0;
  Commit commit;
  for (const RowDelete& file : found) {
    by_path[file.file.path] = &file;
    rows_updated += file.rows.Count();
    commit.removed.push_back(file.file);
  }
  const std::string key = context.tables.AddOwnScan(
      std::make_shared<TableScan>(target.table, OnlyFilesOf(plan, by_path),
                                  std::map<std::string, RowSet, std::less<>>(), false));
  std::string select;
  for (size_t column = 0; column < metadata.schema.fields.size(); ++column) {
    const Field& field = metadata.schema.fields[column];
    if (field.type.kind == TypeKind::kVoid) continue;
    const std::string name = QuoteIdentifier(alias) + "." + QuoteIdentifier(field.name);
    const auto value = values.find(column);
    select += select.empty() ? "SELECT " : ", ";
    select += value == values.end()
                  ? name
                  : "CASE WHEN (" + where + "\n) THEN CAST((" + value->second + "\n) AS " +
                        SqlTypeOf(field.type) + ") ELSE " + name + " END";
    select += " AS " + QuoteIdentifier(field.name);
  }
  select += " FROM " + StatementTables::FromText(key, "t") + " AS " + QuoteIdentifier(alias);
  TARN_ASSIGN_OR_RETURN(commit.added, Rewrite(context, target, select));
  commit.operation.kind = OperationKind::kUpdate;
  commit.operation.name = "UPDATE";
  if (update.where) commit.operation.parameters["predicate"] = update.where->text;
  commit.reads.predicates.push_back(predicate);
  commit.reads.everything = context.tables.Uses(table);
  const std::vector<DataFile> added = commit.added;
  auto version = PublishMetadata(context, table, target.snapshot, std::move(commit));
  if (!version.ok()) {
    if (version.error().code != ErrorCode::kUnknownOutcome) {
      for (const DataFile& file : added) {
        if (const auto object = table.home.ObjectOf(file.path); object.ok()) {
          (void)table.storage->Remove(*object);
        }
      }
    }
    return version.error();
  }
  result.message = fmt::format("{} updated in {}, version {}", CountedRows(rows_updated),
                               table.name, version->text);
  return result;
}

}  // namespace

Result<StatementResult> RunUpdate(StatementContext& context, const sql::Update& update) {
  return RerunIfItReads(context, [&](bool& reads_itself) {
    reads_itself = true;
    return Attempt(context, update);
  });
}

}  // namespace tarn
