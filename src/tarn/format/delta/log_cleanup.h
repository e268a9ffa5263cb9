#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tarn/base/path.h"
#include "tarn/base/result.h"
#include "tarn/format/delta/log_segment.h"
#include "tarn/table/table_home.h"

namespace tarn::delta {

// What of a log may go (PROTOCOL.md, "Metadata Cleanup").
struct ExpiredLog {
  std::optional<CheckpointObjects> kept;  // what makes the rest superfluous; null: nothing may go
  std::vector<Path> paths = {};
};

// With the newest commit not newer than `cutoff_ms`, and the newest checkpoint not newer than that
// commit, everything before that checkpoint; its own commit stays. Commit times are file times made
// rising with the version, so that a table that was copied loses nothing early. Pure.
ExpiredLog ExpiredLogObjects(const Path& root, const LogListing& listing, int64_t cutoff_ms);

// The same from the store; nothing when the checkpoint to be kept cannot be opened, for then the
// commits before it are the only ones that tell its content. Costs one look at the first commit
// while the table is younger than the cutoff, else a listing of the log and the checkpoint's
// footer.
Result<std::vector<Path>> FindExpiredLogObjects(const TableHome& home, int64_t cutoff_ms);

// Midnight UTC of the day that `now_ms - retention_ms` falls in.
int64_t CutoffMs(int64_t now_ms, int64_t retention_ms);

}  // namespace tarn::delta
