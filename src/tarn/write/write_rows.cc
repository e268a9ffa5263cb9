#include "tarn/write/write_rows.h"

#include <algorithm>
#include <map>
#include <utility>

#include <arrow/record_batch.h>

#include "tarn/datafile/arrow_schema.h"
#include "tarn/duck/batch_sql.h"
#include "tarn/model/partition_key.h"
#include "tarn/model/prune.h"
#include "tarn/write/partition_router.h"
#include "tarn/write/publish_internal.h"
#include "tarn/write/removal.h"

namespace tarn {
namespace {

OperationKind KindOf(const WriteRequest& request, const Snapshot& base) {
  if (request.operation.kind != OperationKind::kOther) return request.operation.kind;
  if (!base.exists()) return OperationKind::kCreate;
  return request.mode == WriteMode::kAppend ? OperationKind::kAppend : OperationKind::kOverwrite;
}

// The rows that fall into the partitions of `files`, as a predicate over identity columns.
Expression PartitionsOf(const std::vector<DataFile>& files, const PartitionSpec& spec) {
  std::map<std::string, Expression> each;
  for (const DataFile& file : files) {
    std::vector<Expression> fields;
    for (size_t i = 0; i < spec.fields.size(); ++i) {
      const int32_t id = spec.fields[i].source_id;
      fields.push_back(IsNull(file.partition[i])
                           ? Expression::IsNullOf(id)
                           : Expression::Compare(Expression::Op::kEqual, id, file.partition[i]));
    }
    each.emplace(PartitionKey(file.partition), Expression::And(std::move(fields)));
  }
  std::vector<Expression> all;
  all.reserve(each.size());
  for (auto& [key, expression] : each) all.push_back(std::move(expression));
  return all.empty() ? Expression::False() : Expression::Or(std::move(all));
}

bool OnlyPartitionColumns(const Expression& where, const PartitionSpec& spec) {
  const std::vector<int32_t> ids = FieldIds(where);
  return BoundsNeeded(where, spec).empty() && std::all_of(ids.begin(), ids.end(), [&](int32_t id) {
           return std::any_of(spec.fields.begin(), spec.fields.end(), [&](const auto& field) {
             return field.source_id == id && field.transform == TransformKind::kIdentity;
           });
         });
}

// One WriteRows on its way: what it writes with and what it will commit.
class RowsWrite {
 public:
  RowsWrite(Runtime& runtime, Table& table, const Snapshot& base,
            const Registry<FileFormat>& file_formats, const WriteRequest& request)
      : runtime_(runtime),
        table_(table),
        base_(base),
        file_formats_(file_formats),
        request_(request),
        mode_(request.mode) {}

  Result<WriteResult> Run(BatchStream& rows) {
    TARN_RETURN_IF_ERROR(CheckWritableHome(table_));
    TARN_RETURN_IF_ERROR(Prepare());
    TARN_RETURN_IF_ERROR(MakeWriters());
    TARN_RETURN_IF_ERROR(WriteNewRows(rows));
    WriteResult result;
    result.rows = writer_->rows_written();
    TARN_RETURN_IF_ERROR(WriteSurvivors());
    TARN_ASSIGN_OR_RETURN(commit_.added, writer_->Finish());
    Status rest = FinishChanges();
    if (rest.ok()) rest = PlanOverwrite();
    if (!rest.ok()) {
      RemoveWritten(runtime_, table_, commit_.added);
      RemoveWritten(runtime_, table_, commit_.change_files);
      return rest.error();
    }
    result.files = static_cast<int64_t>(commit_.added.size());
    for (const DataFile& file : commit_.added) result.bytes += file.size_bytes;
    result.files_removed = static_cast<int64_t>(commit_.removed.size());
    Describe();
    TARN_ASSIGN_OR_RETURN(result.version, PublishOrRemove(runtime_, table_, base_, commit_,
                                                          request_.isolation, request_.retry));
    return result;
  }

 private:
  // The table as it will be, and the format's ticket for it.
  Status Prepare() {
    if (!base_.exists() && !request_.metadata) {
      return NotFound("no table '" + table_.name + "' to write to");
    }
    planned_ = base_;
    if (request_.metadata) {
      TARN_ASSIGN_OR_RETURN(
          planned_.metadata,
          table_.format->Prepare(base_.exists() ? &base_.metadata : nullptr, *request_.metadata));
      if (!base_.exists() || !(planned_.metadata == base_.metadata)) {
        commit_.metadata = planned_.metadata;
      }
    }
    if (mode_ == WriteMode::kOverwritePartitions &&
        planned_.metadata.default_spec().IsUnpartitioned()) {
      mode_ = WriteMode::kOverwriteAll;
    }
    TARN_ASSIGN_OR_RETURN(ticket_, BeginWrite(table_, planned_, KindOf(request_, base_)));
    if (mode_ == WriteMode::kOverwriteWhere) TARN_RETURN_IF_ERROR(PlanReplaced());
    return OkStatus();
  }

