#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tarn/base/path.h"
#include "tarn/base/result.h"
#include "tarn/format/delta/log_paths.h"
#include "tarn/storage/storage.h"
#include "tarn/table/table_home.h"

namespace tarn::delta {

// One checkpoint: all its parts are there (PROTOCOL.md, "Checkpoints"). Sidecars are not looked
// for.
struct CheckpointObjects {
  int64_t version = 0;
  LogName::Kind kind = LogName::Kind::kClassicCheckpoint;
  std::vector<ObjectInfo> parts;  // one, but for multi-part checkpoints
};

// JSON actions of the versions [first, last]: a commit, or a log compaction when last > first.
struct LogTailObject {
  int64_t first = 0;
  int64_t last = 0;
  ObjectInfo object;
};

// The objects that make up one version of a table: a checkpoint (or none), and JSON files that
// cover every version after it exactly once.
struct LogSegment {
  int64_t version = 0;
  std::optional<CheckpointObjects> checkpoint;
  std::vector<LogTailObject>
      tail;  // ascending; from the checkpoint's version + 1 (or 0) to version
  int64_t version_modified_ms = 0;  // of the version's own JSON file; 0 when it is gone
  // Set by FindSegment: the hint file names this version, where no usable checkpoint stands.
  std::optional<int64_t> wrong_hint = {};
};

// What a listing of the log folder says.
struct LogListing {
  std::map<int64_t, ObjectInfo> commits;
  std::map<int64_t, std::vector<CheckpointObjects>> checkpoints;  // complete ones, best first
  std::vector<LogTailObject> compactions;
  bool from_start = true;  // false: versions before the hint were not listed

  // The newest version there is, -1 for none.
  int64_t NewestVersion() const;
  // The earliest version that can be read: of a checkpoint, or 0; -1 when none can.
  int64_t EarliestReadable() const;
};

// Lists the log from `from` (0: all of it), in pages.
Result<LogListing> ListLog(const TableHome& home, int64_t from);

// `_last_checkpoint`: only a hint, so nothing when it is missing, unreadable or no sense.
// The version it names, not negative.
std::optional<int64_t> ReadLastCheckpointHint(const TableHome& home);

// Whether names are better looked up than listed: files of this machine.
bool LookupIsCheap(const TableHome& home);

// The segment for `version` (the newest when absent) out of a listing. Checkpoints whose first part
// is in `damaged` are not used. Compactions are used where they lie wholly inside, never two that
// overlap.
// kNotFound: no such version, or cleaned away; kCorrupt naming the version whose JSON is missing.
Result<LogSegment> SelectSegment(const TableHome& home, const LogListing& listing,
                                 std::optional<int64_t> version, const std::set<Path>& damaged);

// The same from the store: the hint, the listing from there, and the whole listing when that does
// not suffice. On a local disk, where a listing reads the whole folder whatever it asks for, the
// names after the hint are looked up one by one instead, and the folder is listed only where that
// leaves a doubt: so a load costs the same after ten commits and after ten thousand. kNotFound when
// there is no log.
Result<LogSegment> FindSegment(const TableHome& home, std::optional<int64_t> version,
                               const std::set<Path>& damaged);

}  // namespace tarn::delta
