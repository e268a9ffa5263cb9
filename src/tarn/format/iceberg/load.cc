#include "tarn/format/iceberg/load.h"

#include <charconv>
#include <memory>
#include <utility>
#include <variant>

#include "tarn/base/text.h"
#include "tarn/format/iceberg/snapshot_state.h"

namespace tarn::iceberg {
namespace {

using MetadataPtr = std::shared_ptr<const Metadata>;

TableMetadata ToTableMetadata(const Metadata& metadata, const Schema& schema) {
  TableMetadata model;
  model.table_id = metadata.table_uuid;
  model.schema = schema;
  model.schema.last_column_id = std::max(schema.last_column_id, metadata.last_column_id);
  model.specs = metadata.specs;
  model.default_spec_id = metadata.default_spec_id;
  model.sort_order = SortOrderOf(metadata);
  model.column_match = ColumnMatch::kByIdElseAlias;
  model.reader_version = metadata.format_version;
  model.writer_version = metadata.format_version;
  for (const auto& [name, value] : metadata.properties) {
    if (name.starts_with(kPositionPrefix) || name == kCommitIdProperty) continue;
    if (name.starts_with(kConstraintPrefix)) {
      model.constraints.push_back({name.substr(kConstraintPrefix.size()), value});
    } else if (name == "comment") {
      model.description = value;
    } else {
      model.properties[name] = value;
    }
  }
  return model;
}

std::optional<int64_t> Total(const SnapshotEntry& snapshot, const char* key) {
  const auto found = snapshot.summary.find(key);
  if (found == snapshot.summary.end()) return std::nullopt;
  return ParseInt64(found->second);
}

Snapshot Assemble(MetadataPtr metadata, MetadataFile file, const SnapshotEntry* entry,
                  const Schema& schema, std::string version) {
  Snapshot snapshot;
  snapshot.version.text = std::move(version);
  snapshot.metadata = ToTableMetadata(*metadata, schema);
  snapshot.timestamp_ms = metadata->last_updated_ms;
  for (const auto& [name, value] : metadata->properties) {
    if (name.starts_with(kPositionPrefix)) {
      snapshot.positions[name.substr(kPositionPrefix.size())] = value;
    }
  }
  if (entry == nullptr) {
    snapshot.file_count = snapshot.record_count = snapshot.size_bytes = 0;
  } else {
    snapshot.file_count = Total(*entry, "total-data-files");
    snapshot.size_bytes = Total(*entry, "total-files-size");
    // Only without deletes is the number of records that of rows.
    if (Total(*entry, "total-delete-files") == 0) {
      snapshot.record_count = Total(*entry, "total-records");
    }
  }
  auto state = std::make_shared<IcebergState>();
  state->file = std::move(file);
  if (entry != nullptr) state->snapshot_id = entry->id;
  state->metadata = std::move(metadata);
  snapshot.state = std::move(state);
  return snapshot;
}

// A snapshot as it was: under its own schema.
Snapshot AtSnapshot(const MetadataPtr& metadata, const MetadataFile& file,
                    const SnapshotEntry& entry) {
  const Schema* schema = entry.schema_id ? metadata->SchemaById(*entry.schema_id) : nullptr;
  Snapshot snapshot =
      Assemble(metadata, file, &entry, schema == nullptr ? metadata->current_schema() : *schema,
               SnapshotIdText(entry.id));
  snapshot.timestamp_ms = entry.timestamp_ms;
  return snapshot;
}

std::optional<int64_t> SnapshotIdIn(std::string_view text) {
  uint64_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return static_cast<int64_t>(id);
}

Result<Snapshot> AtNamedVersion(MetadataReader& files, const TableHome& home,
                                const MetadataPtr& metadata, const MetadataFile& file,
                                const std::string& version) {
  if (const auto ref = metadata->refs.find(version); ref != metadata->refs.end()) {
    const SnapshotEntry* entry = metadata->SnapshotById(ref->second.snapshot_id);
    if (entry == nullptr) {
      return Corrupt("iceberg: ref '" + version + "' names a snapshot that is not there");
    }
    if (!ref->second.is_branch) return AtSnapshot(metadata, file, *entry);
    Snapshot snapshot = Assemble(metadata, file, entry, metadata->current_schema(), version);
    snapshot.timestamp_ms = entry->timestamp_ms;
    return snapshot;
  }
  if (const auto id = SnapshotIdIn(version)) {
    const SnapshotEntry* entry = metadata->SnapshotById(*id);
    if (entry != nullptr) return AtSnapshot(metadata, file, *entry);
    return NotFound("iceberg: '" + home.root.str() + "': no snapshot " + version);
  }
  if (version == file.name.stem) return SnapshotOf(metadata, file, home.branch);
  Result<MetadataFile> named_file = FindByStem(home, version);
  if (!named_file.ok()) {
    if (named_file.error().code != ErrorCode::kNotFound) return std::move(named_file).error();
    return NotFound("iceberg: '" + home.root.str() +
                    "': no branch, tag, snapshot or metadata file '" + version + "'");
  }
  const MetadataFile named = *std::move(named_file);
  TARN_ASSIGN_OR_RETURN(MetadataPtr read, files.Read(home, named.path));
  return SnapshotOf(std::move(read), named, home.branch);
}

Result<Snapshot> AtTime(const TableHome& home, const MetadataPtr& metadata,
                        const MetadataFile& file, int64_t micros) {
  // Rounded down towards the past: a snapshot of the next millisecond is younger.
  const int64_t ms = micros / 1000 - (micros % 1000 < 0 ? 1 : 0);
  const SnapshotLogEntry* last = nullptr;
  for (const SnapshotLogEntry& entry : metadata->snapshot_log) {
    if (entry.timestamp_ms <= ms) last = &entry;
  }
  std::vector<SnapshotLogEntry> of_snapshots;
  if (metadata->snapshot_log.empty()) {
    for (const SnapshotEntry& entry : metadata->snapshots) {
      if (entry.timestamp_ms <= ms) of_snapshots.push_back({entry.timestamp_ms, entry.id});
    }
    if (!of_snapshots.empty()) last = &of_snapshots.back();
  }
  if (last == nullptr) {
    return NotFound("iceberg: '" + home.root.str() + "': no snapshot is that old");
  }
  const SnapshotEntry* entry = metadata->SnapshotById(last->snapshot_id);
  if (entry == nullptr) {
    return NotFound("iceberg: '" + home.root.str() + "': snapshot " +
                    SnapshotIdText(last->snapshot_id) + " of that time has expired");
  }
  return AtSnapshot(metadata, file, *entry);
}

}  // namespace

Snapshot SnapshotOf(std::shared_ptr<const Metadata> metadata, const MetadataFile& file) {
  const SnapshotEntry* entry = metadata->current_snapshot();
  const Schema& schema = metadata->current_schema();
  return Assemble(std::move(metadata), file, entry, schema, file.name.stem);
}

std::optional<int64_t> HeadOf(const Metadata& metadata, const std::string& branch) {
  if (branch.empty() || branch == kMainBranch) return metadata.current_snapshot_id;
  const auto ref = metadata.refs.find(branch);
  if (ref == metadata.refs.end()) return std::nullopt;
  return ref->second.snapshot_id;
}

Result<Snapshot> SnapshotOf(std::shared_ptr<const Metadata> metadata, const MetadataFile& file,
                            const std::string& branch) {
  if (branch.empty() || branch == kMainBranch) return SnapshotOf(std::move(metadata), file);
  const auto ref = metadata->refs.find(branch);
  if (ref == metadata->refs.end()) {
    return NotFound("iceberg: no branch '" + branch + "'; ALTER TABLE … CREATE BRANCH " + branch +
                    " makes one");
  }
  if (!ref->second.is_branch) {
    return Invalid("iceberg: '" + branch + "' is a tag, not a branch");
  }
  const SnapshotEntry* entry = metadata->SnapshotById(ref->second.snapshot_id);
  if (entry == nullptr) {
    return Corrupt("iceberg: branch '" + branch + "' names a snapshot that is not there");
  }
  const Schema& schema = metadata->current_schema();
  return Assemble(std::move(metadata), file, entry, schema, file.name.stem);
}

Result<Snapshot> LoadSnapshot(MetadataReader& files, const TableHome& home, const AsOf& as_of) {
  TARN_ASSIGN_OR_RETURN(const MetadataFile file, FindNewest(home));
  TARN_ASSIGN_OR_RETURN(MetadataPtr metadata, files.Read(home, file.path));
  if (const auto* at = std::get_if<AtVersion>(&as_of)) {
    return AtNamedVersion(files, home, metadata, file, at->version);
  }
  if (const auto* at_time = std::get_if<AtTimestamp>(&as_of)) {
    return AtTime(home, metadata, file, at_time->micros);
  }
  return SnapshotOf(std::move(metadata), file, home.branch);
}

Result<int64_t> SnapshotIdOf(MetadataReader& files, const TableHome& home,
                             const std::string& version) {
  TARN_ASSIGN_OR_RETURN(const Snapshot snapshot, LoadSnapshot(files, home, AtVersion{version}));
  TARN_ASSIGN_OR_RETURN(const IcebergState* state, StateOf(snapshot));
  if (!state->snapshot_id) {
    return NotFound("iceberg: '" + home.root.str() + "' has no snapshot yet: write rows first");
  }
  return *state->snapshot_id;
}

}  // namespace tarn::iceberg
