#include "tarn/format/delta/encode.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "tarn/base/planted_bug.h"
#include "tarn/base/text.h"
#include "tarn/base/version.h"
#include "tarn/format/delta/action_writer.h"
#include "tarn/format/delta/actions.h"
#include "tarn/format/delta/dv_write.h"
#include "tarn/format/delta/location.h"
#include "tarn/format/delta/log_paths.h"
#include "tarn/format/delta/metadata_action.h"
#include "tarn/format/delta/operations.h"
#include "tarn/format/delta/partition_values.h"
#include "tarn/format/delta/replay.h"
#include "tarn/format/delta/snapshot_state.h"
#include "tarn/format/delta/stats_writer.h"
#include "tarn/format/delta/table_properties.h"
#include "tarn/format/delta/writer_features.h"

namespace tarn::delta {
namespace {

// Partition columns of one metadata: their names in the log and their types.
class PartitionNames {
 public:
  explicit PartitionNames(const TableMetadata& metadata) : metadata_(metadata) {}

  Result<PartitionTexts> TextsOf(const DataFile& file) const {
    const PartitionSpec* spec = metadata_.SpecById(file.spec_id);
    if (spec == nullptr || spec->fields.size() != file.partition.size()) {
      return Invalid("delta: file '" + file.path + "' has " +
                     std::to_string(file.partition.size()) +
                     " partition values, which is not the table's partitioning");
    }
    PartitionTexts texts;
    texts.reserve(file.partition.size());
    for (size_t i = 0; i < file.partition.size(); ++i) {
      const Field* column = metadata_.schema.FindById(spec->fields[i].source_id);
      if (column == nullptr) {
        return Invalid("delta: partition field '" + spec->fields[i].name +
                       "' is no column of the table");
      }
      Result<std::optional<std::string>> text =
          PartitionValueToText(column->type, file.partition[i]);
      if (!text.ok()) return text.error().WithContext("partition column '" + column->name + "'");
      texts.emplace_back(column->file_name(), *std::move(text));
    }
    return texts;
  }

 private:
  const TableMetadata& metadata_;
};

Result<std::optional<DeletionVectorDescriptor>> DescriptorOf(const DataFile& file) {
  if (file.deletes.empty()) return std::optional<DeletionVectorDescriptor>();
  const DeleteFile& deletes = file.deletes.front();
  if (file.deletes.size() > 1 || deletes.kind != DeleteKind::kDeletionVector ||
      deletes.location.empty()) {
    return Unsupported("delta: file '" + file.path +
                       "' has deletes that are not one deletion vector");
  }
  DeletionVectorDescriptor descriptor;
  descriptor.storage_type = deletes.location[0];
  descriptor.path_or_inline = deletes.location.substr(1);
  if (deletes.offset) descriptor.offset = static_cast<int32_t>(*deletes.offset);
  descriptor.size_bytes = static_cast<int32_t>(deletes.size_bytes);
  descriptor.cardinality = deletes.row_count;
  return std::optional(std::move(descriptor));
}

// One commit being encoded.
class Encoder {
 public:
  Encoder(Runtime& runtime, const TableHome& home, const Snapshot& base, const Commit& commit)
      : runtime_(runtime),
        home_(home),
        base_(base),
        commit_(commit),
        metadata_(commit.metadata ? *commit.metadata : base.metadata),
        stats_(metadata_.schema) {}

  Status Check();
  Status EncodeInfo();
  Status EncodeMetadata();
  Status EncodePositions();
  Status EncodeFiles(const DeletedRowsReader& deleted_rows);
  EncodedCommit Finish();

 private:
  std::string LocationOf(const DataFile& file) const;
  Status Mark(std::unordered_set<std::string>& seen, const std::string& location) const;
  Result<AddFile> MakeAdd(const DataFile& file) const;
  Result<RemoveFile> MakeRemove(const DataFile& file) const;
  Status FindLoggedFiles();
  Status EncodeRowDelete(const RowDelete& row_delete, const DeletedRowsReader& deleted_rows);
  std::map<std::string, std::string> Metrics() const;

