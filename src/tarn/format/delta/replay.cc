#include "tarn/format/delta/replay.h"

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tarn/format/delta/action_json.h"
#include "tarn/format/delta/checkpoint_columns_internal.h"
#include "tarn/format/delta/file_decoder.h"
#include "tarn/format/delta/load.h"
#include "tarn/format/delta/log_compaction.h"
#include "tarn/format/delta/log_files.h"
#include "tarn/format/delta/seen_files.h"
#include "tarn/format/delta/stats_reader.h"
#include "tarn/format/delta/stats_writer.h"

namespace tarn::delta {
namespace {

std::map<std::string, std::string> ToMap(const std::string& entries) {
  std::map<std::string, std::string> map;
  for (auto& [key, text] : MapColumn::TextsOf(entries)) {
    if (text) map[key] = *std::move(text);
  }
  return map;
}

// The members that add and remove have in common, from the columns of a checkpoint.
class FileColumns {
 public:
  FileColumns(const CheckpointParquet& file, int row_group, std::string_view action)
      : path(file, row_group, file.Leaf({action, "path"})),
        size(file, row_group, file.Leaf({action, "size"})),
        data_change(file, row_group, file.Leaf({action, "dataChange"})),
        base_row_id(file, row_group, file.Leaf({action, "baseRowId"})),
        row_version(file, row_group, file.Leaf({action, "defaultRowCommitVersion"})),
        vector_storage(file, row_group, file.Leaf({action, "deletionVector", "storageType"})),
        vector_path(file, row_group, file.Leaf({action, "deletionVector", "pathOrInlineDv"})),
        vector_offset(file, row_group, file.Leaf({action, "deletionVector", "offset"})),
        vector_size(file, row_group, file.Leaf({action, "deletionVector", "sizeInBytes"})),
        vector_rows(file, row_group, file.Leaf({action, "deletionVector", "cardinality"})) {}

  Status OpenMaps(const CheckpointParquet& file, int row_group, std::string_view action) {
    TARN_RETURN_IF_ERROR(partition.Open(file, row_group, {action, "partitionValues"}));
    return tags.Open(file, row_group, {action, "tags"});
  }

  Status NextMaps() {
    TARN_RETURN_IF_ERROR(partition.Next());
    return tags.Next();
  }

  static Result<std::optional<int64_t>> Int(RowColumn& column, int64_t row) {
    TARN_ASSIGN_OR_RETURN(const LeafCursor* cursor, column.At(row));
    return cursor == nullptr ? std::nullopt : std::optional<int64_t>(cursor->integer());
  }
  static Result<std::optional<std::string>> Text(RowColumn& column, int64_t row) {
    TARN_ASSIGN_OR_RETURN(const LeafCursor* cursor, column.At(row));
    return cursor == nullptr ? std::nullopt : std::optional<std::string>(cursor->bytes());
  }

  template <class File>
  Status Fill(int64_t row, File& file) {
    file.partition_values = MapColumn::TextsOf(partition.key());
    file.tags = ToMap(tags.key());
    TARN_ASSIGN_OR_RETURN(const auto changes, Int(data_change, row));
    file.data_change = changes.value_or(1) != 0;
    TARN_ASSIGN_OR_RETURN(file.base_row_id, Int(base_row_id, row));
    TARN_ASSIGN_OR_RETURN(file.default_row_commit_version, Int(row_version, row));
    TARN_ASSIGN_OR_RETURN(const auto storage, Text(vector_storage, row));
    if (!storage || storage->size() != 1) return {};
    DeletionVectorDescriptor& vector = file.deletion_vector.emplace();
    vector.storage_type = (*storage)[0];
    TARN_ASSIGN_OR_RETURN(auto name, Text(vector_path, row));
    vector.path_or_inline = std::move(name).value_or(std::string());
    TARN_ASSIGN_OR_RETURN(const auto offset, Int(vector_offset, row));
    if (offset) vector.offset = static_cast<int32_t>(*offset);
    TARN_ASSIGN_OR_RETURN(const auto bytes, Int(vector_size, row));
    vector.size_bytes = static_cast<int32_t>(bytes.value_or(0));
    TARN_ASSIGN_OR_RETURN(const auto rows, Int(vector_rows, row));
    vector.cardinality = rows.value_or(0);
    return {};
  }

  RowColumn path, size, data_change, base_row_id, row_version;
  RowColumn vector_storage, vector_path, vector_offset, vector_size, vector_rows;
  MapColumn partition, tags;
};

// add.stats_parsed as the text of add.stats.
class ParsedStats {
 public:
  ParsedStats(const Schema& schema, const CheckpointParquet& file, int row_group)
      : wanted_(StatsFields::All(schema)),
        writer_(schema),
        records_(file, row_group, file.Leaf({"add", "stats_parsed", "numRecords"})),
        tight_(file, row_group, file.Leaf({"add", "stats_parsed", "tightBounds"})) {
    if (!records_.there()) return;
    for (const StatsFields::Field& field : wanted_.fields()) {
      const auto column = [&](std::string_view member) {
        std::vector<std::string_view> path = {"add", "stats_parsed", member};
        path.insert(path.end(), field.path.begin(), field.path.end());
        return RowColumn(file, row_group, file.Leaf(path));
      };
      columns_.push_back({column("minValues"), column("maxValues"), column("nullCount")});
    }
  }