  std::string WhereSql() const {
    return request_.where_sql.empty() ? ExpressionToText(request_.where, planned_.metadata.schema)
                                      : request_.where_sql;
  }

  Status PlanReplaced() {
    RowFinder find = request_.find;
    if (find == nullptr) find = FindRowsBySql(runtime_, table_, file_formats_, WhereSql());
    TARN_ASSIGN_OR_RETURN(replaced_, PlanRemoval(table_, base_, request_.where, find));
    // Rows decided by their partition are checked by their files, after the fact; others one by
    // one.
    if (!OnlyPartitionColumns(request_.where, planned_.metadata.default_spec())) {
      TARN_ASSIGN_OR_RETURN(misfits_, BatchSql::Make(runtime_, planned_.metadata.schema, "*",
                                                     "(" + WhereSql() + ") IS NOT TRUE"));
    }
    return OkStatus();
  }

  Status MakeWriters() {
    TARN_ASSIGN_OR_RETURN(file_format_, file_formats_.Find(ticket_.file_format));
    const TableMetadata& metadata = planned_.metadata;
    if (const auto conditions = ConditionsOnRows(metadata, ticket_); !conditions.empty()) {
      TARN_ASSIGN_OR_RETURN(constraints_,
                            ConstraintChecker::Make(runtime_, metadata.schema, conditions));
    }
    // Survivors keep their numbers; rows that are new have none to keep.
    const bool moves = replaced_.touched.files_kept > 0;
    TARN_ASSIGN_OR_RETURN(writer_,
                          MakeTableWriter(runtime_, *table_.storage, table_.home, *file_format_,
                                          moves ? WithRowLineage(metadata, ticket_) : metadata,
                                          {ticket_, table_.format->traits(), {}}));
    if (moves && ticket_.change_data && table_.format->traits().change_files) {
      TARN_ASSIGN_OR_RETURN(changes_,
                            ChangeWriter::Make(runtime_, table_, *file_format_, metadata, ticket_));
    }
    return OkStatus();
  }

  Status WriteNewRows(BatchStream& rows) {
    while (true) {
      TARN_ASSIGN_OR_RETURN(auto batch, rows.Next());
      if (batch == nullptr) return OkStatus();
      if (batch->num_rows() == 0) continue;
      if (constraints_ != nullptr || misfits_ != nullptr || changes_ != nullptr) {
        TARN_ASSIGN_OR_RETURN(batch, Conform(*batch, planned_.metadata.schema));
      }
      if (constraints_ != nullptr) TARN_RETURN_IF_ERROR(constraints_->Check(batch));
      if (misfits_ != nullptr) TARN_RETURN_IF_ERROR(CheckWhere(batch));
      if (changes_ != nullptr) TARN_RETURN_IF_ERROR(changes_->Write(*batch, "insert"));
      TARN_RETURN_IF_ERROR(writer_->Write(std::move(batch)));
    }
  }

  Status CheckWhere(const std::shared_ptr<arrow::RecordBatch>& batch) {
    TARN_ASSIGN_OR_RETURN(auto outside, misfits_->Apply(batch));
    if (outside->num_rows() == 0) return OkStatus();
    std::string row;
    for (size_t i = 0; i < planned_.metadata.schema.fields.size(); ++i) {
      const Field& field = planned_.metadata.schema.fields[i];
      if (field.type.IsNested()) continue;
      const Result<Value> value = ValueAt(*batch->column(static_cast<int>(i)), 0, field.type);
      const auto shown = ValueAt(*outside->column(static_cast<int>(i)), 0, field.type);
      if (!value.ok() || !shown.ok()) continue;
      if (!row.empty()) row += ", ";
      row += field.name + "=" + ValueToText(field.type, *shown);
    }
    return Misfit("row {" + row + "}");
  }

  Error Misfit(const std::string& what) const {
    return Invalid("overwrite of rows where " + WhereSql() + ": " + what +
                   " does not match; rows written in place of others must");
  }

  // Rows of files that go in part.
  Status WriteSurvivors() {
    if (replaced_.touched.files_kept == 0) return OkStatus();
    TARN_ASSIGN_OR_RETURN(auto survivors,
                          ReadSurvivors(runtime_, table_, file_formats_, replaced_, ticket_));
    TARN_RETURN_IF_ERROR(WriteAll(*survivors, *writer_));
    if (changes_ == nullptr) return OkStatus();
    TARN_ASSIGN_OR_RETURN(auto removed,
                          ReadRemoved(runtime_, table_, file_formats_, base_, replaced_));
    for (auto& stream : removed) TARN_RETURN_IF_ERROR(changes_->WriteAll(*stream, "delete"));
    return OkStatus();
  }

