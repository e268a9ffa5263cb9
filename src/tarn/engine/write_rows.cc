#include "tarn/engine/write_rows.h"

#include <arrow/record_batch.h>

#include <utility>

#include "tarn/base/uuid.h"
#include "tarn/datafile/arrow_schema.h"
#include "tarn/duck/batch_sql.h"
#include "tarn/model/expression.h"
#include "tarn/scan/plan.h"
#include "tarn/table/transaction.h"
#include "tarn/write/table_writer.h"

namespace tarn {
namespace {

Result<TableMetadata> NewMetadata(Runtime& runtime, const Table& table, BatchStream& rows,
                                  const Engine::WriteOptions& options) {
  TableMetadata metadata;
  metadata.table_id = NewUuid(runtime.random);
  metadata.created_ms = runtime.clock.NowMicros() / 1000;
  TARN_ASSIGN_OR_RETURN(metadata.schema, FromArrow(*rows.schema()));
  metadata.schema = AssignFreshIds(std::move(metadata.schema));
  TARN_RETURN_IF_ERROR(ValidateSchema(metadata.schema));
  TARN_ASSIGN_OR_RETURN(PartitionSpec spec, IdentitySpec(metadata.schema, options.partition_by));
  metadata.specs = {std::move(spec)};
  metadata.properties = options.properties;
  return table.format->Prepare(nullptr, std::move(metadata));
}

// Exactly the partitions that the new files stand in.
Expression TouchedPartitions(const PartitionSpec& spec, const std::vector<DataFile>& added) {
  std::vector<Expression> partitions;
  for (const DataFile& file : added) {
    std::vector<Expression> fields;
    for (size_t i = 0; i < spec.fields.size(); ++i) {
      const int32_t id = spec.fields[i].source_id;
      fields.push_back(IsNull(file.partition[i])
                           ? Expression::IsNullOf(id)
                           : Expression::Compare(Expression::Op::kEqual, id, file.partition[i]));
    }
    Expression one = Expression::And(std::move(fields));
    if (partitions.empty() || !(partitions.back() == one)) partitions.push_back(std::move(one));
  }
  return partitions.empty() ? Expression::False() : Expression::Or(std::move(partitions));
}

Status AddReplaced(const Table& table, const Snapshot& base, IngestMode mode, Commit& commit) {
  if (mode == IngestMode::kAppend || !base.exists()) return OkStatus();
  const PartitionSpec& spec = base.metadata.default_spec();
  FileRequest request;
  if (mode == IngestMode::kOverwritePartitions && !spec.IsUnpartitioned()) {
    request.filter = TouchedPartitions(spec, commit.added);
    commit.reads.predicates.push_back(request.filter);
  } else {
    commit.reads.everything = true;
  }
  TARN_ASSIGN_OR_RETURN(const ScanPlan plan, PlanScan(*table.format, table.home, base, request));
  for (const FileBatch& batch : plan.batches) {
    for (int64_t i = 0; i < batch.size; ++i) commit.removed.push_back(batch.At(i));
  }
  return OkStatus();
}

Result<std::vector<DataFile>> WriteFiles(Runtime& runtime, Table& table,
                                         const Registry<FileFormat>& file_formats,
                                         const Snapshot& staged, BatchStream& rows,
                                         OperationKind operation) {
  TARN_ASSIGN_OR_RETURN(WriteTicket ticket,
                        table.format->Begin(table.home, staged, WriteIntent{operation}));
  TARN_RETURN_IF_ERROR(table.committer->ShowFirst(table.home, ticket));
  TARN_ASSIGN_OR_RETURN(const FileFormat* parquet, file_formats.Find("parquet"));
  TARN_ASSIGN_OR_RETURN(
      std::unique_ptr<TableWriter> writer,
      MakeTableWriter(runtime, *table.storage, table.home, *parquet, staged.metadata,
                      TableWriterOptions{std::move(ticket), table.format->traits()}));
  std::unique_ptr<ConstraintChecker> constraints;
  if (!staged.metadata.constraints.empty()) {
    TARN_ASSIGN_OR_RETURN(constraints, ConstraintChecker::Make(runtime, staged.metadata.schema,
                                                               staged.metadata.constraints));
  }
  while (true) {
    TARN_RETURN_IF_ERROR(runtime.cancellation.Check());
    TARN_ASSIGN_OR_RETURN(std::shared_ptr<arrow::RecordBatch> batch, rows.Next());
    if (batch == nullptr) break;
    if (batch->num_rows() == 0) continue;
    TARN_ASSIGN_OR_RETURN(batch, Conform(*batch, staged.metadata.schema));
    if (constraints != nullptr) TARN_RETURN_IF_ERROR(constraints->Check(batch));
    TARN_RETURN_IF_ERROR(writer->Write(std::move(batch)));
  }
  return writer->Finish();
}

}  // namespace

Result<Version> WriteRows(Runtime& runtime, Table& table, const Registry<FileFormat>& file_formats,
                          BatchStream& rows, const Engine::WriteOptions& options) {
  if (table.committer == nullptr || table.storage == nullptr) {
    return Invalid("table '" + table.name + "' is open for reading only");
  }
  Snapshot base = Snapshot::Empty();
  TARN_ASSIGN_OR_RETURN(const bool exists, table.format->Detect(table.home));
  Commit commit;
  Snapshot staged;
  if (exists) {
    TARN_ASSIGN_OR_RETURN(base, table.Load());
    staged = base;
  } else {
    TARN_ASSIGN_OR_RETURN(staged.metadata, NewMetadata(runtime, table, rows, options));
    commit.metadata = staged.metadata;
  }
  const bool append = options.mode == IngestMode::kAppend;
  commit.operation.kind = append ? OperationKind::kAppend : OperationKind::kOverwrite;
  TARN_ASSIGN_OR_RETURN(commit.added, WriteFiles(runtime, table, file_formats, staged, rows,
                                                 commit.operation.kind));
  TARN_RETURN_IF_ERROR(AddReplaced(table, base, options.mode, commit));
  Transaction transaction(runtime, table.home, *table.format, *table.committer, std::move(base),
                          std::move(commit), Isolation::kSerializable);
  TARN_ASSIGN_OR_RETURN(const Version version, transaction.Publish());
  RunUpkeepAfter(runtime, table.home, *table.format, *table.committer, version);
  return version;
}

}  // namespace tarn
