#include <gtest/gtest.h>

#include "tarn/storage/memory.h"
#include "tarn/table/committer.h"
#include "tests/support/fake_runtime.h"
#include "tests/support/matchers.h"
#include "tests/support/paths.h"

namespace tarn {
namespace {

using testing::P;

class PathCommitterTest : public ::testing::Test {
 protected:
  EncodedCommit CommitOf(const std::string& bytes) {
    EncodedCommit commit;
    commit.version = {"1"};
    commit.staged = {{P("t/dv"), "rows"}, {P("t/sidecar"), "more"}};
    commit.head = [bytes](std::string_view) { return NewObject{P("t/log/1"), bytes}; };
    return commit;
  }
  // Counts calls, and from the first that matches on lets `faults` happen.
  void FaultFrom(std::string operation, const MemoryFaults& faults) {
    storage_->SetBeforeCall([this, operation, faults](std::string_view called, const Path& path) {
      calls_.push_back(std::string(called) + " " + path.str());
      if (called == operation) storage_->SetFaults(faults);
    });
  }

  testing::FakeRuntime fakes_;
  std::unique_ptr<MemoryStorage> storage_ = MakeMemoryStorage(fakes_.clock, *fakes_.random);
  std::unique_ptr<Committer> committer_ = MakePathCommitter(*storage_);
  TableHome home_{P("t"), *storage_};
  std::vector<std::string> calls_;
};

TEST_F(PathCommitterTest, StagesThenReveals) {
  FaultFrom("none", {});
  ASSERT_OK_AND_ASSIGN(const PublishOutcome outcome, committer_->Publish(home_, CommitOf("mine")));
  EXPECT_EQ(std::get<Published>(outcome).version.text, "1");
  EXPECT_EQ(calls_, (std::vector<std::string>{"put t/dv", "put t/sidecar", "create t/log/1"}));
  EXPECT_EQ(storage_->Read(P("t/log/1")).value(), "mine");
}

TEST_F(PathCommitterTest, NeedsNoLock) {
  ASSERT_OK_AND_ASSIGN(const auto guard, committer_->Guard(home_));
  EXPECT_EQ(guard, nullptr);
}

TEST_F(PathCommitterTest, NameTakenIsALostRace) {
  ASSERT_OK(storage_->Put(P("t/log/1"), "theirs"));
  ASSERT_OK_AND_ASSIGN(const PublishOutcome outcome, committer_->Publish(home_, CommitOf("mine")));
  EXPECT_TRUE(std::holds_alternative<LostRace>(outcome));
  EXPECT_EQ(storage_->Read(P("t/log/1")).value(), "theirs");
}

TEST_F(PathCommitterTest, LostAnswerIsNoAnswer) {
  FaultFrom("create", {.lose_answer = 1000});
  ASSERT_OK_AND_ASSIGN(const PublishOutcome outcome, committer_->Publish(home_, CommitOf("mine")));
  EXPECT_TRUE(std::holds_alternative<NoAnswer>(outcome));
}

TEST_F(PathCommitterTest, StoreDownIsItsError) {
  FaultFrom("create", {.fail_before = 1000});
  EXPECT_ERROR(committer_->Publish(home_, CommitOf("mine")), ErrorCode::kUnavailable);
}

TEST_F(PathCommitterTest, StagingThatGetsNoAnswerRevealsNothing) {
  storage_->SetFaults({.unknown_not_done = 1000});
  EXPECT_ERROR(committer_->Publish(home_, CommitOf("mine")), ErrorCode::kUnavailable);
  storage_->SetFaults({});
  EXPECT_ERROR(storage_->Read(P("t/log/1")), ErrorCode::kNotFound);
}

TEST_F(PathCommitterTest, StagingAsksAgainAfterALostAnswer) {
  int puts = 0;
  storage_->SetBeforeCall([&](std::string_view called, const Path&) {
    if (called == "put") storage_->SetFaults({.lose_answer = ++puts % 2 == 1 ? 1000 : 0});
  });
  ASSERT_OK_AND_ASSIGN(const PublishOutcome outcome, committer_->Publish(home_, CommitOf("mine")));
  EXPECT_TRUE(std::holds_alternative<Published>(outcome));
  EXPECT_EQ(puts, 4);
}

TEST_F(PathCommitterTest, TicketsObjectsAreShown) {
  WriteTicket ticket;
  ticket.shown_first = {{P("t/requested"), ""}, {P("t/inflight"), ""}};
  ASSERT_OK(committer_->ShowFirst(home_, ticket));
  EXPECT_OK(storage_->Stat(P("t/requested")));
  EXPECT_OK(storage_->Stat(P("t/inflight")));
}

TEST_F(PathCommitterTest, UpkeepPutsInOrderThenRemoves) {
  ASSERT_OK(storage_->Put(P("t/log/0"), "old"));
  FaultFrom("none", {});
  ASSERT_OK(committer_->RunUpkeep(
      home_, {.put = {{P("t/checkpoint"), "c"}, {P("t/hint"), "h"}}, .remove = {P("t/log/0")}}));
  EXPECT_EQ(calls_, (std::vector<std::string>{"put t/checkpoint", "put t/hint", "remove t/log/0"}));
}

TEST_F(PathCommitterTest, NoHintWithoutItsCheckpoint) {
  ASSERT_OK(storage_->Put(P("t/log/0"), "old"));
  FaultFrom("put", {.fail_before = 1000});
  EXPECT_ERROR(committer_->RunUpkeep(home_, {.put = {{P("t/checkpoint"), "c"}, {P("t/hint"), "h"}},
                                             .remove = {P("t/log/0")}}),
               ErrorCode::kUnavailable);
  storage_->SetFaults({});
  storage_->SetBeforeCall(nullptr);
  EXPECT_ERROR(storage_->Read(P("t/hint")), ErrorCode::kNotFound);
  EXPECT_OK(storage_->Read(P("t/log/0")));
}

}  // namespace
}  // namespace tarn