  Status FinishChanges() {
    if (changes_ == nullptr) return OkStatus();
    TARN_ASSIGN_OR_RETURN(commit_.change_files, changes_->Finish());
    return OkStatus();
  }

  // What goes, and what was read to know it.
  Status PlanOverwrite() {
    commit_.reads = request_.reads;
    const TableMetadata& metadata = planned_.metadata;
    const PartitionSpec& spec = metadata.default_spec();
    switch (mode_) {
      case WriteMode::kAppend:
        return OkStatus();
      case WriteMode::kOverwriteAll: {
        commit_.reads.everything = true;
        return RemoveFiles(Expression::True());
      }
      case WriteMode::kOverwritePartitions: {
        const bool plain = std::all_of(
            spec.fields.begin(), spec.fields.end(),
            [](const auto& field) { return field.transform == TransformKind::kIdentity; });
        if (!plain) {
          commit_.reads.everything = true;
          return RemovePartitions(Expression::True(), spec);
        }
        const Expression partitions = PartitionsOf(commit_.added, spec);
        commit_.reads.predicates.push_back(partitions);
        return RemovePartitions(partitions, spec);
      }
      case WriteMode::kOverwriteWhere: {
        commit_.reads.predicates.push_back(request_.where);
        commit_.removed = replaced_.removed;
        for (const FileBatch& batch : replaced_.touched.batches) {
          for (int64_t i = 0; i < batch.size; ++i) {
            commit_.removed.push_back(batch.At(i));
            const DataFile& file = commit_.removed.back();
            commit_.reads.locations.push_back(file.location.empty() ? file.path : file.location);
          }
        }
        if (misfits_ != nullptr || replaced_.touched.files_kept > 0) return OkStatus();
        for (const DataFile& file : commit_.added) {
          if (MustMatch(request_.where, metadata.schema, spec, file)) continue;
          return Misfit("a row of partition " + PartitionText(spec, file));
        }
        return OkStatus();
      }
    }
    return Internal("write: mode out of range");
  }

  std::string PartitionText(const PartitionSpec& spec, const DataFile& file) const {
    std::string text;
    for (size_t i = 0; i < spec.fields.size(); ++i) {
      const Field* source = planned_.metadata.schema.FindById(spec.fields[i].source_id);
      if (!text.empty()) text += ", ";
      text += spec.fields[i].name + "=" +
              ValueToText(source != nullptr ? source->type : Type::Of(TypeKind::kString),
                          file.partition[i]);
    }
    return text;
  }

  Status RemoveFiles(const Expression& filter) {
    TARN_ASSIGN_OR_RETURN(const ScanPlan plan,
                          PlanScan(*table_.format, table_.home, base_, {.filter = filter}));
    for (const FileBatch& batch : plan.batches) {
      for (int64_t i = 0; i < batch.size; ++i) commit_.removed.push_back(batch.At(i));
    }
    return OkStatus();
  }

  // The files of the partitions that were written.
  Status RemovePartitions(const Expression& filter, const PartitionSpec& spec) {
    std::map<std::string, bool> written;
    for (const DataFile& file : commit_.added) written[PartitionKey(file.partition)] = true;
    if (written.empty()) return OkStatus();
    TARN_RETURN_IF_ERROR(RemoveFiles(filter));
    std::vector<DataFile> kept;
    for (DataFile& file : commit_.removed) {
      if (file.spec_id != spec.id) {
        return Unsupported("dynamic overwrite: file '" + file.path +
                           "' was written under another partitioning; overwrite by predicate");
      }
      if (written.contains(PartitionKey(file.partition))) kept.push_back(std::move(file));
    }
    commit_.removed = std::move(kept);
    return OkStatus();
  }

  void Describe() {
    commit_.operation = request_.operation;
    commit_.operation.kind = KindOf(request_, base_);
    commit_.positions = request_.positions;
    commit_.lineage = request_.lineage;
    commit_.writer = request_.writer;
    commit_.extra = ticket_.commit_extra;
  }

  Runtime& runtime_;
  Table& table_;
  const Snapshot& base_;
  const Registry<FileFormat>& file_formats_;
  const WriteRequest& request_;
  WriteMode mode_;
  Snapshot planned_;
  WriteTicket ticket_;
  const FileFormat* file_format_ = nullptr;
  RemovalPlan replaced_;
  std::unique_ptr<BatchSql> misfits_;
  std::unique_ptr<ConstraintChecker> constraints_;
  std::unique_ptr<TableWriter> writer_;  // both remove what they wrote unless finished
  std::unique_ptr<ChangeWriter> changes_;
  Commit commit_;
};

}  // namespace

Result<WriteResult> WriteRows(Runtime& runtime, Table& table, const Snapshot& base,
                              const Registry<FileFormat>& file_formats, BatchStream& rows,
                              const WriteRequest& request) {
  return RowsWrite(runtime, table, base, file_formats, request).Run(rows);
}

}  // namespace tarn
