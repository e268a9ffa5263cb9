#include "tarn/format/iceberg/commit_files.h"

#include <map>
#include <set>
#include <utility>

#include "tarn/base/text.h"
#include "tarn/format/iceberg/entry_batch.h"
#include "tarn/format/iceberg/file_stream.h"
#include "tarn/format/iceberg/load.h"
#include "tarn/format/iceberg/location.h"
#include "tarn/format/iceberg/manifest_list.h"
#include "tarn/format/iceberg/manifest_reader.h"
#include "tarn/format/iceberg/snapshot_state.h"

namespace tarn::iceberg {
namespace {

class Collector {
 public:
  Collector(Runtime& runtime, const TableHome& home,
            const std::shared_ptr<const Metadata>& metadata, const MetadataFile& file,
            const SnapshotEntry& snapshot, Commit& commit, DeletedRowsReader& deleted_rows)
      : runtime_(runtime),
        home_(home),
        metadata_(metadata),
        file_(file),
        snapshot_(snapshot),
        commit_(commit),
        deleted_rows_(deleted_rows),
        locations_(home, metadata->location) {
    const Schema* schema = snapshot.schema_id ? metadata->SchemaById(*snapshot.schema_id) : nullptr;
    schema_ = schema != nullptr ? schema : &metadata->current_schema();
  }

  Status Run() {
    TARN_ASSIGN_OR_RETURN(const auto manifests,
                          ReadManifests(runtime_, home_, locations_, snapshot_));
    const std::vector<int32_t> bounds = BoundedFields(*schema_);
    for (const ManifestFile& manifest : manifests) {
      if (manifest.added_snapshot_id != snapshot_.id) continue;
      TARN_ASSIGN_OR_RETURN(const Path path, locations_.Resolve(manifest.location));
      TARN_ASSIGN_OR_RETURN(ManifestReader reader,
                            ManifestReader::Make(runtime_, home_, path, *metadata_, *schema_,
                                                 manifest, {.bounds = true}));
      while (true) {
        TARN_ASSIGN_OR_RETURN(const auto entries, reader.Next());
        if (!entries) break;
        TARN_RETURN_IF_ERROR(Take(*entries, manifest, bounds));
      }
    }
    return delete_files_.empty() ? OkStatus() : FindFilesWithDeletes();
  }

 private:
  Status Take(const EntryColumns& entries, const ManifestFile& manifest,
              const std::vector<int32_t>& bounds) {
    std::vector<int64_t> rows;
    for (int64_t row = 0; row < entries.size; ++row) {
      const auto i = static_cast<size_t>(row);
      if (entries.snapshot_id[i] != snapshot_.id) continue;
      if (entries.status[i] == EntryStatus::kExisting) continue;
      if (entries.content.Or(row, 0) == 0) {
        rows.push_back(row);
      } else {
        // Added, or removed: a row may come back, too.
        delete_files_.insert(std::string(*entries.location.At(row)));
      }
    }
    if (rows.empty()) return OkStatus();
    TARN_ASSIGN_OR_RETURN(const FileBatch batch,
                          BatchOf(entries, rows, locations_, *schema_, manifest.spec_id, bounds));
    for (size_t i = 0; i < rows.size(); ++i) {
      DataFile file = batch.At(static_cast<int64_t>(i));
      file.format = AsciiLower(entries.format.At(rows[i]).value_or("parquet"));
      const bool added = entries.status[static_cast<size_t>(rows[i])] == EntryStatus::kAdded;
      (added ? commit_.added : commit_.removed).push_back(std::move(file));
    }
    return OkStatus();
  }

  // The data files to which the snapshot's own delete files apply: a list of deletes need not say.
  Status FindFilesWithDeletes() {
    const Snapshot snapshot = AtSnapshot(snapshot_);
    TARN_ASSIGN_OR_RETURN(const auto files, StreamFiles(runtime_, home_, snapshot, {}));
    std::map<std::string, size_t> touched;
    while (true) {
      TARN_ASSIGN_OR_RETURN(const auto batch, files->Next());
      if (!batch) return touched.empty() ? OkStatus() : TakeAwayOlder(touched);
      for (int64_t row = 0; row < batch->size && !batch->delete_offsets.empty(); ++row) {
        DataFile file = batch->At(row);
        DataFile by_this = file;
        std::erase_if(by_this.deletes, [&](const DeleteFile& deletes) {
          return !delete_files_.contains(deletes.location);
        });
        if (by_this.deletes.empty()) continue;
        TARN_ASSIGN_OR_RETURN(RowSet rows, deleted_rows_.Read(home_, snapshot, by_this));
        touched[file.path] = commit_.row_deletes.size();
        commit_.row_deletes.push_back({std::move(file), std::move(rows)});
      }
    }
  }

  // A deletion vector holds what the one before it held: rows that were gone before went not now.
  Status TakeAwayOlder(const std::map<std::string, size_t>& touched) {
    const SnapshotEntry* parent =
        snapshot_.parent_id ? metadata_->SnapshotById(*snapshot_.parent_id) : nullptr;
    if (parent == nullptr) return OkStatus();
    const Snapshot before = AtSnapshot(*parent);
    TARN_ASSIGN_OR_RETURN(const auto files, StreamFiles(runtime_, home_, before, {}));
    while (true) {
      TARN_ASSIGN_OR_RETURN(const auto batch, files->Next());
      if (!batch) return OkStatus();
      for (int64_t row = 0; row < batch->size && !batch->delete_offsets.empty(); ++row) {
        const auto found = touched.find(std::string(batch->path[static_cast<size_t>(row)]));
        if (found == touched.end()) continue;
        const DataFile file = batch->At(row);
        if (file.deletes.empty()) continue;
        TARN_ASSIGN_OR_RETURN(const RowSet older, deleted_rows_.Read(home_, before, file));
        RowSet& rows = commit_.row_deletes[found->second].rows;
        RowSet rest;
        rows.ForEach([&](uint64_t position) {
          if (!older.Contains(position)) rest.Add(position);
        });
        rows = std::move(rest);
      }
    }
  }

  Snapshot AtSnapshot(const SnapshotEntry& entry) const {
    Snapshot snapshot = SnapshotOf(metadata_, file_);
    auto state = std::make_shared<IcebergState>();
    state->metadata = metadata_;
    state->file = file_;
    state->snapshot_id = entry.id;
    snapshot.state = std::move(state);
    snapshot.metadata.schema = *schema_;
    return snapshot;
  }

  Runtime& runtime_;
  const TableHome& home_;
  const std::shared_ptr<const Metadata>& metadata_;
  const MetadataFile& file_;
  const SnapshotEntry& snapshot_;
  Commit& commit_;
  DeletedRowsReader& deleted_rows_;
  const Locations locations_;
  const Schema* schema_;
  std::set<std::string> delete_files_;  // locations, as the manifests spell them
};

}  // namespace

Status AddFilesOf(Runtime& runtime, const TableHome& home,
                  const std::shared_ptr<const Metadata>& metadata, const MetadataFile& file,
                  const SnapshotEntry& snapshot, Commit& commit, DeletedRowsReader& deleted_rows) {
  return Collector(runtime, home, metadata, file, snapshot, commit, deleted_rows).Run();
}

}  // namespace tarn::iceberg
