#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/format/delta/actions.h"
#include "tarn/format/delta/log_segment.h"
#include "tarn/table/table_home.h"

namespace tarn::delta {

// When versions became visible, so that time travel by timestamp survives `cp -r`:
//   in-commit timestamps enabled, from their first version on   inCommitTimestamp
//   else a commit that Tarn wrote (engineInfo "tarn/…")         commitInfo.timestamp
//   else                                                        the file's modification time
// ("In-Commit Timestamps", recommendations for readers.) Milliseconds since 1970 UTC.

// Which rule of the three holds, from the newest protocol and metadata.
struct TimeRules {
  std::optional<int64_t> in_commit_from = {};  // features.h, InCommitTimestampsFrom
};

// The time of one commit, as it stands. `info` may be absent.
int64_t CommitTimeMs(const TimeRules& rules, int64_t version, const std::optional<CommitInfo>& info,
                     int64_t modified_ms);

// Makes times strictly rising with the version, by the least that does it. Times before the first
// in-commit timestamp and those from it on are two sequences: the second is as its writers made it.
void MakeRising(const TimeRules& rules, std::map<int64_t, int64_t>& times_by_version);

// The times of all versions whose commits are in the log, made rising. Reads the first line of each
// commit, on all threads.
Result<std::map<int64_t, int64_t>> ReadTimes(Runtime& runtime, const TableHome& home,
                                             const TimeRules& rules, const LogListing& listing);

// The newest readable version not younger than `micros`. kNotFound naming the earliest time when
// all are younger.
Result<int64_t> VersionAsOf(Runtime& runtime, const TableHome& home, const TimeRules& rules,
                            int64_t micros);

}  // namespace tarn::delta
