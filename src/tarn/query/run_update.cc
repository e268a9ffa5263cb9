#include <map>
#include <utility>

#include <fmt/format.h>

#include "tarn/base/text.h"
#include "tarn/query/multi_file.h"
#include "tarn/query/row_finder.h"
#include "tarn/query/row_lineage.h"
#include "tarn/query/statement_context_internal.h"
#include "tarn/query/statement_lineage.h"
#include "tarn/query/target_columns.h"
#include "tarn/scan/plan.h"
#include "tarn/write/update_rows.h"

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

using RowsByPath = std::map<std::string, RowSet, std::less<>>;

// The rows of `touched` as they will be, with what UpdateRows wants beside.
std::string SelectUpdated(const ScanPlan& touched, const std::map<size_t, std::string>& values,
                          const std::string& alias, const std::string& where,
                          const UpdateRequest::Wanted& wanted) {
  const Schema& schema = touched.snapshot.metadata.schema;
  std::string select;
  std::string old_values;
  for (size_t column = 0; column < schema.fields.size(); ++column) {
    const Field& field = schema.fields[column];
    if (field.type.kind == TypeKind::kVoid) continue;
    const std::string name = QuoteIdentifier(alias) + "." + QuoteIdentifier(field.name);
    const auto value = values.find(column);
    select += select.empty() ? "SELECT " : ", ";
    select += value == values.end()
                  ? name
                  : "CASE WHEN (" + where + "\n) THEN CAST((" + value->second + "\n) AS " +
                        SqlTypeOf(field.type) + ") ELSE " + name + " END";
    select += " AS " + QuoteIdentifier(field.name);
    if (value != values.end()) old_values += ", " + name;
  }
  for (const LineageColumn& column : LineageOfRows(touched, wanted.row_lineage, alias)) {
    select += ", ";
    select += column.of_last_change
                  ? "CASE WHEN (" + where + "\n) THEN NULL ELSE " + column.sql + " END"
                  : column.sql;
    select += " AS " + QuoteIdentifier(column.name);
  }
  if (wanted.changes) {
    select += ", coalesce(CAST((" + where + "\n) AS BOOLEAN), false)" + old_values;
  }
  return select;
}

Result<StatementResult> Attempt(StatementContext& context, const sql::Update& update) {
  context.tables.Begin();
  TARN_ASSIGN_OR_RETURN(const PinnedTable target, context.tables.Pin(update.table));
  Table& table = *target.table;
  const TableMetadata& metadata = target.snapshot.metadata;
  if (table.committer == nullptr || table.storage == nullptr) {
    return Invalid(table.name + " can only be read");
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
  RowsByPath rows_by_path;
  std::vector<DataFile> files;
  int64_t rows_updated = 0;
  UpdateRequest write;
  write.changed = found;
  for (const RowDelete& file : found) {
    rows_updated += file.rows.Count();
    rows_by_path[file.file.path] = file.rows;
    files.push_back(file.file);
  }
  for (const auto& [column, value] : values) write.assigned.push_back(column);
  const ScanPlan touched = PlanOf(target.snapshot, files);
  write.rows = [&](const UpdateRequest::Wanted& wanted) {
    const std::string key = context.tables.AddOwnScan(std::make_shared<TableScan>(
        target.table, touched, wanted.only_changed ? rows_by_path : RowsByPath(), false,
        wanted.row_lineage));
    return context.session.Query(SelectUpdated(touched, values, alias, where, wanted) + " FROM " +
                                 StatementTables::FromText(key, "t") + " AS " +
                                 QuoteIdentifier(alias));
  };
  write.operation.name = "UPDATE";
  write.lineage = LineageOfUpdate(context.tables, {table, metadata, target.snapshot.version}, alias,
                                  values, where);
  if (update.where) write.operation.parameters["predicate"] = update.where->text;
  write.reads.predicates.push_back(predicate);
  write.reads.everything = context.tables.Uses(table);
  write.writer = WriterName();
  write.isolation = IsolationOf(*table.format, metadata, OperationKind::kUpdate);
  TARN_ASSIGN_OR_RETURN(const Version version, UpdateRows(context.runtime, table, target.snapshot,
                                                          context.file_formats, write));
  result.message = fmt::format("{} updated in {}, version {}", CountedRows(rows_updated),
                               table.name, version.text);
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
