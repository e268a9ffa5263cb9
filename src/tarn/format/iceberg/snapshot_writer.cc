#include "tarn/format/iceberg/snapshot_writer.h"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>

#include "tarn/base/uuid.h"
#include "tarn/format/iceberg/manifest_list.h"
#include "tarn/format/iceberg/manifest_reader.h"
#include "tarn/format/iceberg/manifest_writer.h"
#include "tarn/format/iceberg/metadata_files.h"
#include "tarn/format/iceberg/summary.h"

namespace tarn::iceberg {
namespace {

// Entries of a new manifest, at most: about commit.manifest.target-size-bytes.
constexpr size_t kEntriesMax = 40'000;

// A manifest of the new snapshot: one that stands, or one that this commit makes of its entries.
struct Piece {
  ManifestFile file;
  EntryBatches made = {};  // empty: it stands as it is
};

class SnapshotWriter {
 public:
  SnapshotWriter(Runtime& runtime, const TableHome& home, const Locations& locations,
                 const SnapshotBase& base, const Commit& commit, const NewDeletes& deletes)
      : runtime_(runtime),
        home_(home),
        locations_(locations),
        base_(base),
        metadata_(*base.metadata),
        commit_(commit),
        deletes_(deletes),
        name_(NewUuid(runtime.random)) {}

  Result<NewSnapshot> Write() {
    SnapshotEntry& entry = made_.entry;
    do {
      entry.id = static_cast<int64_t>(runtime_.random.Next() >> 1);
    } while (entry.id == 0 || metadata_.SnapshotById(entry.id) != nullptr);
    if (base_.parent != nullptr) entry.parent_id = base_.parent->id;
    if (metadata_.format_version > 1) entry.sequence_number = metadata_.last_sequence_number + 1;
    entry.timestamp_ms = base_.timestamp_ms;
    entry.schema_id = metadata_.current_schema_id;

    TARN_RETURN_IF_ERROR(AddNew());
    TARN_RETURN_IF_ERROR(TakeStanding());
    TARN_RETURN_IF_ERROR(Merge());
    std::vector<ManifestFile> manifests;
    manifests.reserve(pieces_.size());
    for (Piece& piece : pieces_) manifests.push_back(std::move(piece.file));
    AssignRowIds(manifests);
    entry.summary = SummaryOf(commit_, base_.parent, deletes_removed_, deletes_);
    ManifestListHeader header{entry.id, entry.parent_id, entry.sequence_number,
                              metadata_.format_version, entry.first_row_id};
    TARN_ASSIGN_OR_RETURN(Bytes list, BuildManifestList(runtime_, header, manifests));
    const std::string list_name = "snap-" + std::to_string(entry.id) + "-1-" + name_ + ".avro";
    entry.manifest_list = LocationIn(list_name);
    made_.objects.push_back({home_.root / kMetadataFolder / list_name, std::move(list)});
    return std::move(made_);
  }

 private:
  std::string LocationIn(const std::string& name) const {
    return locations_.LocationOf(std::string(kMetadataFolder) + "/" + name);
  }

  Result<const ManifestShape*> ShapeOf(int32_t spec_id) {
    const auto known = shapes_.find(spec_id);
    if (known != shapes_.end()) return &known->second;
    const PartitionSpec* spec = metadata_.SpecById(spec_id);
    if (spec == nullptr) return Corrupt("iceberg: no partition spec " + std::to_string(spec_id));
    const Schema& schema = metadata_.current_schema();
    TARN_ASSIGN_OR_RETURN(
        ManifestShape shape,
        MakeShape(*spec, PartitionTypes(metadata_, schema, *spec), metadata_.format_version,
                  made_.entry.id, made_.entry.sequence_number, schema));
    return &shapes_.emplace(spec_id, std::move(shape)).first->second;
  }

  // Builds a manifest of entries and stages it.
  Result<Piece> Make(int32_t spec_id, ManifestContent content, EntryBatches batches) {
    TARN_ASSIGN_OR_RETURN(const ManifestShape* shape, ShapeOf(spec_id));
    const std::string name = name_ + "-m" + std::to_string(next_manifest_++) + ".avro";
    TARN_ASSIGN_OR_RETURN(BuiltManifest built,
                          BuildManifest(runtime_, *shape, content, batches, LocationIn(name)));
    staged_[built.file.location] = made_.objects.size();
    made_.objects.push_back({home_.root / kMetadataFolder / name, std::move(built.bytes)});
    return Piece{std::move(built.file), std::move(batches)};
  }

