#include <algorithm>
#include <utility>

#include <arrow/type.h>
#include <fmt/format.h>

#include "tarn/base/text.h"
#include "tarn/query/multi_file.h"
#include "tarn/query/row_finder.h"
#include "tarn/query/statement_context_internal.h"
#include "tarn/query/statement_lineage.h"
#include "tarn/query/target_columns.h"
#include "tarn/write/write_rows.h"

namespace tarn {

namespace {

// What INSERT OVERWRITE … PARTITION (a = 1, b) says about the rows that go.
Result<std::string> StaticPartitionsSql(const Schema& schema, const sql::Insert& insert) {
  std::string where;
  for (const auto& part : insert.partitions) {
    if (!part.value) continue;
    const auto index = schema.IndexOf(part.column);
    if (!index) return NotFound("INSERT: no column '" + part.column + "'");
    const Field& field = schema.fields[*index];
    TARN_ASSIGN_OR_RETURN(const std::string value, InDuckWords(*part.value));
    if (!where.empty()) where += " AND ";
    where += QuoteIdentifier(field.name) + " IS NOT DISTINCT FROM CAST((" + value + ") AS " +
             SqlTypeOf(field.type) + ")";
  }
  return where;
}

Status CheckPartitionClause(const Table& table, const TableMetadata& metadata,
                            const sql::Insert& insert) {
  for (const auto& part : insert.partitions) {
    const auto index = metadata.schema.IndexOf(part.column);
    const PartitionSpec& spec = metadata.default_spec();
    const bool partitions =
        index && std::any_of(spec.fields.begin(), spec.fields.end(), [&](const auto& field) {
          return field.transform != TransformKind::kVoid &&
                 field.source_id == metadata.schema.fields[*index].id;
        });
    if (!partitions) {
      return Invalid("INSERT: '" + part.column + "' is no partition column of " + table.name);
    }
  }
  if (insert.if_not_exists) {
    return Unsupported("INSERT OVERWRITE … PARTITION (…) IF NOT EXISTS");
  }
  return OkStatus();
}

// The rows of a query that starts when the first is asked for: one session runs one query at a
// time, and what is to be replaced is looked up by the same session before.
class DeferredRows final : public BatchStream {
 public:
  DeferredRows(DuckSession& session, std::string sql, std::shared_ptr<arrow::Schema> schema)
      : session_(session), sql_(std::move(sql)), schema_(std::move(schema)) {}

  std::shared_ptr<arrow::Schema> schema() const override { return schema_; }

  Result<std::shared_ptr<arrow::RecordBatch>> Next() override {
    if (rows_ == nullptr) {
      TARN_ASSIGN_OR_RETURN(rows_, session_.Query(sql_));
    }
    return rows_->Next();
  }

 private:
  DuckSession& session_;
  const std::string sql_;
  const std::shared_ptr<arrow::Schema> schema_;
  std::unique_ptr<BatchStream> rows_;
};

Result<StatementResult> Attempt(StatementContext& context, const sql::Insert& insert,
                                bool& reads_itself) {
  context.tables.Begin();
  TARN_ASSIGN_OR_RETURN(const PinnedTable target, context.tables.Pin(insert.table));
  const TableMetadata& metadata = target.snapshot.metadata;
  TARN_RETURN_IF_ERROR(CheckPartitionClause(*target.table, metadata, insert));

  TARN_ASSIGN_OR_RETURN(sql::Rewritten query,
                        context.tables.Rewrite(insert.query.text, sql::TextKind::kQuery));
  TARN_ASSIGN_OR_RETURN(
      const std::string select,
      SelectForInsert(context.session, target.table->name, metadata.schema, insert, query.text));
  auto rows = context.session.Query(select);
  if (!rows.ok()) return context.tables.Explain(rows.error());

  WriteRequest request;
  request.writer = WriterName();
  request.isolation = IsolationOf(
      *target.table->format, metadata,
      insert.mode == sql::Insert::Mode::kInto ? OperationKind::kAppend : OperationKind::kOverwrite);
  request.reads = context.tables.ReadsOf(*target.table);
  reads_itself = !request.reads.empty();
  std::string where;
  if (insert.mode == sql::Insert::Mode::kReplaceWhere) {
    TARN_ASSIGN_OR_RETURN(
        const sql::Rewritten text,
        context.tables.Rewrite(insert.replace_where->text, sql::TextKind::kExpression));
    where = text.text;
    request.mode = WriteMode::kOverwriteWhere;
  } else if (insert.mode == sql::Insert::Mode::kOverwrite) {
    const bool dynamic = std::any_of(insert.partitions.begin(), insert.partitions.end(),
                                     [](const auto& part) { return !part.value; });
    if (insert.partitions.empty()) {
      request.mode = WriteMode::kOverwriteAll;
    } else if (dynamic) {
      request.mode = WriteMode::kOverwritePartitions;
    } else {
      request.mode = WriteMode::kOverwriteWhere;
      TARN_ASSIGN_OR_RETURN(where, StaticPartitionsSql(metadata.schema, insert));
    }
  }
  const bool replaces = request.mode == WriteMode::kOverwriteAll ||
                        (request.mode == WriteMode::kOverwritePartitions &&
                         metadata.default_spec().IsUnpartitioned());
  request.lineage =
      LineageOfInsert(context.tables, {*target.table, metadata, target.snapshot.version}, insert,
                      query.text, replaces);
  std::unique_ptr<BatchStream> stream = std::move(rows).value();
  if (request.mode == WriteMode::kOverwriteWhere) {
    stream = std::make_unique<DeferredRows>(context.session, select, stream->schema());
    const std::string alias = insert.table.parts.empty() ? "t" : insert.table.parts.back();
    const auto scan = std::make_shared<TableScan>(target.table, target.snapshot, true);
    const std::string key = context.tables.AddOwnScan(scan);
    TARN_ASSIGN_OR_RETURN(request.where, BindPredicate(context.session, key, *scan, alias, where));
    request.find = FindRowsInDuck(context, target.table, alias, where);
    request.where_sql = where;
  }
  TARN_ASSIGN_OR_RETURN(const WriteResult written,
                        WriteRows(context.runtime, *target.table, target.snapshot,
                                  context.file_formats, *stream, request));
  StatementResult result;
  result.message =
      fmt::format("{} {} {}, version {}", CountedRows(written.rows),
                  insert.mode == sql::Insert::Mode::kInto ? "inserted into" : "written over",
                  target.table->name, written.version.text);
  return result;
}

}  // namespace

Result<StatementResult> RunInsert(StatementContext& context, const sql::Insert& insert) {
  return RerunIfItReads(context,
                        [&](bool& reads_itself) { return Attempt(context, insert, reads_itself); });
}

}  // namespace tarn
