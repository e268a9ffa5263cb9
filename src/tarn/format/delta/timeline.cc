#include "tarn/format/delta/timeline.h"

#include <algorithm>
#include <vector>

#include "tarn/format/delta/log_head.h"
#include "tarn/format/delta/scalar_text.h"

namespace tarn::delta {

int64_t CommitTimeMs(const TimeRules& rules, int64_t version, const std::optional<CommitInfo>& info,
                     int64_t modified_ms) {
  if (!info) return modified_ms;
  if (rules.in_commit_from && version >= *rules.in_commit_from && info->in_commit_timestamp_ms) {
    return *info->in_commit_timestamp_ms;
  }
  if (info->engine_info.starts_with("tarn/") && info->timestamp_ms) return *info->timestamp_ms;
  return modified_ms;
}

void MakeRising(const TimeRules& rules, std::map<int64_t, int64_t>& times_by_version) {
  std::optional<int64_t> before;
  for (auto& [version, time] : times_by_version) {
    if (rules.in_commit_from && version == *rules.in_commit_from) before.reset();
    if (before && time <= *before) time = *before + 1;
    before = time;
  }
}

Result<std::map<int64_t, int64_t>> ReadTimes(Runtime& runtime, const TableHome& home,
                                             const TimeRules& rules, const LogListing& listing) {
  std::vector<std::pair<int64_t, const ObjectInfo*>> commits;
  commits.reserve(listing.commits.size());
  for (const auto& [version, object] : listing.commits) commits.emplace_back(version, &object);
  std::vector<int64_t> times(commits.size());
  TARN_RETURN_IF_ERROR(
      runtime.executor.ParallelFor(static_cast<int64_t>(commits.size()), [&](int64_t i) -> Status {
        const auto at = static_cast<size_t>(i);
        const auto& [version, object] = commits[at];
        TARN_ASSIGN_OR_RETURN(const std::optional<CommitInfo> info,
                              ReadFirstCommitInfo(home, *object));
        times[at] = CommitTimeMs(rules, version, info, object->modified_ms);
        return {};
      }));
  std::map<int64_t, int64_t> by_version;
  for (size_t i = 0; i < commits.size(); ++i) by_version[commits[i].first] = times[i];
  MakeRising(rules, by_version);
  return by_version;
}

Result<int64_t> VersionAsOf(Runtime& runtime, const TableHome& home, const TimeRules& rules,
                            int64_t micros) {
  TARN_ASSIGN_OR_RETURN(const LogListing listing, ListLog(home, 0));
  TARN_ASSIGN_OR_RETURN(auto times, ReadTimes(runtime, home, rules, listing));
  const int64_t earliest = listing.EarliestReadable();
  times.erase(times.begin(), times.lower_bound(std::max<int64_t>(earliest, 0)));
  // A log of checkpoints alone: what time its newest state has is known no better.
  for (const auto& [version, checkpoints] : listing.checkpoints) {
    if (!times.contains(version) && (times.empty() || version < times.begin()->first)) {
      times[version] = checkpoints.front().parts.front().modified_ms;
    }
  }
  // In version order, so that where in-commit timestamps begin and the two sequences overlap, the
  // versions that have one win from the first of them on.
  std::optional<int64_t> found;
  for (const auto& [version, time] : times) {
    if (time * 1000 <= micros) found = version;
  }
  if (found) return *found;
  if (times.empty()) {
    return NotFound("delta: '" + home.root.str() + "': no version has a time");
  }
  return NotFound("delta: '" + home.root.str() + "': nothing is as old as " +
                  TimestampToText(micros, ' ') + "Z; the earliest version that can be read, " +
                  std::to_string(times.begin()->first) + ", is of " +
                  TimestampToText(times.begin()->second * 1000, ' ') + "Z");
}

}  // namespace tarn::delta
