#include "tarn/write/delete_rows.h"

#include <utility>

#include <arrow/record_batch.h>

#include "tarn/write/publish_internal.h"

namespace tarn {
namespace {

std::vector<DataFile> FilesOf(const ScanPlan& plan) {
  std::vector<DataFile> files;
  for (const FileBatch& batch : plan.batches) {
    for (int64_t i = 0; i < batch.size; ++i) files.push_back(batch.At(i));
  }
  return files;
}

const std::string& LocationOf(const DataFile& file) {
  return file.location.empty() ? file.path : file.location;
}

}  // namespace

Result<DeleteResult> DeleteRows(Runtime& runtime, Table& table, const Snapshot& base,
                                const Registry<FileFormat>& file_formats,
                                const DeleteRequest& request) {
  TARN_RETURN_IF_ERROR(CheckWritableHome(table));
  TARN_ASSIGN_OR_RETURN(const WriteTicket ticket, BeginWrite(table, base, OperationKind::kDelete));
  RowFinder find = request.find;
  if (find == nullptr) {
    find = FindRowsBySql(runtime, table, file_formats,
                         request.where_sql.empty()
                             ? ExpressionToText(request.where, base.metadata.schema)
                             : request.where_sql);
  }
  TARN_ASSIGN_OR_RETURN(RemovalPlan plan, PlanRemoval(table, base, request.where, find));
  DeleteResult result;
  std::vector<DataFile> touched = FilesOf(plan.touched);
  if (plan.removed.empty() && touched.empty()) return result;

  Commit commit;
  commit.operation = request.operation;
  if (commit.operation.kind == OperationKind::kOther) {
    commit.operation.kind = OperationKind::kDelete;
  }
  commit.reads = request.reads;
  commit.reads.predicates.push_back(request.where);
  for (const DataFile& file : touched) commit.reads.locations.push_back(LocationOf(file));
  commit.lineage = request.lineage;
  commit.writer = request.writer;
  commit.extra = ticket.commit_extra;
  commit.removed = plan.removed;

  TARN_ASSIGN_OR_RETURN(const FileFormat* data_format, file_formats.Find(ticket.file_format));
  const bool row_deletes =
      table.format->traits().row_deletes && ticket.row_deletes && CanDeleteRows(touched);
  std::unique_ptr<TableWriter> writer;
  std::unique_ptr<ChangeWriter> changes;  // destroyed without Finish, both remove what they wrote
  if (!touched.empty() && row_deletes) {
    for (DataFile& file : touched) {
      RowSet rows = plan.rows_by_path[file.path];
      commit.row_deletes.push_back({std::move(file), std::move(rows)});
    }
    result.row_delete_files = static_cast<int64_t>(commit.row_deletes.size());
  } else if (!touched.empty()) {
    TARN_ASSIGN_OR_RETURN(writer, MakeTableWriter(runtime, *table.storage, table.home, *data_format,
                                                  WithRowLineage(base.metadata, ticket),
                                                  {ticket, table.format->traits(), {}}));
    TARN_ASSIGN_OR_RETURN(auto survivors,
                          ReadSurvivors(runtime, table, file_formats, plan, ticket));
    TARN_RETURN_IF_ERROR(WriteAll(*survivors, *writer));
    for (DataFile& file : touched) commit.removed.push_back(std::move(file));
  }
  if (ticket.change_data && table.format->traits().change_files && plan.touched.files_kept > 0) {
    TARN_ASSIGN_OR_RETURN(changes,
                          ChangeWriter::Make(runtime, table, *data_format, base.metadata, ticket));
    TARN_ASSIGN_OR_RETURN(auto removed, ReadRemoved(runtime, table, file_formats, base, plan));
    for (auto& stream : removed) TARN_RETURN_IF_ERROR(changes->WriteAll(*stream, "delete"));
  }
  if (writer != nullptr) {
    TARN_ASSIGN_OR_RETURN(commit.added, writer->Finish());
  }
  if (changes != nullptr) {
    Result<std::vector<DataFile>> files = changes->Finish();
    if (!files.ok()) {
      RemoveWritten(runtime, table, commit.added);
      return files.error();
    }
    commit.change_files = std::move(*files);
  }
  result.rows_deleted = plan.rows_removed;
  result.files_removed = static_cast<int64_t>(commit.removed.size());
  result.files_added = static_cast<int64_t>(commit.added.size());
  if (result.rows_deleted >= 0) {
    commit.operation.metrics.emplace("numDeletedRows", std::to_string(result.rows_deleted));
  }
  TARN_ASSIGN_OR_RETURN(result.version, PublishOrRemove(runtime, table, base, commit,
                                                        request.isolation, request.retry));
  return result;
}

}  // namespace tarn
