#include "tarn/format/delta/log_files.h"

#include <set>
#include <utility>

#include "tarn/base/planted_bug.h"
#include "tarn/format/delta/log_head.h"

namespace tarn::delta {
namespace {

Result<std::shared_ptr<const CheckpointParquet>> OpenParquet(const TableHome& home,
                                                             const Path& path) {
  TARN_ASSIGN_OR_RETURN(std::shared_ptr<ObjectReader> object, home.storage.OpenReader(path));
  TARN_ASSIGN_OR_RETURN(std::unique_ptr<CheckpointParquet> file,
                        CheckpointParquet::Open(std::move(object), path.str()));
  return std::shared_ptr<const CheckpointParquet>(std::move(file));
}

Status OpenCheckpoint(const TableHome& home, const CheckpointObjects& checkpoint,
                      const std::vector<Sidecar>& sidecars, LogFiles& into) {
  for (const ObjectInfo& part : checkpoint.parts) {
    if (checkpoint.kind == LogName::Kind::kUuidCheckpointJson) {
      into.json.push_back(part);
      continue;
    }
    TARN_ASSIGN_OR_RETURN(auto file, OpenParquet(home, part.path));
    into.parquet.push_back(std::move(file));
  }
  for (const Sidecar& sidecar : sidecars) {
    TARN_ASSIGN_OR_RETURN(const Path path, SidecarPath(home, sidecar));
    TARN_ASSIGN_OR_RETURN(auto file, OpenParquet(home, path));
    into.parquet.push_back(std::move(file));
  }
  return {};
}

}  // namespace

Result<LogFiles> OpenLogFiles(Runtime& runtime, const TableHome& home, const DeltaState& state) {
  LogSegment segment = state.segment;
  std::vector<Sidecar> sidecars = state.sidecars;
  std::set<Path> damaged;
  while (true) {
    LogFiles files;
    for (size_t i = segment.tail.size(); i > 0; --i) {
      files.json.push_back(segment.tail[i - 1].object);
    }
    if (!segment.checkpoint) return files;
    const Status opened = OpenCheckpoint(home, *segment.checkpoint, sidecars, files);
    if (opened.ok()) return files;
    if constexpr (planted::kTornCheckpointTrusted) return files;
    const ErrorCode code = opened.error().code;
    if (code != ErrorCode::kCorrupt && code != ErrorCode::kNotFound &&
        code != ErrorCode::kInvalid) {
      return opened.error();
    }
    const Path& first_part = segment.checkpoint->parts.front().path;
    runtime.log.Warn("delta: checkpoint '" + first_part.str() +
                     "' cannot be read and is passed over: " + opened.error().ToString());
    damaged.insert(first_part);
    TARN_ASSIGN_OR_RETURN(segment, FindSegment(home, state.version, damaged));
    sidecars.clear();
    if (!segment.checkpoint) continue;
    if (Result<CheckpointHead> head = ReadCheckpointHead(home, *segment.checkpoint); head.ok()) {
      sidecars = std::move(head->sidecars);
    } else {
      damaged.insert(segment.checkpoint->parts.front().path);
    }
  }
}

}  // namespace tarn::delta
