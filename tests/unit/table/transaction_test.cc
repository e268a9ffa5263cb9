#include "tarn/table/transaction.h"

#include <gtest/gtest.h>

#include <deque>
#include <functional>

#include "tarn/storage/memory.h"
#include "tests/support/fake_runtime.h"
#include "tests/support/matchers.h"
#include "tests/support/paths.h"
#include "tests/support/toy_format.h"
#include "tests/support/toy_tables.h"

namespace tarn {
namespace {

using testing::Append;
using testing::CreateEvents;
using testing::FileOf;
using testing::LogFormat;
using testing::OverwriteDay;

using testing::P;

// A path committer that has something happen at the n-th publish.
class ScriptedCommitter final : public Committer {
 public:
  enum class Event { kReal, kAnswerLost, kNotDoneNoAnswer, kDown };
  struct Step {
    std::function<void()> before = nullptr;  // another writer, for instance
    Event event = Event::kReal;
  };

  explicit ScriptedCommitter(Storage& storage) : real_(MakePathCommitter(storage)) {}
  std::deque<Step> steps;
  Step afterwards;  // once the steps are used up
  std::function<void()> after_lost_answer;
  std::function<void()> after_publish;

  Result<std::unique_ptr<CommitGuard>> Guard(TableHome& home) override {
    return real_->Guard(home);
  }
  Result<PublishOutcome> Publish(TableHome& home, const EncodedCommit& commit) override {
    Step step = afterwards;
    if (!steps.empty()) {
      step = std::move(steps.front());
      steps.pop_front();
    }
    if (step.before) step.before();
    switch (step.event) {
      case Event::kReal: {
        Result<PublishOutcome> outcome = real_->Publish(home, commit);
        if (after_publish) std::exchange(after_publish, nullptr)();
        return outcome;
      }
      case Event::kAnswerLost:
        TARN_RETURN_IF_ERROR(real_->Publish(home, commit));
        if (after_lost_answer) after_lost_answer();
        return PublishOutcome(NoAnswer{});
      case Event::kNotDoneNoAnswer:
        return PublishOutcome(NoAnswer{});
      case Event::kDown:
        return Unavailable("the store is down");
    }
    return Internal("no such step");
  }
  Status ShowFirst(TableHome& home, const WriteTicket& ticket) override {
    return real_->ShowFirst(home, ticket);
  }
  Status RunUpkeep(TableHome& home, const Upkeep& upkeep) override {
    return real_->RunUpkeep(home, upkeep);
  }

 private:
  std::unique_ptr<Committer> real_;
};

// A log format whose history can be gone, or out of reach.
class GappyFormat final : public testing::ToyFormat {
 public:
  explicit GappyFormat(testing::CommitVault& vault) : ToyFormat(vault), log_(vault) {}
  bool gone = false;
  bool down = false;
  bool frees = true;
  std::optional<RetryPolicy> retries;

  std::string_view name() const override { return log_.name(); }
  FormatTraits traits() const override {
    FormatTraits traits = log_.traits();
    traits.frees_versions = frees;
    return traits;
  }
  Result<RetryPolicy> Retries(const Snapshot&, const RetryPolicy& otherwise) const override {
    return retries.value_or(otherwise);
  }
  Result<EncodedCommit> Encode(const TableHome& home, const Snapshot& base,
                               const Commit& commit) const override {
    return log_.Encode(home, base, commit);
  }
  Result<Snapshot> Load(const TableHome& home, const AsOf& as_of) const override {
    return log_.Load(home, as_of);
  }
  Result<History> Commits(const TableHome& home, const Version& after,
                          const std::optional<Version>& until,
                          HistoryDetail detail) const override {
    if (down) return Unavailable("the store is down");
    if (gone) return History(HistoryGap::kGone);
    return log_.Commits(home, after, until, detail);
  }

 protected:
  Result<std::vector<Commit>> AllCommits(const TableHome&) const override {
    return std::vector<Commit>();
  }

 private:
  LogFormat log_;
};

class TransactionTest : public ::testing::Test {
 protected:
  using Event = ScriptedCommitter::Event;

  void SetUp() override {
    ASSERT_OK(Publish(Snapshot::Empty(), CreateEvents("create")));
    base_ = format_.Load(home_, Newest{}).value();
  }

