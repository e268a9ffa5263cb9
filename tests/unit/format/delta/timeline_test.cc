#include "tarn/format/delta/timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/format/delta/log_fixture.h"

namespace tarn::delta {
namespace {

TEST(CommitTime, RulesInOrder) {
  CommitInfo info;
  info.timestamp_ms = 5;
  info.in_commit_timestamp_ms = 6;
  info.engine_info = "Apache-Spark/3.5";
  EXPECT_EQ(CommitTimeMs({}, 3, info, 9), 9) << "another's timestamp is not trusted";
  EXPECT_EQ(CommitTimeMs({.in_commit_from = 3}, 3, info, 9), 6);
  EXPECT_EQ(CommitTimeMs({.in_commit_from = 4}, 3, info, 9), 9);
  info.engine_info = "tarn/0.1.0";
  EXPECT_EQ(CommitTimeMs({}, 3, info, 9), 5);
  EXPECT_EQ(CommitTimeMs({}, 3, std::nullopt, 9), 9);
}

TEST(MakeRising, ByTheLeastThatDoesIt) {
  std::map<int64_t, int64_t> times = {{0, 10}, {1, 10}, {2, 5}, {3, 12}, {4, 13}};
  MakeRising({}, times);
  EXPECT_EQ(times, (std::map<int64_t, int64_t>{{0, 10}, {1, 11}, {2, 12}, {3, 13}, {4, 14}}));
  std::map<int64_t, int64_t> in_commit = {{0, 100}, {1, 50}, {2, 60}};
  MakeRising({.in_commit_from = 1}, in_commit);
  EXPECT_EQ(in_commit, (std::map<int64_t, int64_t>{{0, 100}, {1, 50}, {2, 60}}));
}

class TimelineTest : public LogFixture {
 protected:
  static std::string InfoLine(int64_t timestamp_ms) {
    return R"({"commitInfo":{"timestamp":)" + std::to_string(timestamp_ms) +
           R"(,"engineInfo":"tarn/0.1.0"}})";
  }
};

TEST_F(TimelineTest, FindsTheVersionByTarnsTimes) {
  PutCommit(0, {InfoLine(1000), ProtocolLine(), MetadataLine()});
  PutCommit(1, {InfoLine(2000), AddLine("f1")});
  PutCommit(2, {InfoLine(3000), AddLine("f2")});
  const auto at = [&](int64_t millis) { return Load(AtTimestamp{millis * 1000}); };
  EXPECT_EQ(at(1000)->version.text, "0");
  EXPECT_EQ(at(1999)->version.text, "0");
  EXPECT_EQ(at(2000)->version.text, "1");
  EXPECT_EQ(at(1'000'000)->version.text, "2");
  const auto before = at(999);
  EXPECT_ERROR(before, ErrorCode::kNotFound);
  EXPECT_THAT(before.error().message, ::testing::HasSubstr("1970-01-01 00:00:01"));
  EXPECT_EQ(at(2000)->timestamp_ms, 2000);
}

TEST_F(TimelineTest, OthersByTheFilesTime) {
  PutFirst();
  const int64_t first_ms = fake_.clock.NowMicros() / 1000;
  fake_.clock.AdvanceMillis(60'000);
  PutCommit(1, {AddLine("f1")});
  EXPECT_EQ(Load(AtTimestamp{(first_ms + 59'000) * 1000})->version.text, "0");
  EXPECT_EQ(Load(AtTimestamp{(first_ms + 60'000) * 1000})->version.text, "1");
}

TEST_F(TimelineTest, ACleanedLogStartsWithItsCheckpoint) {
  PutCommit(0, {InfoLine(1000), ProtocolLine(), MetadataLine()});
  PutCommit(1, {InfoLine(2000), AddLine("f1")});
  PutCommit(2, {InfoLine(3000), AddLine("f2")});
  ASSERT_OK_AND_ASSIGN(const Snapshot at_one, Load(AtVersion{"1"}));
  PutCheckpoint(at_one);
  ASSERT_OK(storage_->Remove(CommitPath(home_.root, 0)));
  EXPECT_ERROR(Load(AtTimestamp{1'500'000}), ErrorCode::kNotFound);
  EXPECT_EQ(Load(AtTimestamp{2'000'000})->version.text, "1");
  // And with a hole no newer state can be read, but earlier times can.
  PutCommit(4, {InfoLine(5000), AddLine("f4")});
  EXPECT_ERROR(Load(), ErrorCode::kCorrupt);
  EXPECT_EQ(Load(AtTimestamp{3'000'000})->version.text, "2");
}

}  // namespace
}  // namespace tarn::delta