  Status AddNew() {
    TARN_ASSIGN_OR_RETURN(const auto modes,
                          MetricsModes(metadata_.current_schema(), metadata_.properties));
    for (size_t begin = 0; begin < commit_.added.size(); begin += kEntriesMax) {
      const size_t end = std::min(commit_.added.size(), begin + kEntriesMax);
      std::vector<DataFile> files(commit_.added.begin() + static_cast<ptrdiff_t>(begin),
                                  commit_.added.begin() + static_cast<ptrdiff_t>(end));
      TARN_ASSIGN_OR_RETURN(const ManifestShape* shape, ShapeOf(metadata_.default_spec_id));
      TARN_ASSIGN_OR_RETURN(EntryBatches batches, AddedEntries(*shape, files, modes, locations_));
      TARN_ASSIGN_OR_RETURN(
          Piece piece, Make(metadata_.default_spec_id, ManifestContent::kData, std::move(batches)));
      pieces_.push_back(std::move(piece));
    }
    std::map<int32_t, std::vector<NewDelete>> by_spec;
    for (const NewDelete& one : deletes_.entries) by_spec[one.file.spec_id].push_back(one);
    for (const auto& [spec_id, of_spec] : by_spec) {
      TARN_ASSIGN_OR_RETURN(const ManifestShape* shape, ShapeOf(spec_id));
      TARN_ASSIGN_OR_RETURN(EntryBatches batches, AddedDeleteEntries(*shape, of_spec));
      TARN_ASSIGN_OR_RETURN(Piece piece,
                            Make(spec_id, ManifestContent::kDeletes, std::move(batches)));
      pieces_.push_back(std::move(piece));
    }
    return OkStatus();
  }

  // The parent's manifests: as they are, or written again without the files that go.
  Status TakeStanding() {
    if (base_.parent == nullptr) return MissingFiles(0);
    TARN_ASSIGN_OR_RETURN(std::vector<ManifestFile> standing,
                          ReadManifests(runtime_, home_, locations_, *base_.parent));
    std::unordered_set<std::string> removed;
    std::set<int32_t> specs;
    for (const DataFile& file : commit_.removed) {
      removed.insert(file.location.empty() ? locations_.LocationOf(file.path) : file.location);
      specs.insert(file.spec_id);
    }
    int64_t found = 0;
    for (ManifestFile& manifest : standing) {
      if (!manifest.MayHaveLiveFiles()) continue;  // deleted entries of an earlier commit
      const bool data = manifest.content == ManifestContent::kData;
      const bool counted = manifest.added_files && manifest.existing_files &&
                           manifest.deleted_files && manifest.added_rows &&
                           manifest.existing_rows && manifest.deleted_rows;
      // Vectors in puffin files belong to one data file and go with it.
      const bool may_lose =
          data ? specs.contains(manifest.spec_id)
               : !(removed.empty() && deletes_.replaced.empty()) && metadata_.format_version >= 3;
      if (counted && !may_lose) {
        pieces_.push_back({std::move(manifest)});
        continue;
      }
      TARN_ASSIGN_OR_RETURN(const ManifestShape* shape, ShapeOf(manifest.spec_id));
      TARN_ASSIGN_OR_RETURN(const Path path, locations_.Resolve(manifest.location));
      const DecideFate decide = [&](std::string_view location,
                                    std::optional<std::string_view> referenced) {
        const auto name = data ? std::optional(location) : referenced;
        if (name && removed.contains(std::string(*name))) return Fate::kDeleted;
        return !data && name && deletes_.replaced.contains(*name) ? Fate::kDeleted : Fate::kKept;
      };
      TARN_ASSIGN_OR_RETURN(RewrittenEntries entries,
                            RewriteEntries(runtime_, home_, path, *shape, manifest, decide));
      if (entries.deleted == 0 && counted) {
        pieces_.push_back({std::move(manifest)});
        continue;
      }
      (data ? found : deletes_removed_) += entries.deleted;
      if (entries.batches.empty()) continue;
      TARN_ASSIGN_OR_RETURN(Piece piece,
                            Make(manifest.spec_id, manifest.content, std::move(entries.batches)));
      pieces_.push_back(std::move(piece));
    }
    return MissingFiles(found);
  }

  Status MissingFiles(int64_t found) const {
    if (found == static_cast<int64_t>(commit_.removed.size())) return OkStatus();
    return Conflict(
        "iceberg: " + std::to_string(static_cast<int64_t>(commit_.removed.size()) - found) +
        " of the files to be removed are not in the table, '" + commit_.removed.front().path +
        "' perhaps; run the statement again");
  }