  Result<std::optional<std::string>> At(int64_t row) {
    TARN_ASSIGN_OR_RETURN(const LeafCursor* records, records_.At(row));
    if (records == nullptr) return std::optional<std::string>();
    FileStats stats;
    stats.Reset(columns_.size());
    stats.record_count = records->integer();
    TARN_ASSIGN_OR_RETURN(const LeafCursor* tight, tight_.At(row));
    stats.tight = tight == nullptr || tight->integer() != 0;
    for (size_t i = 0; i < columns_.size(); ++i) {
      const Type& type = wanted_.fields()[i].type;
      TARN_ASSIGN_OR_RETURN(const LeafCursor* lower, columns_[i].lower.At(row));
      if (lower != nullptr) stats.fields[i].lower = lower->ValueAs(type);
      TARN_ASSIGN_OR_RETURN(const LeafCursor* upper, columns_[i].upper.At(row));
      if (upper != nullptr) stats.fields[i].upper = upper->ValueAs(type);
      TARN_ASSIGN_OR_RETURN(const LeafCursor* nulls, columns_[i].nulls.At(row));
      if (nulls != nullptr) stats.fields[i].null_count = nulls->integer();
      if (!type.IsTimestamp()) continue;
      if (auto* micros = std::get_if<int64_t>(&stats.fields[i].lower)) {
        *micros = WidenLowerMicros(*micros);
      }
      if (auto* micros = std::get_if<int64_t>(&stats.fields[i].upper)) {
        *micros = WidenUpperMicros(*micros);
      }
    }
    DataFile file;
    file.record_count = stats.record_count;
    file.tight_bounds = stats.tight;
    file.statistics = ToColumnStatistics(wanted_, stats);
    return writer_.ToJson(file);
  }

 private:
  struct Columns {
    RowColumn lower, upper, nulls;
  };
  const StatsFields wanted_;
  const StatsWriter writer_;
  RowColumn records_, tight_;
  std::vector<Columns> columns_;
};

class Replay {
 public:
  Replay(Runtime& runtime, const TableHome& home, const FileVisitor& visitor)
      : runtime_(runtime), home_(home), visitor_(visitor) {}

  Status Json(const ObjectInfo& object) {
    TARN_RETURN_IF_ERROR(runtime_.cancellation.Check());
    std::vector<std::vector<Action>> newest_first;
    TARN_RETURN_IF_ERROR(
        ReadOrCommits(runtime_, home_, object, [&](const ObjectInfo& one) -> Status {
          TARN_ASSIGN_OR_RETURN(std::vector<Action> actions, ActionsOfFiles(one));
          newest_first.push_back(std::move(actions));
          return {};
        }));
    for (std::vector<Action>& actions : newest_first) {
      for (auto action = actions.rbegin(); action != actions.rend(); ++action) {
        if (auto* add = std::get_if<AddFile>(&*action)) {
          TARN_RETURN_IF_ERROR(Take(std::move(*add)));
        } else if (auto* remove = std::get_if<RemoveFile>(&*action)) {
          TARN_RETURN_IF_ERROR(Take(std::move(*remove)));
        }
      }
    }
    return {};
  }

  Status Parquet(const CheckpointParquet& file, int row_group, const Schema& schema) {
    TARN_RETURN_IF_ERROR(runtime_.cancellation.Check());
    TARN_RETURN_IF_ERROR(Adds(file, row_group, schema));
    if (visitor_.remove) TARN_RETURN_IF_ERROR(Removes(file, row_group));
    return {};
  }

 private:
  Result<std::vector<Action>> ActionsOfFiles(const ObjectInfo& object) const {
    TARN_ASSIGN_OR_RETURN(Bytes bytes, home_.storage.Read(object.path));
    std::vector<Action> actions;
    const Status read = ForEachAction(bytes, [&](Action&& action) -> Status {
      if (std::holds_alternative<AddFile>(action) || std::holds_alternative<RemoveFile>(action)) {
        actions.push_back(std::move(action));
      }
      return {};
    });
    if (!read.ok()) return read.error().WithContext("delta: '" + object.path.str() + "'");
    return actions;
  }

  static std::string IdOf(const std::optional<DeletionVectorDescriptor>& vector) {
    return vector ? vector->UniqueId() : std::string();
  }

  Status Take(AddFile&& add) {
    const std::string_view path = FileKey(home_, add.path, scratch_);
    const std::string id = IdOf(add.deletion_vector);
    named_.ClaimRemove(path, id);
    if (!seen_.ClaimAdd(path, id)) return {};
    return visitor_.add(std::move(add));
  }

