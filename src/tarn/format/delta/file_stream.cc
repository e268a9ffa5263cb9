#include "tarn/format/delta/file_stream.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "tarn/format/delta/checkpoint_files.h"
#include "tarn/format/delta/file_decoder.h"
#include "tarn/format/delta/json_files.h"
#include "tarn/format/delta/log_compaction.h"
#include "tarn/format/delta/log_files.h"
#include "tarn/format/delta/seen_files.h"
#include "tarn/format/delta/snapshot_state.h"

namespace tarn::delta {
namespace {

// Rows of a checkpoint that one thread decodes before batches are handed out.
constexpr int64_t kRowsPerRound = 1 << 16;
// JSON files that are decoded before their order matters; several per thread, since they differ in
// size.
constexpr size_t kJsonFilesPerThread = 4;

class DeltaFileStream final : public FileStream {
 public:
  DeltaFileStream(Runtime& runtime, FilePlan plan, LogFiles files)
      : runtime_(runtime), plan_(std::move(plan)), files_(std::move(files)) {
    for (const auto& file : files_.parquet) {
      for (int row_group = 0; row_group < file->row_groups(); ++row_group) {
        waiting_.emplace_back(file, row_group);
      }
    }
  }

  Result<std::optional<FileBatch>> Next() override {
    while (ready_.empty()) {
      TARN_RETURN_IF_ERROR(runtime_.cancellation.Check());
      if (next_json_ < files_.json.size()) {
        TARN_RETURN_IF_ERROR(DecodeJson());
      } else if (!waiting_.empty() || !active_.empty()) {
        TARN_RETURN_IF_ERROR(DecodeCheckpoint());
      } else {
        return std::optional<FileBatch>();
      }
    }
    FileBatch batch = std::move(ready_.front());
    ready_.pop_front();
    return std::optional<FileBatch>(std::move(batch));
  }

  int64_t files_seen() const override {
    int64_t seen = files_seen_;
    for (const auto& rows : active_) seen += rows->files_seen();
    return seen;
  }

 private:
  Status Emit(FileBatch batch) {
    if (batch.size == 0) return {};
    TARN_RETURN_IF_ERROR(CheckInside(plan_.home, batch));
    ready_.push_back(std::move(batch));
    return {};
  }

  // Decodes the next JSON files side by side, then lets their actions meet, newest first.
  Status DecodeJson() {
    const size_t group = static_cast<size_t>(runtime_.executor.threads()) * kJsonFilesPerThread;
    const size_t count = std::min(group, files_.json.size() - next_json_);
    std::vector<std::vector<FileActions>> decoded(count);
    TARN_RETURN_IF_ERROR(
        runtime_.executor.ParallelFor(static_cast<int64_t>(count), [&](int64_t i) -> Status {
          const auto at = static_cast<size_t>(i);
          return ReadOrCommits(runtime_, plan_.home, files_.json[next_json_ + at],
                               [&](const ObjectInfo& object) -> Status {
                                 TARN_ASSIGN_OR_RETURN(FileActions actions,
                                                       DecodeJsonFiles(plan_, object));
                                 decoded[at].push_back(std::move(actions));
                                 return {};
                               });
        }));
    for (std::vector<FileActions>& one : decoded) {
      for (FileActions& actions : one) TARN_RETURN_IF_ERROR(Replay(actions));
    }
    next_json_ += count;
    return {};
  }

  // Within one commit the last action about a file counts.
  Status Replay(FileActions& actions) {
    std::vector<uint8_t> keep(static_cast<size_t>(actions.batch.size), 0);
    for (auto entry = actions.entries.rbegin(); entry != actions.entries.rend(); ++entry) {
      if (!entry->is_add) {
        seen_.ClaimRemove(actions.PathOf(*entry), actions.VectorOf(*entry));
        continue;
      }
      if (!seen_.ClaimAdd(actions.PathOf(*entry), actions.VectorOf(*entry))) continue;
      ++files_seen_;
      if (entry->row >= 0) keep[static_cast<size_t>(entry->row)] = 1;
    }
    return Emit(actions.batch.Filter(keep));
  }

  Status DecodeCheckpoint() {
    const auto threads = static_cast<size_t>(runtime_.executor.threads());
    while (active_.size() < threads && !waiting_.empty()) {
      auto& [file, row_group] = waiting_.front();
      TARN_ASSIGN_OR_RETURN(auto rows, CheckpointRows::Open(plan_, file, row_group, seen_));
      active_.push_back(std::move(rows));
      waiting_.pop_front();
    }
    std::vector<std::optional<FileBatch>> batches(active_.size());
    TARN_RETURN_IF_ERROR(runtime_.executor.ParallelFor(
        static_cast<int64_t>(active_.size()), [&](int64_t i) -> Status {
          const auto at = static_cast<size_t>(i);
          TARN_ASSIGN_OR_RETURN(batches[at], active_[at]->Next(kRowsPerRound));
          return {};
        }));
    std::vector<std::unique_ptr<CheckpointRows>> still_active;
    for (size_t i = 0; i < active_.size(); ++i) {
      if (!batches[i]) {
        files_seen_ += active_[i]->files_seen();
        continue;
      }
      TARN_RETURN_IF_ERROR(Emit(*std::move(batches[i])));
      still_active.push_back(std::move(active_[i]));
    }
    active_ = std::move(still_active);
    return {};
  }

  Runtime& runtime_;
  const FilePlan plan_;
  const LogFiles files_;
  size_t next_json_ = 0;
  std::deque<std::pair<std::shared_ptr<const CheckpointParquet>, int>> waiting_;
  std::vector<std::unique_ptr<CheckpointRows>> active_;
  SeenFiles seen_;
  std::deque<FileBatch> ready_;
  int64_t files_seen_ = 0;
};

}  // namespace

Result<std::unique_ptr<FileStream>> StreamFiles(Runtime& runtime, const TableHome& home,
                                                const Snapshot& snapshot,
                                                const FileRequest& request) {
  TARN_ASSIGN_OR_RETURN(const DeltaState* state, StateOf(snapshot));
  TARN_ASSIGN_OR_RETURN(LogFiles files, OpenLogFiles(runtime, home, *state));
  return std::unique_ptr<FileStream>(
      new DeltaFileStream(runtime, FilePlan(home, snapshot, request), std::move(files)));
}

}  // namespace tarn::delta