  // Packs manifests of one spec and content, the youngest first, from the old end, into bins of the
  // target size, and makes one of each bin; the bin of the youngest only once it holds many.
  Status Merge() {
    const WriteProperties& properties = base_.properties;
    // A rewrite without files is one of manifests: all of them are packed.
    const bool all = commit_.operation.kind == OperationKind::kRewrite && commit_.added.empty() &&
                     commit_.removed.empty();
    if (!properties.merge_manifests && !all) return OkStatus();
    std::map<std::pair<ManifestContent, int32_t>, std::vector<Piece>> groups;
    for (Piece& piece : pieces_) {
      groups[{piece.file.content, piece.file.spec_id}].push_back(std::move(piece));
    }
    pieces_.clear();
    for (auto& [key, group] : groups) {
      std::vector<std::vector<Piece>> bins;  // the oldest first
      int64_t bytes = 0;
      for (auto piece = group.rbegin(); piece != group.rend(); ++piece) {
        if (bins.empty() || bytes + piece->file.length > properties.manifest_target_bytes) {
          bins.emplace_back();
          bytes = 0;
        }
        bytes += piece->file.length;
        bins.back().insert(bins.back().begin(), std::move(*piece));
      }
      for (auto bin = bins.rbegin(); bin != bins.rend(); ++bin) {
        const bool youngest = bin == bins.rbegin();
        const auto count = static_cast<int64_t>(bin->size());
        const int64_t least = all ? 2 : properties.manifests_min_to_merge;
        if (count == 1 || (youngest && count < least)) {
          for (Piece& piece : *bin) pieces_.push_back(std::move(piece));
          continue;
        }
        TARN_ASSIGN_OR_RETURN(Piece merged, MergeBin(key.second, key.first, *bin));
        pieces_.push_back(std::move(merged));
      }
    }
    return OkStatus();
  }

  Result<Piece> MergeBin(int32_t spec_id, ManifestContent content, std::vector<Piece>& bin) {
    EntryBatches all;
    const DecideFate keep = [](std::string_view, std::optional<std::string_view>) {
      return Fate::kKept;
    };
    for (Piece& piece : bin) {
      if (!piece.made.empty()) {
        all.insert(all.end(), piece.made.begin(), piece.made.end());
        Unstage(piece.file.location);
        continue;
      }
      TARN_ASSIGN_OR_RETURN(const ManifestShape* shape, ShapeOf(spec_id));
      TARN_ASSIGN_OR_RETURN(const Path path, locations_.Resolve(piece.file.location));
      TARN_ASSIGN_OR_RETURN(RewrittenEntries entries,
                            RewriteEntries(runtime_, home_, path, *shape, piece.file, keep));
      all.insert(all.end(), entries.batches.begin(), entries.batches.end());
    }
    return Make(spec_id, content, std::move(all));
  }

  // A manifest that went into a merged one is not needed by itself.
  void Unstage(const std::string& location) {
    const auto staged = staged_.find(location);
    if (staged == staged_.end()) return;
    const size_t at = staged->second;
    made_.objects.erase(made_.objects.begin() + static_cast<ptrdiff_t>(at));
    staged_.erase(staged);
    for (auto& [other, place] : staged_) {
      if (place > at) --place;
    }
  }

  // "Row Lineage": every data manifest without a first row id is given one.
  void AssignRowIds(std::vector<ManifestFile>& manifests) {
    if (metadata_.format_version < 3) return;
    made_.entry.first_row_id = metadata_.next_row_id;
    int64_t next = metadata_.next_row_id;
    for (ManifestFile& manifest : manifests) {
      if (manifest.content != ManifestContent::kData || manifest.first_row_id) continue;
      manifest.first_row_id = next;
      next += manifest.added_rows.value_or(0) + manifest.existing_rows.value_or(0);
    }
    made_.assigned_rows = next - metadata_.next_row_id;
  }

  Runtime& runtime_;
  const TableHome& home_;
  const Locations& locations_;
  const SnapshotBase& base_;
  const Metadata& metadata_;
  const Commit& commit_;
  const NewDeletes& deletes_;
  const std::string name_;
  NewSnapshot made_;
  std::map<int32_t, ManifestShape> shapes_;
  std::vector<Piece> pieces_;             // the youngest first
  std::map<std::string, size_t> staged_;  // manifest location → place among the objects
  int next_manifest_ = 0;
  int64_t deletes_removed_ = 0;
};

}  // namespace

Result<NewSnapshot> WriteSnapshot(Runtime& runtime, const TableHome& home,
                                  const Locations& locations, const SnapshotBase& base,
                                  const Commit& commit, const NewDeletes& deletes) {
  return SnapshotWriter(runtime, home, locations, base, commit, deletes).Write();
}

}  // namespace tarn::iceberg
