#include "tarn/format/delta/commit_decoder.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <variant>

#include "tarn/format/delta/dv_read.h"
#include "tarn/format/delta/file_decoder.h"
#include "tarn/format/delta/load.h"
#include "tarn/format/delta/location.h"
#include "tarn/format/delta/operations.h"
#include "tarn/format/delta/partition_values.h"
#include "tarn/format/delta/stats_reader.h"

namespace tarn::delta {
namespace {

// The rows of `after` that are not in `before`; nothing when `before` has rows that `after` lacks.
std::optional<RowSet> Grown(const RowSet& before, const RowSet& after) {
  RowSet fresh;
  int64_t kept = 0;
  after.ForEach([&](uint64_t row) {
    if (before.Contains(row)) {
      ++kept;
    } else {
      fresh.Add(row);
    }
  });
  if (kept != before.Count()) return std::nullopt;
  return fresh;
}

Result<RowSet> RowsOf(const TableHome& home, const std::vector<DeleteFile>& deletes) {
  if (deletes.empty()) return RowSet();
  return ReadDeletionVector(home, deletes.front());
}

}  // namespace

void FillProvenance(const CommitInfo& info, Commit& commit) {
  commit.id = !info.tarn_commit_id.empty() ? info.tarn_commit_id : info.txn_id;
  commit.operation.name = info.operation;
  commit.operation.parameters = info.operation_parameters;
  commit.operation.metrics = info.operation_metrics;
  commit.operation.kind = OperationKindOf(info.operation, info.operation_parameters);
  commit.engine = info.engine_info;
  commit.writer = !info.tarn_writer.empty() ? info.tarn_writer : info.user_name;
  commit.lineage = info.tarn_lineage;
  commit.extra = info.extra;
  if (!info.txn_id.empty()) commit.extra["txnId"] = info.txn_id;
  if (!info.isolation_level.empty()) commit.extra["isolationLevel"] = info.isolation_level;
  if (info.read_version) commit.extra["readVersion"] = std::to_string(*info.read_version);
  if (info.is_blind_append)
    commit.extra["isBlindAppend"] = *info.is_blind_append ? "true" : "false";
}

struct CommitDecoder::Statistics {
  explicit Statistics(const Schema& schema) : wanted(StatsFields::All(schema)), reader(wanted) {}
  const StatsFields wanted;
  StatsReader reader;
  FileStats known;
};

CommitDecoder::~CommitDecoder() = default;

CommitDecoder::CommitDecoder(const TableHome& home, const DeltaState* before) : home_(home) {
  if (before == nullptr) return;
  protocol_ = before->protocol;
  // It was loaded, so it can be said.
  Result<TableMetadata> metadata = ToTableMetadata(before->protocol, before->metadata);
  if (metadata.ok()) metadata_ = *std::move(metadata);
  for (const auto& [app_id, txn] : before->txns) positions_[app_id] = txn.version;
}

Result<Commit> CommitDecoder::Decode(int64_t version, std::vector<Action> actions,
                                     int64_t timestamp_ms) {
  Commit commit;
  commit.version.text = std::to_string(version);
  commit.timestamp_ms = timestamp_ms;
  TARN_RETURN_IF_ERROR(TakeHead(actions, commit));
  TARN_RETURN_IF_ERROR(TakeFiles(std::move(actions), commit));
  return commit;
}

Status CommitDecoder::TakeHead(const std::vector<Action>& actions, Commit& commit) {
  const MetadataAction* metadata = nullptr;
  for (const Action& action : actions) {
    if (const auto* protocol = std::get_if<Protocol>(&action)) {
      commit.protocol_changed = protocol_.has_value() && *protocol_ != *protocol;
      protocol_ = *protocol;
    } else if (const auto* changed = std::get_if<MetadataAction>(&action)) {
      metadata = changed;
    } else if (const auto* info = std::get_if<CommitInfo>(&action)) {
      FillProvenance(*info, commit);
    } else if (const auto* txn = std::get_if<Txn>(&action)) {
      PositionMove move{txn->app_id, std::nullopt, std::to_string(txn->version)};
      if (const auto before = positions_.find(txn->app_id); before != positions_.end()) {
        move.before = std::to_string(before->second);
      }
      commit.positions.push_back(std::move(move));
      positions_[txn->app_id] = txn->version;
    }
  }
  if (metadata == nullptr) return {};
  // The protocol of the same commit decides how its metadata is read, wherever its line stands.
  TARN_ASSIGN_OR_RETURN(commit.metadata,
                        ToTableMetadata(protocol_.value_or(Protocol{}), *metadata));
  metadata_ = commit.metadata;
  statistics_.reset();
  return {};
}

Status CommitDecoder::TakeFiles(std::vector<Action> actions, Commit& commit) {
  std::unordered_map<std::string, DataFile> removed;  // by path
  std::vector<DataFile> added;
  bool any = false;
  bool changes_data = false;
  for (const Action& action : actions) {
    if (const auto* add = std::get_if<AddFile>(&action)) {
      any = true;
      changes_data |= add->data_change;
      TARN_ASSIGN_OR_RETURN(DataFile file, ToDataFile(*add));
      added.push_back(std::move(file));
    } else if (const auto* remove = std::get_if<RemoveFile>(&action)) {
      any = true;
      changes_data |= remove->data_change;
      TARN_ASSIGN_OR_RETURN(DataFile file, ToDataFile(*remove));
      removed.insert_or_assign(file.path, std::move(file));
    } else if (const auto* cdc = std::get_if<CdcFile>(&action)) {
      TARN_ASSIGN_OR_RETURN(DataFile file, ToDataFile(*cdc));
      commit.change_files.push_back(std::move(file));
    }
  }
  commit.data_change = !any || changes_data;
  for (DataFile& file : added) {
    const auto before = removed.find(file.path);
    if (before == removed.end() || file.deletes.empty()) {
      commit.added.push_back(std::move(file));
      continue;
    }
    // What cannot be read any more (vacuumed) still says which file lost rows.
    std::optional<RowSet> rows = RowSet();
    const Result<RowSet> rows_before = RowsOf(home_, before->second.deletes);
    const Result<RowSet> rows_after = RowsOf(home_, file.deletes);
    if (rows_before.ok() && rows_after.ok()) rows = Grown(*rows_before, *rows_after);
    if (!rows) {
      commit.added.push_back(std::move(file));
      continue;
    }
    DataFile as_it_was = std::move(file);
    as_it_was.deletes = before->second.deletes;
    removed.erase(before);
    commit.row_deletes.push_back({std::move(as_it_was), *std::move(rows)});
  }
  for (auto& [path, file] : removed) commit.removed.push_back(std::move(file));
  std::sort(commit.removed.begin(), commit.removed.end(),
            [](const DataFile& a, const DataFile& b) { return a.path < b.path; });
  return {};
}

std::string CommitDecoder::PathOf(const std::string& uri) const {
  // A location outside the store may stand in history; only whoever opens it must be refused.
  std::string scratch;
  return std::string(FileKey(home_, uri, scratch));
}

Result<DataFile> CommitDecoder::ToDataFile(const AddFile& add) const {
  DataFile file;
  file.location = add.path;
  file.path = PathOf(add.path);
  file.size_bytes = add.size_bytes;
  file.modified_ms = add.modified_ms;
  file.tags = add.tags;
  if (add.deletion_vector) file.deletes.push_back(ToDeleteFile(*add.deletion_vector));
  TARN_RETURN_IF_ERROR(FillPartition(add.partition_values, file));
  FillStatistics(add.stats, file);
  return file;
}

Result<DataFile> CommitDecoder::ToDataFile(const RemoveFile& remove) const {
  DataFile file;
  file.location = remove.path;
  file.path = PathOf(remove.path);
  file.size_bytes = remove.size_bytes.value_or(0);
  file.tags = remove.tags;
  if (remove.deletion_vector) file.deletes.push_back(ToDeleteFile(*remove.deletion_vector));
  if (remove.extended_file_metadata || !remove.partition_values.empty()) {
    TARN_RETURN_IF_ERROR(FillPartition(remove.partition_values, file));
  }
  FillStatistics(remove.stats, file);
  return file;
}

Result<DataFile> CommitDecoder::ToDataFile(const CdcFile& cdc) const {
  DataFile file;
  file.location = cdc.path;
  file.path = PathOf(cdc.path);
  file.size_bytes = cdc.size_bytes;
  file.tags = cdc.tags;
  TARN_RETURN_IF_ERROR(FillPartition(cdc.partition_values, file));
  return file;
}

Status CommitDecoder::FillPartition(const PartitionTexts& texts, DataFile& file) const {
  if (!metadata_) return {};
  const PartitionSpec& spec = metadata_->default_spec();
  file.spec_id = spec.id;
  for (const PartitionField& field : spec.fields) {
    const Field* column = metadata_->schema.FindById(field.source_id);
    std::optional<std::string_view> text;
    for (const auto& [name, value] : texts) {
      if (name == column->file_name() && value) text = *value;
    }
    Result<Value> value = PartitionValueFromText(column->type, text);
    if (!value.ok()) return value.error().WithContext("file '" + file.location + "'");
    file.partition.push_back(*std::move(value));
  }
  return {};
}

void CommitDecoder::FillStatistics(const std::optional<std::string>& stats, DataFile& file) const {
  if (!stats || !metadata_) return;
  if (!statistics_) statistics_ = std::make_unique<Statistics>(metadata_->schema);
  FileStats& known = statistics_->known;
  statistics_->reader.Read(*stats, known);
  file.record_count = known.record_count;
  file.tight_bounds = known.tight && file.deletes.empty();
  file.statistics = ToColumnStatistics(statistics_->wanted, known);
}

}  // namespace tarn::delta