  Status Take(RemoveFile&& remove) {
    const std::string_view path = FileKey(home_, remove.path, scratch_);
    const std::string id = IdOf(remove.deletion_vector);
    // A tombstone lives on while nothing newer names the same logical file.
    const bool newest = !named_.IsDead(path, id);
    named_.ClaimRemove(path, id);
    seen_.ClaimRemove(path, id);
    if (!newest || !visitor_.remove) return {};
    return visitor_.remove(std::move(remove));
  }

  // The rows of a checkpoint are a reconciled state: they supersede nothing among themselves, so
  // nothing of a million files is kept.
  Status Adds(const CheckpointParquet& file, int row_group, const Schema& schema) {
    FileColumns columns(file, row_group, "add");
    if (!columns.path.there()) return {};
    TARN_RETURN_IF_ERROR(columns.OpenMaps(file, row_group, "add"));
    RowColumn modified(file, row_group, file.Leaf({"add", "modificationTime"}));
    RowColumn stats(file, row_group, file.Leaf({"add", "stats"}));
    RowColumn provider(file, row_group, file.Leaf({"add", "clusteringProvider"}));
    ParsedStats parsed(schema, file, row_group);
    const int64_t rows = file.rows(row_group);
    for (int64_t row = 0; row < rows; ++row) {
      TARN_RETURN_IF_ERROR(columns.NextMaps());
      TARN_ASSIGN_OR_RETURN(auto path, FileColumns::Text(columns.path, row));
      if (!path) continue;
      AddFile add;
      add.path = *std::move(path);
      TARN_RETURN_IF_ERROR(columns.Fill(row, add));
      if (seen_.IsDead(FileKey(home_, add.path, scratch_), IdOf(add.deletion_vector))) continue;
      TARN_ASSIGN_OR_RETURN(const auto size, FileColumns::Int(columns.size, row));
      add.size_bytes = size.value_or(0);
      TARN_ASSIGN_OR_RETURN(const auto time, FileColumns::Int(modified, row));
      add.modified_ms = time.value_or(0);
      TARN_ASSIGN_OR_RETURN(add.stats, FileColumns::Text(stats, row));
      if (!add.stats) {
        TARN_ASSIGN_OR_RETURN(add.stats, parsed.At(row));
      }
      TARN_ASSIGN_OR_RETURN(add.clustering_provider, FileColumns::Text(provider, row));
      TARN_RETURN_IF_ERROR(visitor_.add(std::move(add)));
    }
    return {};
  }

  Status Removes(const CheckpointParquet& file, int row_group) {
    FileColumns columns(file, row_group, "remove");
    if (!columns.path.there()) return {};
    TARN_RETURN_IF_ERROR(columns.OpenMaps(file, row_group, "remove"));
    RowColumn deleted(file, row_group, file.Leaf({"remove", "deletionTimestamp"}));
    RowColumn extended(file, row_group, file.Leaf({"remove", "extendedFileMetadata"}));
    const int64_t rows = file.rows(row_group);
    for (int64_t row = 0; row < rows; ++row) {
      TARN_RETURN_IF_ERROR(columns.NextMaps());
      TARN_ASSIGN_OR_RETURN(auto path, FileColumns::Text(columns.path, row));
      if (!path) continue;
      RemoveFile remove;
      remove.path = *std::move(path);
      TARN_RETURN_IF_ERROR(columns.Fill(row, remove));
      if (named_.IsDead(FileKey(home_, remove.path, scratch_), IdOf(remove.deletion_vector))) {
        continue;
      }
      TARN_ASSIGN_OR_RETURN(remove.size_bytes, FileColumns::Int(columns.size, row));
      TARN_ASSIGN_OR_RETURN(remove.deletion_timestamp_ms, FileColumns::Int(deleted, row));
      TARN_ASSIGN_OR_RETURN(const auto is_extended, FileColumns::Int(extended, row));
      remove.extended_file_metadata = is_extended.value_or(0) != 0;
      TARN_RETURN_IF_ERROR(visitor_.remove(std::move(remove)));
    }
    return {};
  }

  Runtime& runtime_;
  const TableHome& home_;
  const FileVisitor& visitor_;
  SeenFiles seen_;   // for adds
  SeenFiles named_;  // (path, vector) of every newer action: for tombstones
  std::string scratch_;
};

}  // namespace

Status ReplayFiles(Runtime& runtime, const TableHome& home, const DeltaState& state,
                   const FileVisitor& visitor) {
  TARN_ASSIGN_OR_RETURN(const TableMetadata metadata,
                        ToTableMetadata(state.protocol, state.metadata));
  TARN_ASSIGN_OR_RETURN(const LogFiles files, OpenLogFiles(runtime, home, state));
  Replay replay(runtime, home, visitor);
  for (const ObjectInfo& object : files.json) TARN_RETURN_IF_ERROR(replay.Json(object));
  for (const auto& file : files.parquet) {
    for (int row_group = 0; row_group < file->row_groups(); ++row_group) {
      TARN_RETURN_IF_ERROR(replay.Parquet(*file, row_group, metadata.schema));
    }
  }
  return {};
}

}  // namespace tarn::delta
