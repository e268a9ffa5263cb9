#include "tarn/write/removal.h"

#include <map>
#include <optional>
#include <utility>

#include <arrow/api.h>

#include "tarn/datafile/arrow_schema.h"
#include "tarn/datafile/arrow_status.h"
#include "tarn/duck/batch_sql.h"
#include "tarn/model/prune.h"

namespace tarn {
namespace {

constexpr const char* kChangeType = "_change_type";

// Rows that a file still holds, or nothing where the metadata does not say.
std::optional<int64_t> LiveRows(const DataFile& file) {
  if (file.record_count < 0) return std::nullopt;
  int64_t live = file.record_count;
  for (const DeleteFile& deletes : file.deletes) live -= deletes.row_count;
  return live;
}

}  // namespace

RowFinder FindRowsBySql(Runtime& runtime, const Table& table,
                        const Registry<FileFormat>& file_formats, std::string where_sql) {
  return [&runtime, &table, &file_formats, where_sql = std::move(where_sql)](
             const ScanPlan& files) -> Result<std::vector<RowDelete>> {
    Schema input = files.snapshot.metadata.schema;
    input.fields.push_back({0, "_file", Type::Of(TypeKind::kString)});
    input.fields.push_back({0, "_pos", Type::Of(TypeKind::kInt64)});
    TARN_ASSIGN_OR_RETURN(
        auto sql, BatchSql::Make(runtime, input, "_file, _pos", "(" + where_sql + ") IS TRUE"));
    ReadOptions read;
    read.with_file = true;
    TARN_ASSIGN_OR_RETURN(auto rows,
                          ReadPlan(runtime, *table.format, table.home, file_formats, files, read));
    std::map<std::string, RowSet> found;
    while (true) {
      TARN_ASSIGN_OR_RETURN(auto batch, rows->Next());
      if (batch == nullptr) break;
      TARN_ASSIGN_OR_RETURN(auto matching, sql->Apply(batch));
      TARN_ASSIGN_OR_RETURN(auto paths,
                            Conform(*matching, Schema{0,
                                                      {{0, "_file", Type::Of(TypeKind::kString)},
                                                       {0, "_pos", Type::Of(TypeKind::kInt64)}},
                                                      0}));
      const auto& file = static_cast<const arrow::StringArray&>(*paths->column(0));
      const auto& position = static_cast<const arrow::Int64Array&>(*paths->column(1));
      RowSet* set = nullptr;
      std::string_view last;
      for (int64_t row = 0; row < paths->num_rows(); ++row) {
        if (set == nullptr || file.GetView(row) != last) {
          last = file.GetView(row);
          set = &found[std::string(last)];
        }
        set->Add(static_cast<uint64_t>(position.Value(row)));
      }
    }
    std::vector<RowDelete> result;
    for (const FileBatch& batch : files.batches) {
      for (int64_t i = 0; i < batch.size; ++i) {
        const auto rows_of = found.find(std::string(batch.path[static_cast<size_t>(i)]));
        if (rows_of != found.end()) result.push_back({batch.At(i), std::move(rows_of->second)});
      }
    }
    return result;
  };
}

Result<RemovalPlan> PlanRemoval(const Table& table, const Snapshot& base, const Expression& where,
                                const RowFinder& find) {
  RemovalPlan plan;
  plan.touched.snapshot = base;
  if (!base.exists()) return plan;
  // Whether every row of a file matches is judged by bounds: they must be decoded.
  FileRequest request;
  request.filter = where;
  request.bounds_of = FieldIds(where);
  TARN_ASSIGN_OR_RETURN(const ScanPlan scan, PlanScan(*table.format, table.home, base, request));
  const auto remove = [&plan](DataFile file) {
    const std::optional<int64_t> rows = LiveRows(file);
    plan.rows_removed = rows && plan.rows_removed >= 0 ? plan.rows_removed + *rows : -1;
    plan.removed.push_back(std::move(file));
  };
  std::vector<DataFile> maybe;
  const PartitionSpec unpartitioned;
  for (const FileBatch& batch : scan.batches) {
    const PartitionSpec* known = base.metadata.SpecById(batch.spec_id);
    const PartitionSpec& spec = known != nullptr ? *known : unpartitioned;
    const std::vector<uint8_t> may = MayMatch(where, base.metadata.schema, spec, batch);
    for (int64_t i = 0; i < batch.size; ++i) {
      if (may[static_cast<size_t>(i)] == 0) continue;
      DataFile file = batch.At(i);
      if (MustMatch(where, base.metadata.schema, spec, file)) {
        remove(std::move(file));
      } else {
        maybe.push_back(std::move(file));
      }
    }
  }
  if (maybe.empty()) return plan;
  TARN_ASSIGN_OR_RETURN(auto found, find(PlanOf(base, maybe)));
  std::vector<DataFile> touched;
  for (RowDelete& rows : found) {
    const int64_t count = rows.rows.Count();
    if (count == 0) continue;
    if (LiveRows(rows.file) == count) {
      remove(std::move(rows.file));
      continue;
    }
    if (plan.rows_removed >= 0) plan.rows_removed += count;
    plan.rows_by_path[rows.file.path] = std::move(rows.rows);
    touched.push_back(std::move(rows.file));
  }
  plan.touched = PlanOf(base, touched);
  return plan;
}

Status WriteAll(BatchStream& rows, TableWriter& writer) {
  while (true) {
    TARN_ASSIGN_OR_RETURN(auto batch, rows.Next());
    if (batch == nullptr) return OkStatus();
    TARN_RETURN_IF_ERROR(writer.Write(std::move(batch)));
  }
}

Result<std::unique_ptr<BatchStream>> ReadSurvivors(Runtime& runtime, const Table& table,
                                                   const Registry<FileFormat>& file_formats,
                                                   const RemovalPlan& plan,
                                                   const WriteTicket& ticket) {
  ReadOptions read;
  read.picked_rows = &plan.rows_by_path;
  read.row_lineage = ticket.row_lineage;
  return ReadPlan(runtime, *table.format, table.home, file_formats, plan.touched, read);
}

TableMetadata WithRowLineage(TableMetadata metadata, const WriteTicket& ticket) {
  for (const Field& field : ticket.row_lineage) metadata.schema.fields.push_back(field);
  return metadata;
}

Result<std::vector<std::unique_ptr<BatchStream>>> ReadRemoved(
    Runtime& runtime, const Table& table, const Registry<FileFormat>& file_formats,
    const Snapshot& base, const RemovalPlan& plan) {
  std::vector<std::unique_ptr<BatchStream>> streams(2);
  ReadOptions picked;
  picked.picked_rows = &plan.rows_by_path;
  picked.picked = ReadOptions::Picked::kOnly;
  TARN_ASSIGN_OR_RETURN(
      streams[0], ReadPlan(runtime, *table.format, table.home, file_formats, plan.touched, picked));
  TARN_ASSIGN_OR_RETURN(streams[1], ReadPlan(runtime, *table.format, table.home, file_formats,
                                             PlanOf(base, plan.removed), {}));
  return streams;
}

Result<std::unique_ptr<ChangeWriter>> ChangeWriter::Make(Runtime& runtime, Table& table,
                                                         const FileFormat& file_format,
                                                         const TableMetadata& metadata,
                                                         const WriteTicket& ticket) {
  TableMetadata changes = metadata;
  changes.schema.fields.push_back({0, kChangeType, Type::Of(TypeKind::kString)});
  TableWriterOptions options;
  options.ticket = ticket;
  options.ticket.statistics_ids.clear();
  options.traits = table.format->traits();
  options.folder = "_change_data";
  TARN_ASSIGN_OR_RETURN(auto writer, MakeTableWriter(runtime, *table.storage, table.home,
                                                     file_format, changes, std::move(options)));
  return std::unique_ptr<ChangeWriter>(new ChangeWriter(std::move(writer), metadata.schema));
}

Status ChangeWriter::Write(const arrow::RecordBatch& batch, const std::string& change) {
  TARN_ASSIGN_OR_RETURN(auto rows, Conform(batch, table_schema_));
  TARN_ASSIGN_OR_RETURN(const auto changes,
                        Repeat(Type::Of(TypeKind::kString), Value(change), batch.num_rows()));
  TARN_ASSIGN_OR_RETURN(
      rows,
      Lift(rows->AddColumn(rows->num_columns(), arrow::field(kChangeType, arrow::utf8()), changes),
           "change data"));
  return writer_->Write(std::move(rows));
}

Status ChangeWriter::WriteAll(BatchStream& rows, const std::string& change) {
  while (true) {
    TARN_ASSIGN_OR_RETURN(auto batch, rows.Next());
    if (batch == nullptr) return OkStatus();
    TARN_RETURN_IF_ERROR(Write(*batch, change));
  }
}

}  // namespace tarn
