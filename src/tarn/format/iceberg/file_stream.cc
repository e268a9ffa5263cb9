#include "tarn/format/iceberg/file_stream.h"

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include <arrow/api.h>

#include "tarn/base/text.h"
#include "tarn/format/iceberg/delete_index.h"
#include "tarn/format/iceberg/entry_batch.h"
#include "tarn/format/iceberg/location.h"
#include "tarn/format/iceberg/manifest_list.h"
#include "tarn/format/iceberg/manifest_reader.h"
#include "tarn/format/iceberg/project.h"
#include "tarn/format/iceberg/snapshot_state.h"
#include "tarn/model/prune.h"

namespace tarn::iceberg {
namespace {

constexpr int32_t kDeleteFilePathId = 2147483546;  // "Reserved Field IDs"

class ManifestFiles final : public FileStream {
 public:
  ManifestFiles(Runtime& runtime, const TableHome& home, Snapshot snapshot,
                const IcebergState& state, FileRequest request)
      : runtime_(runtime),
        home_(home),
        snapshot_(std::move(snapshot)),
        state_(state),
        request_(std::move(request)),
        locations_(home, state.metadata->location) {}

  Status Plan() {
    const SnapshotEntry* entry = state_.snapshot();
    if (entry == nullptr) return OkStatus();
    TARN_ASSIGN_OR_RETURN(std::vector<ManifestFile> all,
                          ReadManifests(runtime_, home_, locations_, *entry));
    std::vector<ManifestFile> deletes;
    std::map<int32_t, std::vector<const ManifestFile*>> by_spec;
    for (const ManifestFile& manifest : all) {
      if (manifest.MayHaveLiveFiles()) by_spec[manifest.spec_id].push_back(&manifest);
    }
    std::set<const ManifestFile*> kept;
    for (const auto& [spec_id, manifests] : by_spec) {
      const PartitionSpec* spec = state_.metadata->SpecById(spec_id);
      if (spec == nullptr) {
        return Corrupt("iceberg: manifest '" + manifests.front()->location +
                       "': no partition spec " + std::to_string(spec_id));
      }
      const std::vector<uint8_t> keep =
          MayHoldMatches(request_.filter, schema(), *spec,
                         PartitionTypes(*state_.metadata, schema(), *spec), manifests);
      for (size_t i = 0; i < manifests.size(); ++i) {
        if (keep[i] != 0) {
          kept.insert(manifests[i]);
        } else if (manifests[i]->content == ManifestContent::kData) {
          files_seen_ += manifests[i]->added_files.value_or(0);
          files_seen_ += manifests[i]->existing_files.value_or(0);
        }
      }
    }
    for (ManifestFile& manifest : all) {
      if (!kept.contains(&manifest)) continue;
      auto& into = manifest.content == ManifestContent::kDeletes ? deletes : manifests_;
      into.push_back(std::move(manifest));
    }
    return ReadDeletes(deletes);
  }

  Result<std::optional<FileBatch>> Next() override {
    while (ready_.empty()) {
      if (next_ == manifests_.size()) return std::optional<FileBatch>();
      TARN_RETURN_IF_ERROR(runtime_.cancellation.Check());
      TARN_RETURN_IF_ERROR(DecodeSome());
    }
    FileBatch batch = std::move(ready_.front());
    ready_.pop_front();
    return std::optional<FileBatch>(std::move(batch));
  }

  int64_t files_seen() const override { return files_seen_; }

 private:
  const Schema& schema() const { return snapshot_.metadata.schema; }

  Result<ManifestReader> Open(const ManifestFile& manifest, EntryWish wish) const {
    TARN_ASSIGN_OR_RETURN(const Path path, locations_.Resolve(manifest.location));
    return ManifestReader::Make(runtime_, home_, path, *state_.metadata, schema(), manifest, wish);
  }

  // Delete manifests, several at once.
  Status ReadDeletes(const std::vector<ManifestFile>& manifests) {
    std::mutex mutex;
    const auto read = [&](int64_t i) -> Status {
      const ManifestFile& manifest = manifests[static_cast<size_t>(i)];
      TARN_ASSIGN_OR_RETURN(ManifestReader reader, Open(manifest, {.bounds = true}));
      while (true) {
        TARN_ASSIGN_OR_RETURN(const auto entries, reader.Next());
        if (!entries) return OkStatus();
        for (int64_t row = 0; row < entries->size; ++row) {
          if (entries->status[static_cast<size_t>(row)] == EntryStatus::kDeleted) continue;
          TARN_ASSIGN_OR_RETURN(LiveDelete one, DeleteAt(*entries, row, manifest.spec_id));
          std::lock_guard lock(mutex);
          deletes_.Add(std::move(one));
        }
      }
    };
    return runtime_.executor.ParallelFor(static_cast<int64_t>(manifests.size()), read);
  }

