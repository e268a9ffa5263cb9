#include "tarn/format/iceberg/expire.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <arrow/api.h>

#include "tarn/base/text.h"
#include "tarn/format/iceberg/json_internal.h"
#include "tarn/format/iceberg/load.h"
#include "tarn/format/iceberg/location.h"
#include "tarn/format/iceberg/manifest_list.h"
#include "tarn/format/iceberg/manifest_reader.h"
#include "tarn/format/iceberg/relation_rows.h"
#include "tarn/format/iceberg/snapshot_state.h"

namespace tarn::iceberg {
namespace {

Result<int64_t> NumberProperty(const Metadata& metadata, const char* name, int64_t otherwise) {
  const auto found = metadata.properties.find(name);
  if (found == metadata.properties.end()) return otherwise;
  const std::optional<int64_t> number = ParseInt64(found->second);
  if (!number || *number < 0) {
    return Invalid(std::string("iceberg: table property '") + name + "' is '" + found->second +
                   "', expected a number from 0");
  }
  return *number;
}

Status CheckCollects(const Metadata& metadata) {
  const auto collects = metadata.properties.find("gc.enabled");
  if (collects == metadata.properties.end() || AsciiLower(collects->second) != "false") {
    return OkStatus();
  }
  return Invalid(
      "iceberg: the table's property gc.enabled is false: its files may belong to other tables, so "
      "nothing is removed; set it to true if they do not");
}

// The objects that a set of snapshots leads to.
class Reached {
 public:
  Reached(Runtime& runtime, const TableHome& home, const Metadata& metadata)
      : runtime_(runtime), home_(home), metadata_(metadata), locations_(home, metadata.location) {}

  const Locations& locations() const { return locations_; }

  // Nothing for a snapshot whose list is gone: it has been removed already.
  Result<std::vector<ManifestFile>> ManifestsOf(const SnapshotEntry& snapshot) const {
    Result<std::vector<ManifestFile>> manifests =
        ReadManifests(runtime_, home_, locations_, snapshot);
    if (!manifests.ok() && manifests.error().code == ErrorCode::kNotFound) {
      return std::vector<ManifestFile>();
    }
    return manifests;
  }

  // The files that a manifest names; those removed by its commit only if asked for.
  Status AddFiles(const ManifestFile& manifest, bool removed_too,
                  std::set<std::string>& files) const {
    TARN_ASSIGN_OR_RETURN(const Path path, locations_.Resolve(manifest.location));
    Result<ManifestReader> reader = ManifestReader::Make(runtime_, home_, path, metadata_,
                                                         metadata_.current_schema(), manifest, {});
    if (!reader.ok()) {
      const bool gone = removed_too && reader.error().code == ErrorCode::kNotFound;
      return gone ? OkStatus() : Status(reader.error());
    }
    while (true) {
      TARN_ASSIGN_OR_RETURN(const auto entries, reader->Next());
      if (!entries) return OkStatus();
      for (int64_t row = 0; row < entries->size; ++row) {
        const bool removed = entries->status[static_cast<size_t>(row)] == EntryStatus::kDeleted;
        if (removed && !removed_too) continue;
        files.insert(std::string(*entries->location.At(row)));
      }
    }
  }

