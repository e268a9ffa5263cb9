#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tarn/base/runtime.h"
#include "tarn/model/commit.h"
#include "tarn/model/conflict.h"
#include "tarn/model/snapshot.h"
#include "tarn/table/committer.h"
#include "tarn/table/retry_policy.h"
#include "tarn/table/table_format.h"

namespace tarn {

// One commit on its way into a table. Not thread-safe; used once.
class Transaction {
 public:
  // `commit` was made on `base` (Snapshot::Empty() for a table to be created). home, format and
  // committer outlive it. An empty commit.id is given one.
  Transaction(Runtime& runtime, TableHome& home, const TableFormat& format, Committer& committer,
              Snapshot base, Commit commit, Isolation isolation, RetryPolicy retry = {});

  // Publishes the commit on top of whatever is newest. First try and retry are the same steps:
  // guard, catch up, encode, publish. Once an answer was lost only three things may be said: it
  // landed (found by its id), kConflict (others hold every name we tried), or kUnknownOutcome.
  // Errors else: kConflict naming the other commit (run the statement again); kUnavailable if every
  // race was lost (try later); kAlreadyExists for a creation that found a table; what storage
  // reported; kCancelled between attempts, never once an answer was lost.
  // A commit that took longer than log clean-up can be trusted to leave its name alone, and that
  // others have followed, is kUnknownOutcome too: the name it took may have been an old one.
  // Only a blind append that moves no position and has lost no answer continues when the history
  // since its base cannot be read, and only while the columns are compatible.
  Result<Version> Publish();

  // The snapshot on top of which the commit was encoded last.
  const Snapshot& base() const { return base_; }
  int attempts() const { return attempts_; }

 private:
  Result<PublishOutcome> Attempt();
  // Moves base_ to the newest snapshot, or returns the version at which commit_ already landed.
  Result<std::optional<Version>> CatchUp();
  Result<std::optional<Version>> CatchUpOverGap();
  Result<std::optional<Version>> LookOnceMore();
  // The commit was found in the history by its id, as `version`.
  Result<std::optional<Version>> Found(Version version) const;
  // Whether a name that was free when this transaction began may have been an old one by now.
  bool Slept() const;
  int64_t SinceBeginMs() const;
  // kConflict unless every position that moves is where the commit expects it in base_.
  Status CheckPositions() const;
  Error TableExists() const;
  void WaitBeforeRetry(int attempt);

  Runtime& runtime_;
  TableHome& home_;
  const TableFormat& format_;
  Committer& committer_;
  Snapshot base_;
  Commit commit_;
  Isolation isolation_;
  RetryPolicy retry_;
  bool answer_lost_ = false;
  std::string position_moved_by_;  // who moved a position of mine last, for the message
  int attempts_ = 0;
  int64_t began_micros_ = 0;
};

// Checkpoint, hint and log clean-up if due after `version`. Failures are logged, not returned: the
// commit stands.
void RunUpkeepAfter(Runtime& runtime, TableHome& home, const TableFormat& format,
                    Committer& committer, const Version& version);

}  // namespace tarn
