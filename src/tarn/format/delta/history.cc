#include "tarn/format/delta/history.h"

#include <algorithm>
#include <map>
#include <utility>
#include <variant>
#include <vector>

#include "tarn/format/delta/action_json.h"
#include "tarn/format/delta/commit_decoder.h"
#include "tarn/format/delta/features.h"
#include "tarn/format/delta/load.h"
#include "tarn/format/delta/log_head.h"
#include "tarn/format/delta/log_segment.h"
#include "tarn/format/delta/timeline.h"

namespace tarn::delta {
namespace {

// The objects of the commits asked for, ascending and without a hole; or why there are none.
using Range = std::variant<std::vector<ObjectInfo>, HistoryGap>;

Result<Range> RangeFromListing(const TableHome& home, const LogListing& listing, int64_t after,
                               std::optional<int64_t> until, HistoryDetail detail) {
  const int64_t newest = listing.NewestVersion();
  if (newest < 0) {
    return NotFound("delta: '" + home.root.str() + "': no Delta table: no commit in '" +
                    std::string(kLogFolder) + "'");
  }
  if (until && *until > newest) {
    return NotFound("delta: '" + home.root.str() + "': no version " + std::to_string(*until) +
                    "; the newest is " + std::to_string(newest));
  }
  if (after > newest) return Range(HistoryGap::kDiverged);
  const int64_t last = until.value_or(newest);
  std::vector<ObjectInfo> commits;
  int64_t expected = after + 1;
  if (after < 0) {  // from the earliest known
    expected = listing.commits.empty() ? newest + 1 : listing.commits.begin()->first;
  }
  for (auto at = listing.commits.lower_bound(expected);
       at != listing.commits.end() && at->first <= last; ++at) {
    if (at->first != expected && detail == HistoryDetail::kConflicts) {
      // Clean-up takes the oldest away, and who slept over it may have taken a name that it freed.
      const bool cleaned = listing.checkpoints.lower_bound(expected) != listing.checkpoints.end();
      if ((commits.empty() && after >= 0) || cleaned) return Range(HistoryGap::kGone);
      return Corrupt("delta: '" + home.root.str() + "': '" + CommitPath(home.root, expected).str() +
                     "' (version " + std::to_string(expected) + ") is missing from the log");
    }
    commits.push_back(at->second);
    expected = at->first + 1;
  }
  if (expected <= last && after >= 0 && detail == HistoryDetail::kConflicts) {
    return Range(HistoryGap::kGone);  // a checkpoint knows of versions whose commits are gone
  }
  return Range(std::move(commits));
}

Result<Range> RangeFromWholeListing(const TableHome& home, int64_t after,
                                    std::optional<int64_t> until, HistoryDetail detail) {
  TARN_ASSIGN_OR_RETURN(const LogListing listing, ListLog(home, 0));
  return RangeFromListing(home, listing, after, until, detail);
}

// Looks for the versions after `after` by name; all that leaves a doubt takes a look at the folder.
Result<Range> LookUpRange(const TableHome& home, int64_t after, std::optional<int64_t> until,
                          HistoryDetail detail) {
  const auto look_up = [&](int64_t version) -> Result<std::optional<ObjectInfo>> {
    Result<ObjectInfo> object = home.storage.Stat(CommitPath(home.root, version));
    if (object.ok()) return std::optional<ObjectInfo>(*std::move(object));
    if (object.error().code == ErrorCode::kNotFound) return std::optional<ObjectInfo>();
    return std::move(object).error();
  };
  std::vector<ObjectInfo> commits;
  int64_t version = after + 1;
  for (; !until || version <= *until; ++version) {
    TARN_ASSIGN_OR_RETURN(auto object, look_up(version));
    if (!object) break;
    commits.push_back(*std::move(object));
  }
  if (until && version > *until) return Range(std::move(commits));
  // Nothing under the next name: the end, if the last one is there and none follows a hole.
  if (until) return RangeFromWholeListing(home, after, until, detail);
  if (commits.empty()) {
    TARN_ASSIGN_OR_RETURN(const auto last, look_up(after));
    if (!last) return RangeFromWholeListing(home, after, until, detail);
  }
  constexpr int64_t kLooksBeyond = 8;
  for (int64_t step = 1; step < kLooksBeyond; ++step) {
    TARN_ASSIGN_OR_RETURN(const auto beyond, look_up(version + step));
    if (beyond) return RangeFromWholeListing(home, after, until, detail);
  }
  return Range(std::move(commits));
}

Result<Range> FindRange(const TableHome& home, int64_t after, std::optional<int64_t> until,
                        HistoryDetail detail) {
  if (after < 0) return RangeFromWholeListing(home, after, until, detail);
  if (LookupIsCheap(home)) return LookUpRange(home, after, until, detail);
  // One page, from the last version known on.
  TARN_ASSIGN_OR_RETURN(const LogListing near, ListLog(home, after));
  const bool joins = near.commits.contains(after) || near.commits.contains(after + 1);
  if (!joins) return RangeFromWholeListing(home, after, until, detail);
  return RangeFromListing(home, near, after, until, detail);
}

int64_t VersionOf(const ObjectInfo& commit) {
  const std::optional<LogName> name = ParseLogName(commit.path.name());
  return name ? name->version : 0;
}

Result<Commit> ReadForPeople(const TableHome& home, const TimeRules& rules,
                             const ObjectInfo& object) {
  Commit commit;
  const int64_t version = VersionOf(object);
  commit.version.text = std::to_string(version);
  TARN_ASSIGN_OR_RETURN(std::optional<CommitInfo> info, ReadFirstCommitInfo(home, object));
  if (!info) {
    TARN_ASSIGN_OR_RETURN(LogHead head, ReadJsonHead(home, object, WantCommitInfo::kYes, nullptr));
    info = std::move(head.commit_info);
  }
  commit.timestamp_ms = CommitTimeMs(rules, version, info, object.modified_ms);
  if (info) FillProvenance(*info, commit);
  if (!commit.operation.metrics.empty()) return commit;
  TARN_ASSIGN_OR_RETURN(const std::unique_ptr<JsonBlocks> blocks, JsonBlocks::Open(home, object));
  int64_t added = 0;
  int64_t removed = 0;
  while (true) {
    TARN_ASSIGN_OR_RETURN(const std::string_view block, blocks->Next());
    if (block.empty()) break;
    TARN_RETURN_IF_ERROR(ForEachLine(block, [&](std::string_view line, int64_t) -> Status {
      const std::string_view name = LeadingAction(line);
      added += name == "add" ? 1 : 0;
      removed += name == "remove" ? 1 : 0;
      return {};
    }));
  }
  commit.operation.metrics["numAddedFiles"] = std::to_string(added);
  commit.operation.metrics["numRemovedFiles"] = std::to_string(removed);
  return commit;
}

// In-commit timestamps hold for the table as it is now.
TimeRules RulesOfNewest(Runtime& runtime, CheckpointHeads& heads, const TableHome& home) {
  TimeRules rules;
  const Result<Snapshot> newest = LoadSnapshot(runtime, heads, home, Newest{});
  if (!newest.ok()) return rules;
  if (const Result<const DeltaState*> state = StateOf(*newest); state.ok()) {
    rules.in_commit_from =
        InCommitTimestampsFrom((*state)->protocol, (*state)->metadata.configuration);
  }
  return rules;
}

Result<History> ForPeople(Runtime& runtime, CheckpointHeads& heads, const TableHome& home,
                          const std::vector<ObjectInfo>& objects) {
  std::vector<Commit> commits(objects.size());
  if (objects.empty()) return History(std::move(commits));
  const TimeRules rules = RulesOfNewest(runtime, heads, home);
  TARN_RETURN_IF_ERROR(
      runtime.executor.ParallelFor(static_cast<int64_t>(objects.size()), [&](int64_t i) -> Status {
        const auto at = static_cast<size_t>(i);
        TARN_ASSIGN_OR_RETURN(commits[at], ReadForPeople(home, rules, objects[at]));
        return {};
      }));
  std::map<int64_t, int64_t> times;
  for (size_t i = 0; i < commits.size(); ++i)
    times[VersionOf(objects[i])] = commits[i].timestamp_ms;
  MakeRising(rules, times);
  for (size_t i = 0; i < commits.size(); ++i)
    commits[i].timestamp_ms = times[VersionOf(objects[i])];
  return History(std::move(commits));
}

Result<std::vector<Action>> ReadActions(const TableHome& home, const ObjectInfo& object) {
  std::vector<Action> actions;
  TARN_ASSIGN_OR_RETURN(Bytes bytes, home.storage.Read(object.path));
  const Status read = ForEachAction(bytes, [&](Action&& action) -> Status {
    actions.push_back(std::move(action));
    return {};
  });
  if (!read.ok()) return read.error().WithContext("delta: '" + object.path.str() + "'");
  return actions;
}

int64_t TimeOf(const std::vector<Action>& actions, const ObjectInfo& object, const TimeRules& rules,
               int64_t version) {
  for (const Action& action : actions) {
    if (const auto* info = std::get_if<CommitInfo>(&action)) {
      return CommitTimeMs(rules, version, *info, object.modified_ms);
    }
  }
  return object.modified_ms;
}

Result<History> ForConflicts(Runtime& runtime, CheckpointHeads& heads, const TableHome& home,
                             int64_t after, const std::vector<ObjectInfo>& objects) {
  std::vector<Commit> commits;
  if (objects.empty()) return History(std::move(commits));
  // What the first commit is compared with. A history that starts in the middle of a cleaned log
  // starts from its own first state.
  Snapshot before;
  const int64_t first = VersionOf(objects.front());
  if (first > 0) {
    Result<Snapshot> loaded =
        LoadSnapshot(runtime, heads, home, AtVersion{std::to_string(std::max(after, first - 1))});
    if (!loaded.ok()) loaded = LoadSnapshot(runtime, heads, home, AtVersion{std::to_string(first)});
    if (!loaded.ok()) return std::move(loaded).error();
    before = *std::move(loaded);
  }
  const DeltaState* state = nullptr;
  TimeRules rules;
  if (before.exists()) {
    TARN_ASSIGN_OR_RETURN(state, StateOf(before));
    rules.in_commit_from = InCommitTimestampsFrom(state->protocol, state->metadata.configuration);
  }
  CommitDecoder decoder(home, state);
  for (const ObjectInfo& object : objects) {
    TARN_RETURN_IF_ERROR(runtime.cancellation.Check());
    const int64_t version = VersionOf(object);
    TARN_ASSIGN_OR_RETURN(std::vector<Action> actions, ReadActions(home, object));
    const int64_t time = TimeOf(actions, object, rules, version);
    Result<Commit> commit = decoder.Decode(version, std::move(actions), time);
    if (!commit.ok()) {
      return commit.error().WithContext("delta: commit " + std::to_string(version));
    }
    commits.push_back(*std::move(commit));
  }
  return History(std::move(commits));
}

}  // namespace

Result<History> ReadCommits(Runtime& runtime, CheckpointHeads& heads, const TableHome& home,
                            const Version& after, const std::optional<Version>& until,
                            HistoryDetail detail) {
  int64_t after_number = -1;
  if (!after.empty()) {
    TARN_ASSIGN_OR_RETURN(after_number, ParseVersion(after.text));
  }
  std::optional<int64_t> until_number;
  if (until) {
    TARN_ASSIGN_OR_RETURN(until_number, ParseVersion(until->text));
  }
  // A clean-up may take commits away between the look and the reading: then the range is gone.
  TARN_ASSIGN_OR_RETURN(const Range range, FindRange(home, after_number, until_number, detail));
  if (const auto* gap = std::get_if<HistoryGap>(&range)) return History(*gap);
  const auto& objects = std::get<std::vector<ObjectInfo>>(range);
  Result<History> history = detail == HistoryDetail::kPeople
                                ? ForPeople(runtime, heads, home, objects)
                                : ForConflicts(runtime, heads, home, after_number, objects);
  if (!history.ok() && history.error().code == ErrorCode::kNotFound && after_number >= 0) {
    return History(HistoryGap::kGone);
  }
  return history;
}

}  // namespace tarn::delta
