#include "tarn/table/transaction.h"

#include <algorithm>
#include <string>

#include "tarn/base/planted_bug.h"
#include "tarn/base/uuid.h"

namespace tarn {
namespace {

// Reads nothing, takes nothing away, changes no metadata, moves no position: it may follow whatever
// happened, even what cannot be known, while the columns stay as they are.
bool IsBlindAppend(const Commit& commit) {
  return commit.operation.kind == OperationKind::kAppend && commit.removed.empty() &&
         commit.row_deletes.empty() && !commit.metadata && commit.positions.empty() &&
         commit.reads.empty();
}

// All that is known of the commits between two states whose history is gone.
Commit SummaryOf(const Snapshot& before, const Snapshot& after) {
  Commit summary;
  summary.version = after.version;
  summary.timestamp_ms = after.timestamp_ms;
  const TableMetadata& was = before.metadata;
  const TableMetadata& is = after.metadata;
  if (was != is) summary.metadata = is;
  summary.protocol_changed =
      was.table_id != is.table_id || was.reader_version != is.reader_version ||
      was.writer_version != is.writer_version || was.reader_features != is.reader_features ||
      was.writer_features != is.writer_features;
  return summary;
}

}  // namespace

Transaction::Transaction(Runtime& runtime, TableHome& home, const TableFormat& format,
                         Committer& committer, Snapshot base, Commit commit, Isolation isolation,
                         RetryPolicy retry)
    : runtime_(runtime),
      home_(home),
      format_(format),
      committer_(committer),
      base_(std::move(base)),
      commit_(std::move(commit)),
      isolation_(isolation),
      retry_(retry) {
  if (commit_.id.empty()) commit_.id = NewUuid(runtime_.random);
}

Result<Version> Transaction::Publish() {
  const auto unless_lost = [&](Error error) -> Error {
    // Both say that the whole history was seen and our commit is not in it.
    const bool surely_not =
        error.code == ErrorCode::kConflict || error.code == ErrorCode::kAlreadyExists;
    if (!answer_lost_ || surely_not) return error;
    return UnknownOutcome("publish at '" + home_.root.str() + "': commit " + commit_.id +
                          " may have landed; look for its id in the history before running again")
        .CausedBy(std::move(error));
  };
  began_micros_ = runtime_.clock.NowMicros();
  TARN_ASSIGN_OR_RETURN(retry_, format_.Retries(base_, retry_));
  for (int attempt = 0; attempt < retry_.attempts_max; ++attempt) {
    // Between attempts nothing is half done, and a wish to stop is heard; but a commit that may
    // have been revealed is followed until it is known.
    if (!answer_lost_) TARN_RETURN_IF_ERROR(runtime_.cancellation.Check());
    if (attempt > 0) WaitBeforeRetry(attempt);
    if (attempt > 0 && SinceBeginMs() > retry_.total_ms) break;
    ++attempts_;
    runtime_.metrics.Add("table.commit_attempts", 1);
    Result<PublishOutcome> outcome = Attempt();
    if (!outcome.ok()) return unless_lost(std::move(outcome).error());
    if (const auto* published = std::get_if<Published>(&outcome.value())) return published->version;
    answer_lost_ |= std::holds_alternative<NoAnswer>(outcome.value());
    // What was staged stays for the orphan cleaner: after a lost answer it may be live.
  }
  Result<std::optional<Version>> landed = LookOnceMore();
  if (!landed.ok()) return unless_lost(std::move(landed).error());
  if (landed.value()) return *landed.value();
  return unless_lost(Unavailable("publish at '" + home_.root.str() + "': other writers won all " +
                                 std::to_string(attempts_) +
                                 " races; run it again when fewer write"));
}

Result<PublishOutcome> Transaction::Attempt() {
  TARN_ASSIGN_OR_RETURN(const std::unique_ptr<CommitGuard> guard, committer_.Guard(home_));
  [[maybe_unused]] const Snapshot old_base = planted::kRetryOnOldBase ? base_ : Snapshot();
  TARN_ASSIGN_OR_RETURN(std::optional<Version> landed, CatchUp());
  if (landed) return PublishOutcome(Published{std::move(*landed)});  // an attempt won unheard
  TARN_RETURN_IF_ERROR(CheckPositions());
  if constexpr (planted::kRetryOnOldBase) {
    // The new name over the old contents: what a writer does that renames its file and no more.
    TARN_ASSIGN_OR_RETURN(EncodedCommit stale, format_.Encode(home_, old_base, commit_));
    TARN_ASSIGN_OR_RETURN(const EncodedCommit fresh, format_.Encode(home_, base_, commit_));
    stale.head = [stale_head = stale.head, fresh_head = fresh.head](std::string_view name) {
      return NewObject{fresh_head(name).path, stale_head(name).bytes};
    };
    stale.version = fresh.version;
    return committer_.Publish(home_, stale);
  }
  TARN_ASSIGN_OR_RETURN(const EncodedCommit encoded, format_.Encode(home_, base_, commit_));
  TARN_ASSIGN_OR_RETURN(PublishOutcome outcome, committer_.Publish(home_, encoded));
  // Who slept between the look and the step looks again.
  if (Slept() && std::holds_alternative<Published>(outcome)) return PublishOutcome(NoAnswer{});
  return outcome;
}

int64_t Transaction::SinceBeginMs() const {
  return (runtime_.clock.NowMicros() - began_micros_) / 1000;
}

bool Transaction::Slept() const {
  constexpr int64_t kLookHoldsMs = 60'000;
  return format_.traits().frees_versions && SinceBeginMs() > kLookHoldsMs;
}

Result<std::optional<Version>> Transaction::Found(Version version) const {
  // A name freed by clean-up has newer versions behind it, which do not know of our commit though
  // it stands before them. Without any behind it, it is the newest and all build on it.
  if (Slept()) {
    TARN_ASSIGN_OR_RETURN(const Snapshot newest, format_.Load(home_, Newest{}));
    if (newest.version != version) {
      return UnknownOutcome("version " + version.text + " was written after a long wait, and " +
                            newest.version.text +
                            " may have been made by those who never saw it: look whether its rows "
                            "are in the table");
    }
  }
  return std::optional<Version>(std::move(version));
}

// A race lost last may be lost to ourselves.
Result<std::optional<Version>> Transaction::LookOnceMore() {
  TARN_ASSIGN_OR_RETURN(const std::unique_ptr<CommitGuard> guard, committer_.Guard(home_));
  return CatchUp();
}

Result<std::optional<Version>> Transaction::CatchUp() {
  Result<History> history =
      format_.Commits(home_, base_.version, std::nullopt, HistoryDetail::kConflicts);
  if (!history.ok()) {
    const bool nothing_yet = !base_.exists() && history.error().code == ErrorCode::kNotFound;
    if (nothing_yet) return std::optional<Version>();
    return std::move(history).error();
  }
  if (std::holds_alternative<HistoryGap>(history.value())) return CatchUpOverGap();
  auto& landed = std::get<std::vector<Commit>>(history.value());
  for (Commit& theirs : landed) {
    if (theirs.id == commit_.id && !planted::kIdNotCompared) {
      return Found(std::move(theirs.version));
    }
    if (!base_.exists()) continue;  // their ids may still say that it was us
    if constexpr (planted::kNoConflictCheck) continue;
    if (auto conflict = FindConflict(commit_, theirs, base_, isolation_)) {
      // Positions are compared with where they stand after all of these commits: mine may have been
      // planned on files of an older snapshot and yet know of this move (CheckPositions).
      if (conflict->kind != ConflictReason::Kind::kPosition) {
        return Conflict(std::move(conflict->message));
      }
      position_moved_by_ = std::move(conflict->message);
    }
  }
  if (landed.empty()) return std::optional<Version>();
  if (!base_.exists()) {
    // A history that does not begin with a creation was cleaned, and ours may have been in it.
    if (answer_lost_ && !landed.front().metadata) return UnknownOutcome("the history was cleaned");
    return TableExists();
  }
  TARN_ASSIGN_OR_RETURN(base_, format_.Load(home_, AtVersion{landed.back().version.text}));
  return std::optional<Version>();
}

Result<std::optional<Version>> Transaction::CatchUpOverGap() {
  if (answer_lost_) {  // our own commit may lie in the gap
    return UnknownOutcome("the history since version " + base_.version.text + " cannot be read");
  }
  if (!base_.exists()) return TableExists();
  if (!IsBlindAppend(commit_)) {
    return Conflict("the history since version " + base_.version.text +
                    " cannot be read (cleaned away or rolled back), so what happened meanwhile is "
                    "unknown; run the statement again");
  }
  TARN_ASSIGN_OR_RETURN(Snapshot newest, format_.Load(home_, Newest{}));
  if (auto conflict = FindConflict(commit_, SummaryOf(base_, newest), base_, isolation_)) {
    return Conflict(std::move(conflict->message));
  }
  base_ = std::move(newest);
  return std::optional<Version>();
}

Status Transaction::CheckPositions() const {
  if constexpr (planted::kPositionNotCompared) return OkStatus();
  for (const PositionMove& move : commit_.positions) {
    const auto stands = base_.positions.find(move.source);
    const bool as_expected =
        stands == base_.positions.end() ? !move.before.has_value() : move.before == stands->second;
    if (as_expected) continue;
    if (!position_moved_by_.empty()) return Conflict(position_moved_by_);
    return Conflict("the position of '" + move.source + "' is " +
                    (stands == base_.positions.end() ? "not set" : "'" + stands->second + "'") +
                    " and not " + (move.before ? "'" + *move.before + "'" : "unset") +
                    ": another run has moved it; start again from where it is");
  }
  return OkStatus();
}

Error Transaction::TableExists() const {
  return AlreadyExists("create at '" + home_.root.str() + "': a table stands there");
}

void Transaction::WaitBeforeRetry(int attempt) {
  int64_t wait_ms = retry_.wait_first_ms;
  for (int doubled = 1; doubled < attempt && wait_ms < retry_.wait_max_ms; ++doubled) wait_ms *= 2;
  wait_ms = std::min(wait_ms, retry_.wait_max_ms);
  if (wait_ms <= 0) return;
  // Half of it, and up to the whole: writers that met once should not meet again.
  const auto half = static_cast<uint64_t>(wait_ms / 2);
  runtime_.clock.SleepMillis(wait_ms - static_cast<int64_t>(runtime_.random.Below(half + 1)));
}

}  // namespace tarn