  Result<LiveDelete> DeleteAt(const EntryColumns& entries, int64_t row, int32_t spec_id) const {
    LiveDelete one;
    one.spec_id = spec_id;
    one.sequence_number = entries.sequence_number[static_cast<size_t>(row)];
    one.file.location = *entries.location.At(row);
    one.file.format = AsciiLower(entries.format.At(row).value_or("parquet"));
    one.file.size_bytes = entries.size_bytes.Or(row, 0);
    one.file.row_count = entries.record_count.Or(row, 0);
    AppendPartitionKey(entries.partition, row, one.partition);
    if (entries.content.Or(row, 1) == 2) {
      one.file.kind = DeleteKind::kEqualityDeletes;
      TARN_ASSIGN_OR_RETURN(one.file.equality_ids, EqualityIds(entries, row));
      return one;
    }
    std::optional<std::string_view> only = entries.referenced_data_file.At(row);
    const bool puffin = one.file.format == "puffin";
    one.file.kind = puffin ? DeleteKind::kDeletionVector : DeleteKind::kPositionDeletes;
    if (puffin) {
      if (!only) return Corrupt("iceberg: a deletion vector without 'referenced_data_file'");
      one.file.offset = entries.content_offset.At(row);
      one.file.size_bytes = entries.content_size.Or(row, 0);
    } else if (!only) {
      only = OnlyPath(entries, row);
    }
    if (only) {
      Result<std::string> path = locations_.Spell(*only);
      // A path that lies nowhere here is left to its partition.
      if (!path.ok() && puffin) return path.error();
      if (path.ok()) one.data_file = *std::move(path);
    }
    return one;
  }

  // The path that all position deletes of a file name, by their bounds.
  static std::optional<std::string_view> OnlyPath(const EntryColumns& entries, int64_t row) {
    const auto find = [&](const IdMapColumn& bounds) -> std::optional<std::string_view> {
      const auto [begin, end] = bounds.Entries(row);
      for (int64_t at = begin; at < end; ++at) {
        if (bounds.Key(at) == kDeleteFilePathId) return bounds.Bytes(at);
      }
      return std::nullopt;
    };
    const auto lower = find(entries.lower);
    return lower && lower == find(entries.upper) ? lower : std::nullopt;
  }

  static Result<std::vector<int32_t>> EqualityIds(const EntryColumns& entries, int64_t row) {
    std::vector<int32_t> ids;
    const auto& column = entries.equality_ids;
    if (column != nullptr && column->type_id() == arrow::Type::LIST && column->IsValid(row)) {
      const auto& list = static_cast<const arrow::ListArray&>(*column);
      TARN_ASSIGN_OR_RETURN(const auto values, IntegerColumn::Make(list.values(), "equality_ids"));
      for (int64_t at = list.value_offset(row); at < list.value_offset(row + 1); ++at) {
        ids.push_back(static_cast<int32_t>(values.Or(at, 0)));
      }
    }
    if (ids.empty()) return Corrupt("iceberg: equality deletes without 'equality_ids'");
    std::sort(ids.begin(), ids.end());
    return ids;
  }

  Status DecodeSome() {
    const size_t most = static_cast<size_t>(runtime_.executor.threads()) * 2;
    const size_t count = std::min(most, manifests_.size() - next_);
    struct Decoded {
      std::vector<FileBatch> batches;
      int64_t seen = 0;
    };
    std::vector<Decoded> decoded(count);
    const auto decode = [&](int64_t i) -> Status {
      Decoded& into = decoded[static_cast<size_t>(i)];
      return Decode(manifests_[next_ + static_cast<size_t>(i)], into.batches, into.seen);
    };
    TARN_RETURN_IF_ERROR(runtime_.executor.ParallelFor(static_cast<int64_t>(count), decode));
    next_ += count;
    for (Decoded& one : decoded) {
      files_seen_ += one.seen;
      for (FileBatch& batch : one.batches) ready_.push_back(std::move(batch));
    }
    return OkStatus();
  }

