#include "tarn/write/update_rows.h"

#include <utility>

#include <arrow/api.h>

#include "tarn/datafile/arrow_schema.h"
#include "tarn/duck/batch_sql.h"
#include "tarn/write/gather.h"
#include "tarn/write/publish_internal.h"
#include "tarn/write/removal.h"
#include "tarn/write/table_writer.h"

namespace tarn {
namespace {

using BatchPtr = std::shared_ptr<arrow::RecordBatch>;

// The first columns of a batch: the table's.
BatchPtr FirstColumns(const arrow::RecordBatch& batch, int count) {
  std::vector<std::shared_ptr<arrow::Field>> fields;
  std::vector<std::shared_ptr<arrow::Array>> arrays;
  fields.reserve(static_cast<size_t>(count));
  arrays.reserve(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    fields.push_back(batch.schema()->field(i));
    arrays.push_back(batch.column(i));
  }
  return arrow::RecordBatch::Make(arrow::schema(std::move(fields)), batch.num_rows(),
                                  std::move(arrays));
}

// Which rows change, and all rows as they were.
struct Changes {
  std::vector<int32_t> rows;
  BatchPtr before;
};

Result<Changes> ChangesOf(const arrow::RecordBatch& batch, const Schema& schema,
                          const std::vector<size_t>& assigned) {
  const int table_columns = batch.num_columns() - 1 - static_cast<int>(assigned.size());
  Changes changes;
  const auto& changed = static_cast<const arrow::BooleanArray&>(*batch.column(table_columns));
  changes.rows.reserve(static_cast<size_t>(changed.true_count()));
  for (int64_t row = 0; row < batch.num_rows(); ++row) {
    if (changed.IsValid(row) && changed.Value(row)) {
      changes.rows.push_back(static_cast<int32_t>(row));
    }
  }
  BatchPtr before = FirstColumns(batch, table_columns);
  for (size_t i = 0; i < assigned.size(); ++i) {
    const int column = before->schema()->GetFieldIndex(schema.fields[assigned[i]].name);
    if (column < 0) return Internal("update: an assigned column is not among the rows");
    const auto& old_values = batch.column(table_columns + 1 + static_cast<int>(i));
    const auto set = before->SetColumn(
        column, before->schema()->field(column)->WithType(old_values->type()), old_values);
    if (!set.ok()) return Internal("update: " + set.status().message());
    before = *set;
  }
  TARN_ASSIGN_OR_RETURN(changes.before, Conform(*before, schema));
  return changes;
}

// Both images of the changed rows.
Status WriteChanges(const Changes& changes, const BatchPtr& after, ChangeWriter& writer) {
  if (changes.rows.empty()) return OkStatus();
  std::vector<int> columns;
  columns.reserve(static_cast<size_t>(after->num_columns()));
  for (int i = 0; i < after->num_columns(); ++i) columns.push_back(i);
  for (const auto& [batch, change] :
       {std::pair(changes.before, "update_preimage"), std::pair(after, "update_postimage")}) {
    TARN_ASSIGN_OR_RETURN(const auto picked, GatherRows({batch}, {{0, changes.rows}}, columns));
    TARN_RETURN_IF_ERROR(writer.Write(*picked, change));
  }
  return OkStatus();
}

}  // namespace

Result<Version> UpdateRows(Runtime& runtime, Table& table, const Snapshot& base,
                           const Registry<FileFormat>& file_formats, const UpdateRequest& request) {
  TARN_RETURN_IF_ERROR(CheckWritableHome(table));
  TARN_ASSIGN_OR_RETURN(const WriteTicket ticket, BeginWrite(table, base, OperationKind::kUpdate));
  TARN_ASSIGN_OR_RETURN(const FileFormat* data_format, file_formats.Find(ticket.file_format));
  TableMetadata written = WithRowLineage(base.metadata, ticket);
  if (request.sort_order) written.sort_order = *request.sort_order;
  const Schema& schema = written.schema;
  TARN_ASSIGN_OR_RETURN(
      const auto checker,
      ConstraintChecker::Make(runtime, schema, ConditionsOnRows(base.metadata, ticket)));
  // Destroyed without Finish, both remove what they wrote.
  TARN_ASSIGN_OR_RETURN(const auto writer,
                        MakeTableWriter(runtime, *table.storage, table.home, *data_format, written,
                                        {ticket, table.format->traits(), {}}));
  std::unique_ptr<ChangeWriter> changes;
  const bool same_rows = request.operation.kind == OperationKind::kRewrite;
  if (!same_rows && ticket.change_data && table.format->traits().change_files) {
    TARN_ASSIGN_OR_RETURN(changes,
                          ChangeWriter::Make(runtime, table, *data_format, base.metadata, ticket));
  }

  std::vector<DataFile> files;
  files.reserve(request.changed.size());
  for (const RowDelete& one : request.changed) files.push_back(one.file);
  const bool in_place = !same_rows && ticket.row_deletes && table.format->traits().row_deletes &&
                        CanDeleteRows(files);
  TARN_ASSIGN_OR_RETURN(const auto rows, request.rows({.only_changed = in_place,
                                                       .changes = changes != nullptr,
                                                       .row_lineage = ticket.row_lineage}));
  while (true) {
    TARN_ASSIGN_OR_RETURN(BatchPtr batch, rows->Next());
    if (batch == nullptr) break;
    BatchPtr after = batch;
    if (changes != nullptr) {
      after = FirstColumns(*batch,
                           batch->num_columns() - 1 - static_cast<int>(request.assigned.size()));
    }
    TARN_ASSIGN_OR_RETURN(after, Conform(*after, schema));
    TARN_RETURN_IF_ERROR(checker->Check(after));
    if (changes != nullptr) {
      TARN_ASSIGN_OR_RETURN(const Changes changed, ChangesOf(*batch, schema, request.assigned));
      TARN_RETURN_IF_ERROR(WriteChanges(changed, after, *changes));
    }
    TARN_RETURN_IF_ERROR(writer->Write(std::move(after)));
  }

  Commit commit;
  commit.operation = request.operation;
  if (!same_rows) commit.operation.kind = OperationKind::kUpdate;
  commit.data_change = !same_rows;
  commit.reads = request.reads;
  commit.lineage = request.lineage;
  commit.writer = request.writer;
  commit.extra = ticket.commit_extra;
  if (in_place) {
    commit.row_deletes = request.changed;
  } else {
    commit.removed = std::move(files);
  }
  TARN_ASSIGN_OR_RETURN(commit.added, writer->Finish());
  if (changes != nullptr) {
    Result<std::vector<DataFile>> change_files = changes->Finish();
    if (!change_files.ok()) {
      RemoveWritten(runtime, table, commit.added);
      return change_files.error();
    }
    commit.change_files = std::move(*change_files);
  }
  return PublishOrRemove(runtime, table, base, commit, request.isolation, request.retry);
}

}  // namespace tarn