  Runtime& runtime_;
  const TableHome& home_;
  const Snapshot& base_;
  const Commit& commit_;
  const TableMetadata& metadata_;
  const StatsWriter stats_;
  TableProperties properties_;
  int64_t version_ = 0;
  int64_t timestamp_ms_ = 0;
  std::string lines_;
  std::string adds_;  // adds of row deletes, which follow all removes
  std::unordered_set<std::string> added_;
  std::unordered_set<std::string> removed_;
  std::optional<DeletionVectorWriter> vectors_;
  std::unordered_map<std::string, AddFile> logged_;  // files that lose rows, as the log has them
};

Status Encoder::Check() {
  if (base_.exists()) {
    const std::optional<int64_t> version = ParseInt64(base_.version.text);
    if (!version) {
      return Internal("delta: '" + base_.version.text + "' is no version of a Delta table");
    }
    version_ = *version + 1;
    TARN_RETURN_IF_ERROR(CheckWritable(base_.metadata));
  } else if (!commit_.metadata) {
    return Invalid("delta: the first commit of a table needs its metadata");
  }
  if (commit_.metadata) TARN_RETURN_IF_ERROR(CheckWritable(metadata_));
  TARN_ASSIGN_OR_RETURN(properties_, ParseTableProperties(metadata_.properties));

  const int64_t now_ms = runtime_.clock.NowMicros() / 1000;
  timestamp_ms_ = base_.exists() ? std::max(now_ms, base_.timestamp_ms + 1) : now_ms;

  const bool removes = !commit_.removed.empty() || !commit_.row_deletes.empty();
  if (properties_.append_only && commit_.data_change && removes) {
    return Invalid(
        "delta: the table is append-only; set 'delta.appendOnly' = 'false' to change or "
        "remove rows");
  }
  if (!base_.exists() || !commit_.metadata) return OkStatus();
  const OperationKind kind = commit_.operation.kind;
  const bool replaces = kind == OperationKind::kReplace || kind == OperationKind::kOverwrite ||
                        kind == OperationKind::kRestore;
  const auto sources = [](const PartitionSpec& spec) {
    std::vector<int32_t> ids;
    for (const PartitionField& field : spec.fields) ids.push_back(field.source_id);
    return ids;
  };
  if (!replaces && sources(metadata_.default_spec()) != sources(base_.metadata.default_spec())) {
    return Unsupported(
        "delta: the partitioning of a table that keeps its files cannot change; "
        "overwrite or replace the table instead");
  }
  return OkStatus();
}

std::map<std::string, std::string> Encoder::Metrics() const {
  if (!commit_.operation.metrics.empty()) return commit_.operation.metrics;
  std::map<std::string, std::string> metrics;
  int64_t rows = 0;
  int64_t bytes = 0;
  for (const DataFile& file : commit_.added) {
    rows += std::max<int64_t>(file.record_count, 0);
    bytes += file.size_bytes;
  }
  if (!commit_.added.empty()) {
    metrics["numFiles"] = std::to_string(commit_.added.size());
    metrics["numOutputRows"] = std::to_string(rows);
    metrics["numOutputBytes"] = std::to_string(bytes);
  }
  if (!commit_.removed.empty()) {
    metrics["numRemovedFiles"] = std::to_string(commit_.removed.size());
  }
  return metrics;
}

Status Encoder::EncodeInfo() {
  CommitInfo info;
  info.timestamp_ms = timestamp_ms_;
  if (properties_.in_commit_timestamps && Supports(ToProtocol(metadata_), "inCommitTimestamp")) {
    info.in_commit_timestamp_ms = timestamp_ms_;
  }
  info.operation = OperationName(commit_.operation);
  info.operation_parameters = OperationParameters(commit_.operation);
  info.operation_metrics = Metrics();
  if (base_.exists()) info.read_version = version_ - 1;
  info.isolation_level = properties_.isolation_level;
  info.is_blind_append = !commit_.added.empty() && commit_.removed.empty() &&
                         commit_.row_deletes.empty() && commit_.reads.empty();
  info.engine_info = commit_.engine.empty() ? std::string(kTarnEngine) : commit_.engine;
  info.tarn_commit_id = commit_.id;
  info.user_name = commit_.writer;  // where DESCRIBE HISTORY looks
  if (commit_.lineage.size() <= kLineageBytesMax) {
    info.tarn_lineage = commit_.lineage;
  } else {
    runtime_.log.Warn("delta: lineage of " + std::to_string(commit_.lineage.size()) +
                      " bytes is too long for a commit and is left out");
  }
  AppendAction(lines_, info);
  return OkStatus();
}

Status Encoder::EncodeMetadata() {
  if (!commit_.metadata) return OkStatus();
  const Protocol protocol = ToProtocol(metadata_);
  if (!base_.exists() || protocol != ToProtocol(base_.metadata)) AppendAction(lines_, protocol);
  if (base_.exists() && metadata_ == base_.metadata) return OkStatus();

  TARN_ASSIGN_OR_RETURN(MetadataAction action, ToMetadataAction(metadata_));
  // "In-Commit Timestamps": a table that has older commits says since when it keeps them.
  TARN_ASSIGN_OR_RETURN(const TableProperties before,
                        ParseTableProperties(base_.metadata.properties));
  if (base_.exists() && properties_.in_commit_timestamps && !before.in_commit_timestamps) {
    action.configuration["delta.inCommitTimestampEnablementVersion"] = std::to_string(version_);
    action.configuration["delta.inCommitTimestampEnablementTimestamp"] =
        std::to_string(timestamp_ms_);
  }
  AppendAction(lines_, action);
  return OkStatus();
}

Status Encoder::EncodePositions() {
  std::unordered_set<std::string_view> sources;
  for (const PositionMove& move : commit_.positions) {
    if (!sources.insert(move.source).second) {
      return Invalid("delta: the position of '" + move.source + "' is moved twice in one commit");
    }
    const auto stands = base_.positions.find(move.source);
    const std::optional<std::string> current =
        stands == base_.positions.end() ? std::nullopt : std::optional(stands->second);
    if (current != move.before && !planted::kPositionNotCompared) {
      return Conflict("delta: the position of '" + move.source + "' is " +
                      current.value_or("unknown") + ", not " + move.before.value_or("unknown") +
                      ": another run has moved it; start again from there");
    }
    const std::optional<int64_t> number = ParseInt64(move.after);
    if (!number || std::to_string(*number) != move.after) {
      return Invalid("delta: the position '" + move.after + "' of '" + move.source +
                     "' is no 64-bit number");
    }
    AppendAction(lines_, Txn{move.source, *number, timestamp_ms_});
  }
  return OkStatus();
}

std::string Encoder::LocationOf(const DataFile& file) const {
  if (!file.location.empty()) return file.location;
  if (!file.path.starts_with('/')) return EncodeLocation(file.path);
  // Outside the table's folder: absolute, below the store's URI, whose scheme and authority stay.
  const std::string root = home_.storage.root_uri();
  size_t scheme = root.find(':') + 1;
  if (std::string_view(root).substr(scheme).starts_with("//")) {
    scheme = std::min(root.find('/', scheme + 2), root.size());
  }
  std::string folder = root.substr(scheme);
  while (folder.ends_with('/')) folder.pop_back();
  return root.substr(0, scheme) + EncodeLocation(folder + file.path);
}

Status Encoder::Mark(std::unordered_set<std::string>& seen, const std::string& location) const {
  if (seen.insert(location).second) return OkStatus();
  return Invalid("delta: file '" + location + "' stands twice in one commit");
}

Result<AddFile> Encoder::MakeAdd(const DataFile& file) const {
  AddFile add;
  add.path = LocationOf(file);
  TARN_ASSIGN_OR_RETURN(add.partition_values, PartitionNames(metadata_).TextsOf(file));
  add.size_bytes = file.size_bytes;
  add.modified_ms = file.modified_ms != 0 ? file.modified_ms : timestamp_ms_;
  add.data_change = commit_.data_change;
  add.stats = stats_.ToJson(file);
  add.tags = file.tags;
  TARN_ASSIGN_OR_RETURN(add.deletion_vector, DescriptorOf(file));
  if (add.deletion_vector) {
    if (!Supports(ToProtocol(metadata_), "deletionVectors")) {
      return Unsupported("delta: file '" + file.path +
                         "' has a deletion vector, which the table does not allow");
    }
    if (file.record_count < 0) {
      return Unsupported("delta: file '" + file.path +
                         "' has a deletion vector but no known number of rows");
    }
  }
  return add;
}

Result<RemoveFile> Encoder::MakeRemove(const DataFile& file) const {
  RemoveFile remove;
  remove.path = LocationOf(file);
  remove.deletion_timestamp_ms = timestamp_ms_;
  remove.data_change = commit_.data_change;
  remove.extended_file_metadata = true;
  TARN_ASSIGN_OR_RETURN(remove.partition_values,
                        PartitionNames(base_.exists() ? base_.metadata : metadata_).TextsOf(file));
  remove.size_bytes = file.size_bytes;
  remove.tags = file.tags;
  TARN_ASSIGN_OR_RETURN(remove.deletion_vector, DescriptorOf(file));
  return remove;
}

// A plan decodes only the statistics that its predicate needs, and a file has members that the
// model does not: both must survive, so the add that stands in the log is the start of the new one.
Status Encoder::FindLoggedFiles() {
  const Result<const DeltaState*> state = StateOf(base_);
  if (!state.ok()) return OkStatus();
  for (const RowDelete& row_delete : commit_.row_deletes) {
    logged_.emplace(LocationOf(row_delete.file), AddFile{});
  }
  return ReplayFiles(runtime_, home_, **state,
                     {.add =
                          [&](AddFile&& add) {
                            const auto wanted = logged_.find(add.path);
                            if (wanted != logged_.end()) wanted->second = std::move(add);
                            return OkStatus();
                          },
                      .remove = nullptr});
}

Status Encoder::EncodeRowDelete(const RowDelete& row_delete,
                                const DeletedRowsReader& deleted_rows) {
  const DataFile& file = row_delete.file;
  RowSet rows = row_delete.rows;
  for (const DeleteFile& deletes : file.deletes) {
    TARN_ASSIGN_OR_RETURN(const RowSet before, deleted_rows(deletes));
    rows.Merge(before);
  }
  if (file.record_count < 0) {
    return Unsupported("delta: the number of rows of '" + file.path +
                       "' is unknown, so rows cannot be deleted from it; rewrite the file");
  }
  const int64_t count = rows.Count();
  if (count > file.record_count) {
    return Invalid("delta: " + std::to_string(count) + " rows to delete from '" + file.path +
                   "', which has " + std::to_string(file.record_count));
  }
  TARN_ASSIGN_OR_RETURN(RemoveFile remove, MakeRemove(file));
  TARN_RETURN_IF_ERROR(Mark(removed_, remove.path));
  DataFile kept = file;
  kept.deletes.clear();
  kept.tight_bounds = false;
  TARN_ASSIGN_OR_RETURN(AddFile add, MakeAdd(kept));
  if (const auto logged = logged_.find(add.path);
      logged != logged_.end() && !logged->second.path.empty()) {
    add = std::move(logged->second);
    add.data_change = commit_.data_change;
    if (add.stats) add.stats = WithWideBounds(*add.stats);
    remove.tags = add.tags;
    remove.base_row_id = add.base_row_id;
    remove.default_row_commit_version = add.default_row_commit_version;
  }
  AppendAction(lines_, remove);
  if (count == file.record_count) return OkStatus();
  if (!vectors_) vectors_.emplace(runtime_);
  TARN_ASSIGN_OR_RETURN(add.deletion_vector, vectors_->Add(rows));
  TARN_RETURN_IF_ERROR(Mark(added_, add.path));
  AppendAction(adds_, add);
  return OkStatus();
}

Status Encoder::EncodeFiles(const DeletedRowsReader& deleted_rows) {
  for (const DataFile& file : commit_.removed) {
    TARN_ASSIGN_OR_RETURN(const RemoveFile remove, MakeRemove(file));
    TARN_RETURN_IF_ERROR(Mark(removed_, remove.path));
    AppendAction(lines_, remove);
  }
  if (!commit_.row_deletes.empty() &&
      (!properties_.deletion_vectors || !Supports(ToProtocol(metadata_), "deletionVectors"))) {
    return Unsupported(
        "delta: rows of a file can be deleted in place only with "
        "'delta.enableDeletionVectors' = 'true'; rewrite the file instead");
  }
  if (!commit_.row_deletes.empty()) TARN_RETURN_IF_ERROR(FindLoggedFiles());
  for (const RowDelete& row_delete : commit_.row_deletes) {
    if (row_delete.rows.empty()) continue;
    TARN_RETURN_IF_ERROR(EncodeRowDelete(row_delete, deleted_rows));
  }
  lines_ += adds_;
  for (const DataFile& file : commit_.added) {
    TARN_ASSIGN_OR_RETURN(const AddFile add, MakeAdd(file));
    TARN_RETURN_IF_ERROR(Mark(added_, add.path));
    AppendAction(lines_, add);
  }
  for (const DataFile& file : commit_.change_files) {
    CdcFile cdc;
    cdc.path = LocationOf(file);
    TARN_ASSIGN_OR_RETURN(cdc.partition_values, PartitionNames(metadata_).TextsOf(file));
    cdc.size_bytes = file.size_bytes;
    cdc.tags = file.tags;
    AppendAction(lines_, cdc);
  }
  return OkStatus();
}

EncodedCommit Encoder::Finish() {
  EncodedCommit encoded;
  encoded.version = Version{std::to_string(version_)};
  if (vectors_) {
    if (Bytes file = vectors_->TakeFile(); !file.empty()) {
      encoded.staged.push_back({home_.root / vectors_->file_name(), std::move(file)});
    }
  }
  encoded.requirements.push_back({"head", base_.version.text});
  encoded.changes.push_back({"commit", lines_});
  encoded.head = [path = CommitPath(home_.root, version_),
                  body = std::make_shared<const Bytes>(std::move(lines_))](std::string_view) {
    return NewObject{path, *body};
  };
  return encoded;
}

}  // namespace

Result<EncodedCommit> EncodeCommit(Runtime& runtime, const TableHome& home, const Snapshot& base,
                                   const Commit& commit, const DeletedRowsReader& deleted_rows) {
  Encoder encoder(runtime, home, base, commit);
  TARN_RETURN_IF_ERROR(encoder.Check());
  TARN_RETURN_IF_ERROR(encoder.EncodeInfo());
  TARN_RETURN_IF_ERROR(encoder.EncodeMetadata());
  TARN_RETURN_IF_ERROR(encoder.EncodePositions());
  TARN_RETURN_IF_ERROR(encoder.EncodeFiles(deleted_rows));
  return encoder.Finish();
}

}  // namespace tarn::delta
