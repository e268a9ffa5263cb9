#include "tarn/format/delta/log_cleanup.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "tarn/format/delta/log_paths.h"
#include "tarn/format/delta/parquet_leaf.h"

namespace tarn::delta {
namespace {

bool CanBeOpened(const TableHome& home, const CheckpointObjects& checkpoint) {
  if (checkpoint.kind == LogName::Kind::kUuidCheckpointJson) return true;
  return std::all_of(checkpoint.parts.begin(), checkpoint.parts.end(), [&](const ObjectInfo& part) {
    Result<std::unique_ptr<ObjectReader>> reader = home.storage.OpenReader(part.path);
    return reader.ok() && CheckpointParquet::Open(*std::move(reader), part.path.str()).ok();
  });
}

}  // namespace

int64_t CutoffMs(int64_t now_ms, int64_t retention_ms) {
  constexpr int64_t kDayMs = int64_t{24} * 60 * 60 * 1000;
  const int64_t cutoff = now_ms - retention_ms;
  const int64_t into_day = ((cutoff % kDayMs) + kDayMs) % kDayMs;
  return cutoff - into_day;
}

ExpiredLog ExpiredLogObjects(const Path& root, const LogListing& listing, int64_t cutoff_ms) {
  std::optional<int64_t> cutoff_commit;
  std::optional<int64_t> before_ms;
  for (const auto& [version, object] : listing.commits) {
    int64_t time_ms = object.modified_ms;
    if (before_ms) time_ms = std::max(time_ms, *before_ms + 1);
    if (time_ms > cutoff_ms) break;
    cutoff_commit = version;
    before_ms = time_ms;
  }
  if (!cutoff_commit) return {};
  auto kept = listing.checkpoints.upper_bound(*cutoff_commit);
  if (kept == listing.checkpoints.begin()) return {};
  const int64_t kept_version = std::prev(kept)->first;
  if (std::prev(kept)->second.empty()) return {};

  ExpiredLog expired;
  expired.kept = std::prev(kept)->second.front();
  for (const auto& [version, object] : listing.commits) {
    if (version >= kept_version) break;
    expired.paths.push_back(object.path);
    expired.paths.push_back(ChecksumPath(root, version));
  }
  for (const auto& [version, checkpoints] : listing.checkpoints) {
    if (version >= kept_version) break;
    for (const CheckpointObjects& checkpoint : checkpoints) {
      for (const ObjectInfo& part : checkpoint.parts) expired.paths.push_back(part.path);
    }
  }
  for (const LogTailObject& compaction : listing.compactions) {
    if (compaction.first <= kept_version) expired.paths.push_back(compaction.object.path);
  }
  return expired;
}

Result<std::vector<Path>> FindExpiredLogObjects(const TableHome& home, int64_t cutoff_ms) {
  const Result<ObjectInfo> first = home.storage.Stat(CommitPath(home.root, 0));
  if (first.ok()) {
    if (first->modified_ms > cutoff_ms) return std::vector<Path>();
  } else if (first.error().code != ErrorCode::kNotFound) {
    return first.error();
  }
  TARN_ASSIGN_OR_RETURN(const LogListing listing, ListLog(home, 0));
  ExpiredLog expired = ExpiredLogObjects(home.root, listing, cutoff_ms);
  if (!expired.kept || !CanBeOpened(home, *expired.kept)) return std::vector<Path>();
  return std::move(expired.paths);
}

}  // namespace tarn::delta
