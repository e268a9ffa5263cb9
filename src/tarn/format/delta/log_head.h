#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/format/delta/actions.h"
#include "tarn/format/delta/log_segment.h"
#include "tarn/table/table_home.h"

namespace tarn::delta {

// Everything a log says apart from files: what is left of it after "Action Reconciliation".
struct LogHead {
  std::optional<Protocol> protocol;
  std::optional<MetadataAction> metadata;
  std::map<std::string, Txn> txns;                // by appId
  std::map<std::string, DomainMetadata> domains;  // by domain, removed ones too
  std::optional<CommitInfo> commit_info;          // of the newest commit, where its file is there

  // Fills in what only `older` says.
  void Absorb(LogHead older);
};

// Reads an object in blocks that end at line ends, with JsonIndex::kPadding readable bytes after
// each: a commit of any size in bounded memory. Not thread-safe.
class JsonBlocks {
 public:
  static Result<std::unique_ptr<JsonBlocks>> Open(const TableHome& home, const ObjectInfo& object);

  // The next block, valid until the next call; empty at the end.
  Result<std::string_view> Next();

 private:
  JsonBlocks(std::unique_ptr<ObjectReader> object, int64_t block_bytes)
      : object_(std::move(object)), block_bytes_(block_bytes) {}

  const std::unique_ptr<ObjectReader> object_;
  const int64_t block_bytes_;
  int64_t offset_ = 0;
  std::string buffer_;
  size_t used_ = 0;  // bytes at the front of buffer_ that were handed out
  size_t held_ = 0;  // bytes of the object in buffer_
};

// The head in one JSON file; lines of files (add, remove, cdc) are passed over unparsed, commitInfo
// too unless asked for. `sidecars` (may be null) gets those a V2 checkpoint names.
// kCorrupt naming object and line.
enum class WantCommitInfo : uint8_t { kNo, kYes };
Result<LogHead> ReadJsonHead(const TableHome& home, const ObjectInfo& object, WantCommitInfo want,
                             std::vector<Sidecar>* sidecars);

// The head in a Parquet checkpoint, by its small columns alone. kCorrupt.
class CheckpointParquet;
Result<LogHead> ReadParquetHead(const CheckpointParquet& file, std::vector<Sidecar>* sidecars);

// The head in the JSON files after a segment's checkpoint, read on all threads; with commit_info of
// the version's own commit, where its file is there.
Result<LogHead> ReadTailHead(Runtime& runtime, const TableHome& home, const LogSegment& segment);

// The head of a checkpoint, and its sidecars.
struct CheckpointHead {
  LogHead head;
  std::vector<Sidecar> sidecars;
};
Result<CheckpointHead> ReadCheckpointHead(const TableHome& home,
                                          const CheckpointObjects& checkpoint);

// The commitInfo of a commit whose first line it is, where Tarn and, with in-commit timestamps,
// everybody puts it; nothing when another line comes first. Costs one read of some kilobytes.
// kCorrupt naming the object.
Result<std::optional<CommitInfo>> ReadFirstCommitInfo(const TableHome& home,
                                                      const ObjectInfo& commit);

// The object a sidecar stands for: its name, or an absolute location.
Result<Path> SidecarPath(const TableHome& home, const Sidecar& sidecar);

}  // namespace tarn::delta