  Result<Version> Publish(Snapshot base, Commit commit, RetryPolicy retry = {}) {
    Transaction transaction(fakes_.runtime, home_, format_, committer_, std::move(base),
                            std::move(commit), Isolation::kSerializable, retry);
    Result<Version> version = transaction.Publish();
    attempts_ = transaction.attempts();
    return version;
  }

  // Another writer's commit lands now, past our committer and whatever we think of the history.
  void Land(Commit commit) {
    const std::unique_ptr<Committer> theirs = MakePathCommitter(*storage_);
    const LogFormat format(vault_);
    Snapshot base = format.Load(home_, Newest{}).value();
    Transaction transaction(fakes_.runtime, home_, format, *theirs, base, std::move(commit),
                            Isolation::kSerializable);
    ASSERT_OK(transaction.Publish());
  }
  std::function<void()> Lands(Commit commit) {
    return [this, commit] { Land(commit); };
  }

  std::vector<std::string> LandedIds() {
    const LogFormat format(vault_);
    std::vector<std::string> ids;
    const History history =
        format.Commits(home_, {}, std::nullopt, HistoryDetail::kConflicts).value();
    for (const Commit& commit : std::get<std::vector<Commit>>(history)) ids.push_back(commit.id);
    return ids;
  }

  testing::FakeRuntime fakes_;
  std::unique_ptr<MemoryStorage> storage_ = MakeMemoryStorage(fakes_.clock, *fakes_.random);
  testing::CommitVault vault_;
  GappyFormat format_{vault_};
  ScriptedCommitter committer_{*storage_};
  TableHome home_{P("t"), *storage_};
  Snapshot base_;
  int attempts_ = 0;
};

using Ids = std::vector<std::string>;

TEST_F(TransactionTest, AloneLandsAtOnce) {
  EXPECT_EQ(Publish(base_, Append("mine", {FileOf("1", "a")}))->text, "1");
  EXPECT_EQ(attempts_, 1);
  EXPECT_EQ(LandedIds(), (Ids{"create", "mine"}));
}

TEST_F(TransactionTest, EmptyIdIsGiven) {
  ASSERT_OK(Publish(base_, Append("", {FileOf("1", "a")})));
  EXPECT_EQ(LandedIds().back().size(), 36u);
}

TEST_F(TransactionTest, OldBaseIsCaughtUpBeforeTheFirstAttempt) {
  Land(Append("theirs", {FileOf("1", "b")}));
  EXPECT_EQ(Publish(base_, Append("mine", {FileOf("1", "a")}))->text, "2");
  EXPECT_EQ(attempts_, 1);
}

TEST_F(TransactionTest, LostRaceIsRebased) {
  committer_.steps = {{Lands(Append("theirs", {FileOf("1", "b")})), Event::kReal}};
  EXPECT_EQ(Publish(base_, Append("mine", {FileOf("1", "a")}))->text, "2");
  EXPECT_EQ(attempts_, 2);
  EXPECT_EQ(LandedIds(), (Ids{"create", "theirs", "mine"}));
}

TEST_F(TransactionTest, ConflictIsSaidAndNothingLands) {
  committer_.steps = {{Lands(Append("theirs", {FileOf("1", "b")})), Event::kReal}};
  const auto outcome = Publish(base_, OverwriteDay("mine", "1", {}, {FileOf("1", "a")}));
  EXPECT_ERROR(outcome, ErrorCode::kConflict);
  EXPECT_NE(outcome.error().message.find("version 1"), std::string::npos);
  EXPECT_EQ(LandedIds(), (Ids{"create", "theirs"}));
}

TEST_F(TransactionTest, OtherPartitionIsNoConflict) {
  committer_.steps = {{Lands(OverwriteDay("theirs", "2", {}, {FileOf("2", "b")})), Event::kReal}};
  EXPECT_OK(Publish(base_, OverwriteDay("mine", "1", {}, {FileOf("1", "a")})));
}

TEST_F(TransactionTest, LostAnswerIsFoundById) {
  committer_.steps = {{nullptr, Event::kAnswerLost}};
  EXPECT_EQ(Publish(base_, Append("mine", {FileOf("1", "a")}))->text, "1");
  EXPECT_EQ(LandedIds(), (Ids{"create", "mine"}));
}

TEST_F(TransactionTest, LostAnswerOnTheLastAttemptIsFoundById) {
  committer_.steps = {{nullptr, Event::kAnswerLost}};
  EXPECT_EQ(Publish(base_, Append("mine", {FileOf("1", "a")}), {.attempts_max = 1})->text, "1");
}

TEST_F(TransactionTest, LostAnswerUnderLaterCommitsIsFoundById) {
  // The answer to the second attempt is lost, and others land on top of ours before we look.
  committer_.steps = {{Lands(Append("before", {FileOf("1", "b")})), Event::kReal},
                      {nullptr, Event::kAnswerLost}};
  committer_.after_lost_answer = Lands(Append("after", {FileOf("1", "c")}));
  EXPECT_EQ(Publish(base_, Append("mine", {FileOf("1", "a")}))->text, "2");
  EXPECT_EQ(LandedIds(), (Ids{"create", "before", "mine", "after"}));
}

TEST_F(TransactionTest, AnswerLostAndNotDoneIsPublishedAgain) {
  committer_.steps = {{nullptr, Event::kNotDoneNoAnswer}};
  EXPECT_EQ(Publish(base_, Append("mine", {FileOf("1", "a")}))->text, "1");
  EXPECT_EQ(LandedIds(), (Ids{"create", "mine"}));
}

TEST_F(TransactionTest, AnswerLostThenConflictIsConflict) {
  committer_.steps = {{nullptr, Event::kNotDoneNoAnswer},
                      {Lands(Append("theirs", {FileOf("1", "b")})), Event::kReal}};
  EXPECT_ERROR(Publish(base_, OverwriteDay("mine", "1", {}, {FileOf("1", "a")})),
               ErrorCode::kConflict);
  EXPECT_EQ(LandedIds(), (Ids{"create", "theirs"}));
}

TEST_F(TransactionTest, AnswerLostThenStoreDownIsUnknown) {
  committer_.steps = {{[&] { format_.down = true; }, Event::kAnswerLost}};
  const auto outcome = Publish(base_, Append("mine", {FileOf("1", "a")}));
  EXPECT_ERROR(outcome, ErrorCode::kUnknownOutcome);
  EXPECT_NE(outcome.error().message.find("mine"), std::string::npos);
}

TEST_F(TransactionTest, AnswerLostThenHistoryGoneIsUnknown) {
  committer_.steps = {{[&] { format_.gone = true; }, Event::kAnswerLost}};
  EXPECT_ERROR(Publish(base_, Append("mine", {FileOf("1", "a")})), ErrorCode::kUnknownOutcome);
}

TEST_F(TransactionTest, AnswerNeverGivenIsUnknown) {
  committer_.afterwards.event = Event::kNotDoneNoAnswer;
  EXPECT_ERROR(Publish(base_, Append("mine", {FileOf("1", "a")}), {.attempts_max = 5}),
               ErrorCode::kUnknownOutcome);
  EXPECT_EQ(attempts_, 5);
}

TEST_F(TransactionTest, AnswerLostThenPublishFailsIsUnknown) {
  committer_.steps = {{nullptr, Event::kNotDoneNoAnswer}, {nullptr, Event::kDown}};
  EXPECT_ERROR(Publish(base_, Append("mine", {FileOf("1", "a")})), ErrorCode::kUnknownOutcome);
}

TEST_F(TransactionTest, StoreDownWithoutALostAnswerIsUnavailable) {
  committer_.steps = {{nullptr, Event::kDown}};
  EXPECT_ERROR(Publish(base_, Append("mine", {FileOf("1", "a")})), ErrorCode::kUnavailable);
}

TEST_F(TransactionTest, EveryRaceLostIsUnavailable) {
  int landed = 0;
  committer_.afterwards.before = [&] {
    Land(Append("theirs" + std::to_string(landed++), {FileOf("2", "b")}));
  };
  EXPECT_ERROR(Publish(base_, Append("mine", {FileOf("1", "a")}), {.attempts_max = 4}),
               ErrorCode::kUnavailable);
  EXPECT_EQ(attempts_, 4);
  EXPECT_EQ(landed, 4);
}

TEST_F(TransactionTest, CreationThatFindsATableSaysSo) {
  EXPECT_ERROR(Publish(Snapshot::Empty(), CreateEvents("second")), ErrorCode::kAlreadyExists);
  EXPECT_EQ(LandedIds(), (Ids{"create"}));
}

TEST_F(TransactionTest, CreationWhoseAnswerWasLostIsFoundById) {
  TableHome other{P("u"), *storage_};
  committer_.steps = {{nullptr, Event::kAnswerLost}};
  Transaction transaction(fakes_.runtime, other, format_, committer_, Snapshot::Empty(),
                          CreateEvents("mine"), Isolation::kSerializable);
  EXPECT_EQ(transaction.Publish()->text, "0");
}

TEST_F(TransactionTest, CreationRaceLostAfterALostAnswerIsAlreadyExists) {
  TableHome other{P("u"), *storage_};
  committer_.steps = {{nullptr, Event::kNotDoneNoAnswer},
                      {[&] {
                         ScriptedCommitter theirs(*storage_);
                         Transaction race(fakes_.runtime, other, format_, theirs, Snapshot::Empty(),
                                          CreateEvents("theirs"), Isolation::kSerializable);
                         ASSERT_OK(race.Publish());
                       },
                       Event::kReal}};
  Transaction transaction(fakes_.runtime, other, format_, committer_, Snapshot::Empty(),
                          CreateEvents("mine"), Isolation::kSerializable);
  EXPECT_ERROR(transaction.Publish(), ErrorCode::kAlreadyExists);
}

TEST_F(TransactionTest, BlindAppendGoesOnOverAGap) {
  Land(Append("theirs", {FileOf("1", "b")}));
  format_.gone = true;
  EXPECT_EQ(Publish(base_, Append("mine", {FileOf("1", "a")}))->text, "2");
}

TEST_F(TransactionTest, OverAGapAllElseIsAConflict) {
  format_.gone = true;
  EXPECT_ERROR(Publish(base_, OverwriteDay("mine", "1", {}, {FileOf("1", "a")})),
               ErrorCode::kConflict);
  Commit moves = Append("moves", {FileOf("1", "a")});
  moves.positions = {{"src", std::nullopt, "1"}};
  EXPECT_ERROR(Publish(base_, moves), ErrorCode::kConflict);
  Commit alter = Append("alter", {});
  alter.metadata = testing::EventsMetadata();
  EXPECT_ERROR(Publish(base_, alter), ErrorCode::kConflict);
  EXPECT_ERROR(Publish(Snapshot::Empty(), CreateEvents("second")), ErrorCode::kAlreadyExists);
}

TEST_F(TransactionTest, OverAGapChangedColumnsAreAConflict) {
  Commit alter;
  alter.id = "alter";
  alter.operation.kind = OperationKind::kAlter;
  alter.metadata = testing::EventsMetadata();
  alter.metadata->schema.fields.push_back(
      {.id = 3, .name = "n", .type = Type::Of(TypeKind::kInt64)});
  Land(alter);
  format_.gone = true;
  EXPECT_ERROR(Publish(base_, Append("mine", {FileOf("1", "a")})), ErrorCode::kConflict);
}

TEST_F(TransactionTest, PositionsAreComparedAndSet) {
  Commit first = Append("first", {FileOf("1", "a")});
  first.positions = {{"src", std::nullopt, "10"}};
  ASSERT_OK(Publish(base_, first));
  // Made on the same base: the second run of one source.
  Commit second = Append("second", {FileOf("1", "b")});
  second.positions = {{"src", std::nullopt, "10"}};
  EXPECT_ERROR(Publish(base_, second), ErrorCode::kConflict);
  // Made on the newest base, but from a position that never was.
  base_ = format_.Load(home_, Newest{}).value();
  second.positions = {{"src", "9", "11"}};
  EXPECT_ERROR(Publish(base_, second), ErrorCode::kConflict);
  second.positions = {{"src", "10", "11"}, {"other", "1", "2"}};
  EXPECT_ERROR(Publish(base_, second), ErrorCode::kConflict);
  second.positions = {{"src", "10", "11"}};
  EXPECT_OK(Publish(base_, second));
}

TEST_F(TransactionTest, CancellationIsHeardBetweenAttempts) {
  committer_.steps = {{[&] {
                         Land(Append("theirs", {FileOf("2", "b")}));
                         fakes_.cancellation.Cancel();
                       },
                       Event::kReal}};
  EXPECT_ERROR(Publish(base_, Append("mine", {FileOf("1", "a")})), ErrorCode::kCancelled);
  EXPECT_EQ(LandedIds(), (Ids{"create", "theirs"}));
}

TEST_F(TransactionTest, CancellationWaitsUntilARevealedCommitIsKnown) {
  committer_.steps = {{[&] { fakes_.cancellation.Cancel(); }, Event::kAnswerLost}};
  EXPECT_EQ(Publish(base_, Append("mine", {FileOf("1", "a")}))->text, "1");
}

TEST_F(TransactionTest, WhoSleptOverItsPublishLooksAgain) {
  // Found in the history: landed. History gone: nobody can tell.
  committer_.steps = {{[&] { fakes_.clock.AdvanceMillis(2 * 3600 * 1000); }, Event::kReal}};
  EXPECT_EQ(Publish(base_, Append("mine", {FileOf("1", "a")}))->text, "1");
  EXPECT_EQ(LandedIds(), (Ids{"create", "mine"}));
  base_ = format_.Load(home_, Newest{}).value();
  committer_.steps = {{[&] {
                         fakes_.clock.AdvanceMillis(2 * 3600 * 1000);
                         format_.gone = true;
                       },
                       Event::kReal}};
  EXPECT_ERROR(Publish(base_, Append("second", {FileOf("1", "b")})), ErrorCode::kUnknownOutcome);
}

TEST_F(TransactionTest, WhoSleptAndIsNotTheNewestCannotKnow) {
  // The name it took may have been freed by clean-up: those behind it never saw it.
  const auto sleep = [&] { fakes_.clock.AdvanceMillis(2 * 3600 * 1000); };
  committer_.after_publish = Lands(Append("theirs", {FileOf("1", "b")}));
  committer_.steps = {{sleep, Event::kReal}};
  EXPECT_ERROR(Publish(base_, Append("mine", {FileOf("1", "a")})), ErrorCode::kUnknownOutcome);
  // Where no clean-up frees names, to be in the history is to be in the table.
  format_.frees = false;
  base_ = format_.Load(home_, Newest{}).value();
  committer_.steps = {{sleep, Event::kAnswerLost}};
  committer_.after_publish = nullptr;
  committer_.after_lost_answer = Lands(Append("again theirs", {FileOf("1", "d")}));
  EXPECT_EQ(Publish(base_, Append("again", {FileOf("1", "c")}))->text, "3");
}

TEST_F(TransactionTest, TheFormatSaysHowOftenACommitIsTried) {
  format_.retries = RetryPolicy{.attempts_max = 2};
  committer_.afterwards = {nullptr, Event::kNotDoneNoAnswer};
  EXPECT_ERROR(Publish(base_, Append("mine", {FileOf("1", "a")})), ErrorCode::kUnknownOutcome);
  EXPECT_EQ(attempts_, 2);
  // And for how long.
  format_.retries = RetryPolicy{.wait_first_ms = 1000, .wait_max_ms = 1000, .total_ms = 2600};
  EXPECT_ERROR(Publish(base_, Append("other", {FileOf("1", "b")})), ErrorCode::kUnknownOutcome);
  EXPECT_GE(attempts_, 3);
  EXPECT_LE(attempts_, 6);
}

TEST_F(TransactionTest, WaitsGrowButNotForEver) {
  committer_.afterwards.before = [&] { Land(Append("theirs", {FileOf("2", "b")})); };
  const int64_t before = fakes_.clock.NowMicros();
  EXPECT_ERROR(Publish(base_, Append("mine", {FileOf("1", "a")}),
                       {.attempts_max = 8, .wait_first_ms = 10, .wait_max_ms = 40}),
               ErrorCode::kUnavailable);
  const int64_t waited_ms = (fakes_.clock.NowMicros() - before) / 1000;
  EXPECT_GE(waited_ms, (10 + 20 + 5 * 40) / 2);
  EXPECT_LE(waited_ms, 10 + 20 + 5 * 40);
}

}  // namespace
}  // namespace tarn