  std::vector<int32_t> BoundsWanted(const PartitionSpec& spec) const {
    if (request_.all_bounds) return BoundedFields(schema());
    std::set<int32_t> ids(request_.bounds_of.begin(), request_.bounds_of.end());
    for (const int32_t id : BoundsNeeded(request_.filter, spec)) ids.insert(id);
    std::vector<int32_t> wanted;
    for (const int32_t id : BoundedFields(schema())) {
      if (ids.contains(id)) wanted.push_back(id);
    }
    return wanted;
  }

  Status Decode(const ManifestFile& manifest, std::vector<FileBatch>& batches,
                int64_t& seen) const {
    const PartitionSpec& spec = *state_.metadata->SpecById(manifest.spec_id);
    const std::vector<int32_t> bounds = BoundsWanted(spec);
    TARN_ASSIGN_OR_RETURN(ManifestReader reader,
                          Open(manifest, {.bounds = !bounds.empty(),
                                          .row_ids = state_.metadata->format_version >= 3}));
    while (true) {
      TARN_ASSIGN_OR_RETURN(const auto entries, reader.Next());
      if (!entries) return OkStatus();
      TARN_RETURN_IF_ERROR(TakeEntries(*entries, spec, bounds, batches, seen));
    }
  }

  // One batch per file format among the live entries.
  Status TakeEntries(const EntryColumns& entries, const PartitionSpec& spec,
                     const std::vector<int32_t>& bounds, std::vector<FileBatch>& batches,
                     int64_t& seen) const {
    std::map<std::string, std::vector<int64_t>, std::less<>> rows_of;
    std::vector<int64_t>* last = nullptr;
    std::string_view last_format;
    for (int64_t row = 0; row < entries.size; ++row) {
      if (entries.status[static_cast<size_t>(row)] == EntryStatus::kDeleted) continue;
      if (entries.content.Or(row, 0) != 0) continue;
      const std::string_view format = entries.format.At(row).value_or("parquet");
      if (last == nullptr || format != last_format) {
        last = &rows_of[AsciiLower(format)];
        last_format = format;
      }
      last->push_back(row);
    }
    for (const auto& [format, rows] : rows_of) {
      seen += static_cast<int64_t>(rows.size());
      TARN_ASSIGN_OR_RETURN(FileBatch batch,
                            BatchOf(entries, rows, locations_, schema(), spec.id, bounds));
      batch.format = format;
      std::vector<int64_t> kept = rows;
      if (!request_.filter.IsTrue()) {
        const std::vector<uint8_t> keep = MayMatch(request_.filter, schema(), spec, batch);
        size_t count = 0;
        for (size_t i = 0; i < rows.size(); ++i) {
          if (keep[i] != 0) kept[count++] = rows[i];
        }
        kept.resize(count);
        batch = batch.Filter(keep);
      }
      if (batch.size == 0) continue;
      AttachDeletes(entries, kept, batch);
      batches.push_back(std::move(batch));
    }
    return OkStatus();
  }

  void AttachDeletes(const EntryColumns& entries, const std::vector<int64_t>& rows,
                     FileBatch& batch) const {
    if (deletes_.empty()) return;
    batch.delete_offsets.reserve(rows.size() + 1);
    batch.delete_offsets.push_back(0);
    std::string partition;
    for (size_t i = 0; i < rows.size(); ++i) {
      partition.clear();
      AppendPartitionKey(entries.partition, rows[i], partition);
      deletes_.Find(batch.path[i], batch.spec_id, partition,
                    entries.sequence_number[static_cast<size_t>(rows[i])], batch.deletes);
      batch.delete_offsets.push_back(static_cast<uint32_t>(batch.deletes.size()));
    }
    if (batch.deletes.empty()) batch.delete_offsets.clear();
  }

  Runtime& runtime_;
  const TableHome& home_;
  const Snapshot snapshot_;
  const IcebergState& state_;
  const FileRequest request_;
  const Locations locations_;
  DeleteIndex deletes_;
  std::vector<ManifestFile> manifests_;  // of data
  size_t next_ = 0;
  std::deque<FileBatch> ready_;
  int64_t files_seen_ = 0;
};

}  // namespace

Result<std::unique_ptr<FileStream>> StreamFiles(Runtime& runtime, const TableHome& home,
                                                const Snapshot& snapshot,
                                                const FileRequest& request) {
  TARN_ASSIGN_OR_RETURN(const IcebergState* state, StateOf(snapshot));
  auto stream = std::make_unique<ManifestFiles>(runtime, home, snapshot, *state, request);
  TARN_RETURN_IF_ERROR(stream->Plan());
  return std::unique_ptr<FileStream>(std::move(stream));
}

}  // namespace tarn::iceberg
