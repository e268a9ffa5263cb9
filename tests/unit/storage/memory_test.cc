#include "tarn/storage/memory.h"

#include <gtest/gtest.h>

#include "tests/support/fake_runtime.h"
#include "tests/support/matchers.h"
#include "tests/support/paths.h"

namespace tarn {
namespace {

using testing::P;

class MemoryStorageTest : public ::testing::Test {
 protected:
  testing::ManualClock clock_;
  std::unique_ptr<Random> random_ = MakeSeededRandom(5);
  std::unique_ptr<MemoryStorage> storage_ = MakeMemoryStorage(clock_, *random_);
};

TEST_F(MemoryStorageTest, PowerCutForgetsWhatWasNotSynced) {
  ASSERT_OK(storage_->Put(P("a"), "synced"));
  ASSERT_OK(storage_->Put(P("b"), "synced"));
  storage_->SetSyncWrites(false);
  ASSERT_OK(storage_->Put(P("a"), "newer"));
  ASSERT_OK(storage_->Remove(P("b")));
  EXPECT_EQ(storage_->PutIfAbsent(P("c"), "x").value(), PutOutcome::kCreated);
  storage_->PowerCut();
  EXPECT_EQ(storage_->Read(P("a")).value(), "synced");
  EXPECT_EQ(storage_->Read(P("b")).value(), "synced");
  EXPECT_ERROR(storage_->Read(P("c")), ErrorCode::kNotFound);
}

TEST_F(MemoryStorageTest, SyncedAgainKeepsWhatIsSeen) {
  storage_->SetSyncWrites(false);
  ASSERT_OK(storage_->Put(P("a"), "x"));
  storage_->SetSyncWrites(true);
  storage_->PowerCut();
  EXPECT_EQ(storage_->Read(P("a")).value(), "x");
}

TEST_F(MemoryStorageTest, FailureBeforeMeansNothingHappened) {
  storage_->SetFaults({.fail_before = 1000});
  EXPECT_ERROR(storage_->Put(P("a"), "x"), ErrorCode::kUnavailable);
  EXPECT_ERROR(storage_->Read(P("a")), ErrorCode::kUnavailable);
  EXPECT_ERROR(storage_->List(Path(), Path(), 1, Storage::Depth::kAll), ErrorCode::kUnavailable);
  storage_->SetFaults({});
  EXPECT_ERROR(storage_->Read(P("a")), ErrorCode::kNotFound);
}

TEST_F(MemoryStorageTest, LostAnswerMeansItHappened) {
  storage_->SetFaults({.lose_answer = 1000});
  EXPECT_ERROR(storage_->PutIfAbsent(P("a"), "mine"), ErrorCode::kUnknownOutcome);
  EXPECT_ERROR(storage_->PutIfAbsent(P("a"), "other"), ErrorCode::kUnknownOutcome);
  EXPECT_EQ(storage_->Read(P("a")).value(), "mine");
  EXPECT_ERROR(storage_->Remove(P("a")), ErrorCode::kUnknownOutcome);
  EXPECT_ERROR(storage_->Read(P("a")), ErrorCode::kNotFound);
}

TEST_F(MemoryStorageTest, UnknownMayAlsoMeanThatNothingHappened) {
  storage_->SetFaults({.unknown_not_done = 1000});
  EXPECT_ERROR(storage_->Put(P("a"), "x"), ErrorCode::kUnknownOutcome);
  EXPECT_ERROR(storage_->PutIfAbsent(P("a"), "x"), ErrorCode::kUnknownOutcome);
  EXPECT_ERROR(storage_->Read(P("a")), ErrorCode::kNotFound);
}

TEST_F(MemoryStorageTest, FaultsComeAsOftenAsAsked) {
  storage_->SetFaults({.fail_before = 200});
  int failed = 0;
  for (int i = 0; i < 2000; ++i) failed += storage_->Put(P("a"), "x").ok() ? 0 : 1;
  EXPECT_NEAR(failed, 400, 100);
}

TEST_F(MemoryStorageTest, DelaysOnItsClock) {
  storage_->SetFaults({.delay_max_ms = 100});
  const int64_t before = clock_.NowMicros();
  for (int i = 0; i < 20; ++i) ASSERT_OK(storage_->Put(P("a"), "x"));
  EXPECT_GT(clock_.NowMicros(), before);
  EXPECT_LE(clock_.NowMicros(), before + 20 * 100'000);
  storage_->SetFaults({});  // asking takes no time
  EXPECT_EQ(storage_->Stat(P("a"))->modified_ms, clock_.NowMicros() / 1000);
}

TEST_F(MemoryStorageTest, TellsEachCallBeforeIt) {
  std::vector<std::string> calls;
  storage_->SetBeforeCall([&](std::string_view operation, const Path& path) {
    calls.push_back(std::string(operation) + " " + path.str());
    // Outside the lock: a hook may use the store.
    if (calls.size() == 1) ASSERT_OK(storage_->Put(P("b"), "y"));
  });
  ASSERT_OK(storage_->Put(P("a"), "x"));
  EXPECT_EQ(calls, (std::vector<std::string>{"put a", "put b"}));
}

}  // namespace
}  // namespace tarn
