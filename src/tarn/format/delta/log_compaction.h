#pragma once

#include <functional>

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/storage/storage.h"
#include "tarn/table/table_home.h"

namespace tarn::delta {

// Reads a JSON object of a log by `read`. A log compaction only stands in for the commits it covers
// (PROTOCOL.md, "Log Compaction Files"): where one cannot be read, or is empty, those are read
// instead, newest first, and a warning says so. `read` leaves nothing behind when it fails.
// Errors: those of `read`; of a compaction whose commits are gone too, its own.
Status ReadOrCommits(Runtime& runtime, const TableHome& home, const ObjectInfo& object,
                     const std::function<Status(const ObjectInfo& object)>& read);

}  // namespace tarn::delta