 private:
  Runtime& runtime_;
  const TableHome& home_;
  const Metadata& metadata_;
  const Locations locations_;
};

// Snapshots that earlier metadata files knew and `metadata` does not, by id.
Result<std::map<int64_t, SnapshotEntry>> Forgotten(const TableHome& home,
                                                   const Locations& locations,
                                                   const Metadata& metadata) {
  std::map<int64_t, SnapshotEntry> forgotten;
  for (const MetadataLogEntry& entry : metadata.metadata_log) {
    TARN_ASSIGN_OR_RETURN(const Path path, locations.Resolve(entry.location));
    const Result<Metadata> earlier = ReadMetadata(home, path);
    if (!earlier.ok()) {
      if (earlier.error().code == ErrorCode::kNotFound) continue;
      return earlier.error();
    }
    if (earlier->table_uuid != metadata.table_uuid) continue;
    for (const SnapshotEntry& snapshot : earlier->snapshots) {
      if (metadata.SnapshotById(snapshot.id) == nullptr) forgotten.emplace(snapshot.id, snapshot);
    }
  }
  return forgotten;
}

}  // namespace

Result<Expiry> PlanExpiry(Runtime& runtime, const TableHome& /*home*/, const Snapshot& snapshot,
                          const ExpiryRequest& request) {
  TARN_ASSIGN_OR_RETURN(const IcebergState* state, StateOf(snapshot));
  const Metadata& metadata = *state->metadata;
  TARN_RETURN_IF_ERROR(CheckCollects(metadata));
  Expiry expiry;
  if (!request.versions.empty()) {
    for (const std::string& version : request.versions) {
      const auto known = std::find_if(
          metadata.snapshots.begin(), metadata.snapshots.end(),
          [&](const SnapshotEntry& entry) { return SnapshotIdText(entry.id) == version; });
      if (known == metadata.snapshots.end()) {
        return NotFound("iceberg: the table has no snapshot " + version);
      }
      for (const auto& [name, ref] : metadata.refs) {
        if (ref.snapshot_id != known->id) continue;
        return Invalid("iceberg: snapshot " + version + " cannot expire: '" + name + "' names it");
      }
      if (metadata.current_snapshot_id == known->id) {
        return Invalid("iceberg: snapshot " + version + " cannot expire: it is the current one");
      }
      expiry.versions.push_back(version);
    }
    return expiry;
  }
  constexpr int64_t kFiveDaysMs = int64_t{5} * 24 * 3600 * 1000;
  const int64_t now_ms = runtime.clock.NowMicros() / 1000;
  TARN_ASSIGN_OR_RETURN(
      const int64_t age_ms,
      NumberProperty(metadata, "history.expire.max-snapshot-age-ms", kFiveDaysMs));
  TARN_ASSIGN_OR_RETURN(int64_t keep_min,
                        NumberProperty(metadata, "history.expire.min-snapshots-to-keep", 1));
  TARN_ASSIGN_OR_RETURN(const int64_t ref_age_ms,
                        NumberProperty(metadata, "history.expire.max-ref-age-ms", INT64_MAX));
  const int64_t older_than_ms = request.older_than_ms.value_or(now_ms - age_ms);
  keep_min = request.keep_min.value_or(keep_min);
  if (keep_min < 1) return Invalid("expire: at least one version of a branch is kept");

  std::set<int64_t> kept;
  std::set<int64_t> led_to;  // by any reference that stays, kept or not
  const auto follow = [&](int64_t head, int64_t not_older_ms, int64_t least) {
    const SnapshotEntry* at = metadata.SnapshotById(head);
    int64_t count = 0;
    bool keeps = true;
    std::set<int64_t> seen;
    while (at != nullptr && seen.insert(at->id).second) {
      led_to.insert(at->id);
      keeps = keeps && (count < least || at->timestamp_ms >= not_older_ms);
      if (keeps) kept.insert(at->id);
      ++count;
      at = at->parent_id ? metadata.SnapshotById(*at->parent_id) : nullptr;
    }
  };
  bool main_seen = false;
  for (const auto& [name, ref] : metadata.refs) {
    const SnapshotEntry* named = metadata.SnapshotById(ref.snapshot_id);
    if (name != kMainBranch) {
      const int64_t most_ms = ref.max_ref_age_ms.value_or(ref_age_ms);
      if (named == nullptr || now_ms - named->timestamp_ms > most_ms) {
        expiry.references.push_back(
            {.kind = ref.is_branch ? ReferenceChange::Kind::kBranch : ReferenceChange::Kind::kTag,
             .name = name});
        continue;
      }
    }
    main_seen |= name == kMainBranch;
    if (!ref.is_branch) {
      kept.insert(ref.snapshot_id);
      led_to.insert(ref.snapshot_id);
      continue;
    }
    follow(ref.snapshot_id,
           ref.max_snapshot_age_ms ? now_ms - *ref.max_snapshot_age_ms : older_than_ms,
           ref.min_snapshots_to_keep.value_or(keep_min));
  }
  // Metadata of version 1 need not name its main branch.
  if (!main_seen && metadata.current_snapshot_id) {
    follow(*metadata.current_snapshot_id, older_than_ms, keep_min);
  }
  for (const SnapshotEntry& entry : metadata.snapshots) {
    if (kept.contains(entry.id)) continue;
    if (!led_to.contains(entry.id) && entry.timestamp_ms >= older_than_ms) continue;
    expiry.versions.push_back(SnapshotIdText(entry.id));
  }
  return expiry;
}

Result<std::vector<Path>> ExpiredObjects(Runtime& runtime, const TableHome& home,
                                         const Snapshot& snapshot) {
  TARN_ASSIGN_OR_RETURN(const IcebergState* state, StateOf(snapshot));
  const Metadata& metadata = *state->metadata;
  TARN_RETURN_IF_ERROR(CheckCollects(metadata));
  const Reached reached(runtime, home, metadata);
  TARN_ASSIGN_OR_RETURN(const auto forgotten, Forgotten(home, reached.locations(), metadata));
  std::map<std::string, ManifestFile> expired;
  std::set<std::string> lists;
  for (const auto& [id, entry] : forgotten) {
    TARN_ASSIGN_OR_RETURN(const auto manifests, reached.ManifestsOf(entry));
    for (const ManifestFile& manifest : manifests) expired.emplace(manifest.location, manifest);
    if (!entry.manifest_list.empty()) lists.insert(entry.manifest_list);
  }
  std::map<std::string, ManifestFile> needed;
  for (const SnapshotEntry& entry : metadata.snapshots) {
    if (expired.empty()) break;
    TARN_ASSIGN_OR_RETURN(const auto manifests,
                          ReadManifests(runtime, home, reached.locations(), entry));
    for (const ManifestFile& manifest : manifests) {
      expired.erase(manifest.location);
      needed.emplace(manifest.location, manifest);
    }
    lists.erase(entry.manifest_list);
  }
  std::set<std::string> files;
  for (const auto& [location, manifest] : expired) {
    TARN_RETURN_IF_ERROR(reached.AddFiles(manifest, true, files));
  }
  for (const auto& [location, manifest] : needed) {
    if (files.empty()) break;
    std::set<std::string> live;
    TARN_RETURN_IF_ERROR(reached.AddFiles(manifest, false, live));
    for (const std::string& one : live) files.erase(one);
  }
  std::vector<Path> objects;
  const auto add = [&](const std::string& location) -> Status {
    TARN_ASSIGN_OR_RETURN(Path path, reached.locations().Resolve(location));
    const Result<ObjectInfo> info = home.storage.Stat(path);
    if (info.ok()) objects.push_back(std::move(path));
    return info.ok() || info.error().code == ErrorCode::kNotFound ? OkStatus()
                                                                  : Status(info.error());
  };
  for (const std::string& location : files) TARN_RETURN_IF_ERROR(add(location));
  for (const auto& [location, manifest] : expired) TARN_RETURN_IF_ERROR(add(location));
  for (const std::string& location : lists) TARN_RETURN_IF_ERROR(add(location));
  return objects;
}

Result<Relation> NeededObjects(Runtime& runtime, const TableHome& home, const IcebergState& state) {
  const Metadata& metadata = *state.metadata;
  TARN_RETURN_IF_ERROR(CheckCollects(metadata));
  const Reached reached(runtime, home, metadata);
  RelationRows rows({FieldOf("path", arrow::utf8()), FieldOf("kind", arrow::utf8())});
  const auto add = [&](const std::string& location, const char* kind) -> Status {
    TARN_ASSIGN_OR_RETURN(const Path path, reached.locations().Resolve(location));
    rows.Text(0, home.Spell(path));
    rows.Text(1, kind);
    return OkStatus();
  };
  std::map<std::string, ManifestFile> manifests;
  for (const SnapshotEntry& entry : metadata.snapshots) {
    TARN_ASSIGN_OR_RETURN(const auto of_snapshot,
                          ReadManifests(runtime, home, reached.locations(), entry));
    for (const ManifestFile& manifest : of_snapshot) {
      manifests.emplace(manifest.location, manifest);
    }
    if (!entry.manifest_list.empty()) {
      TARN_RETURN_IF_ERROR(add(entry.manifest_list, "manifest list"));
    }
  }
  std::set<std::string> files;
  for (const auto& [location, manifest] : manifests) {
    TARN_RETURN_IF_ERROR(runtime.cancellation.Check());
    TARN_RETURN_IF_ERROR(add(location, "manifest"));
    TARN_RETURN_IF_ERROR(reached.AddFiles(manifest, false, files));
  }
  for (const std::string& location : files) TARN_RETURN_IF_ERROR(add(location, "file"));
  for (const MetadataLogEntry& entry : metadata.metadata_log) {
    TARN_RETURN_IF_ERROR(add(entry.location, "metadata"));
  }
  TARN_ASSIGN_OR_RETURN(const Json document, ParseJson(metadata.text, "metadata"));
  for (const char* list : {"statistics", "partition-statistics"}) {
    const Json* entries = Member(document, list);
    if (entries == nullptr || !entries->is_array()) continue;
    for (const Json& entry : *entries) {
      TARN_ASSIGN_OR_RETURN(const std::string location,
                            RequiredText(entry, "statistics-path", list));
      TARN_RETURN_IF_ERROR(add(location, "statistics"));
    }
  }
  for (const Path& path : {state.file.path, home.root / kMetadataFolder / kVersionHint}) {
    rows.Text(0, home.Spell(path));
    rows.Text(1, "metadata");
  }
  return rows.Finish();
}

}  // namespace tarn::iceberg
