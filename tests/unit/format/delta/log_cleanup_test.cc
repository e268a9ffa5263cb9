#include "tarn/format/delta/log_cleanup.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace tarn::delta {
namespace {

constexpr int64_t kDayMs = int64_t{24} * 3600 * 1000;
const Path kRoot = *Path::Make("t");

// Versions 0 … newest, one a day from day 0, with checkpoints at the versions given.
LogListing DailyLog(int64_t newest, std::initializer_list<int64_t> checkpoints) {
  LogListing listing;
  for (int64_t version = 0; version <= newest; ++version) {
    listing.commits[version] = {CommitPath(kRoot, version), 10, version * kDayMs};
  }
  for (const int64_t version : checkpoints) {
    CheckpointObjects checkpoint;
    checkpoint.version = version;
    checkpoint.parts = {{ClassicCheckpointPath(kRoot, version), 100, version * kDayMs}};
    listing.checkpoints[version] = {checkpoint};
  }
  return listing;
}

bool Contains(const ExpiredLog& expired, const Path& path) {
  return std::find(expired.paths.begin(), expired.paths.end(), path) != expired.paths.end();
}

TEST(CutoffMs, IsMidnight) {
  EXPECT_EQ(CutoffMs(10 * kDayMs + 5, 2 * kDayMs), 8 * kDayMs);
  EXPECT_EQ(CutoffMs(10 * kDayMs, 2 * kDayMs), 8 * kDayMs);
  EXPECT_EQ(CutoffMs(5, kDayMs), -kDayMs);
}

TEST(ExpiredLogObjects, KeepsWhatTimeTravelWithinTheRetentionNeeds) {
  const LogListing listing = DailyLog(40, {10, 20, 30, 40});
  // The newest commit not newer than day 25 is 25; the checkpoint for it is 20.
  const ExpiredLog expired = ExpiredLogObjects(kRoot, listing, 25 * kDayMs + 5);
  ASSERT_TRUE(expired.kept);
  EXPECT_EQ(expired.kept->version, 20);
  EXPECT_TRUE(Contains(expired, CommitPath(kRoot, 0)));
  EXPECT_TRUE(Contains(expired, CommitPath(kRoot, 19)));
  EXPECT_TRUE(Contains(expired, ChecksumPath(kRoot, 19)));
  EXPECT_TRUE(Contains(expired, ClassicCheckpointPath(kRoot, 10)));
  EXPECT_FALSE(Contains(expired, CommitPath(kRoot, 20)));
  EXPECT_FALSE(Contains(expired, ClassicCheckpointPath(kRoot, 20)));
  EXPECT_FALSE(Contains(expired, CommitPath(kRoot, 21)));
}

TEST(ExpiredLogObjects, ACheckpointAtTheCutoffIsIdeal) {
  const ExpiredLog expired = ExpiredLogObjects(kRoot, DailyLog(40, {10, 20, 30}), 20 * kDayMs);
  EXPECT_EQ(expired.kept->version, 20);
}

TEST(ExpiredLogObjects, NothingGoesWithoutAnOldEnoughCheckpoint) {
  EXPECT_TRUE(ExpiredLogObjects(kRoot, DailyLog(40, {}), 35 * kDayMs).paths.empty());
  EXPECT_TRUE(ExpiredLogObjects(kRoot, DailyLog(40, {30}), 20 * kDayMs).paths.empty());
  EXPECT_TRUE(ExpiredLogObjects(kRoot, DailyLog(40, {10}), -1).paths.empty());
  EXPECT_FALSE(ExpiredLogObjects(kRoot, DailyLog(40, {10}), -1).kept);
}

TEST(ExpiredLogObjects, TimesRiseWithTheVersion) {
  LogListing listing = DailyLog(40, {10, 20});
  // Version 15 was copied today: those after it are not older, whatever their files say.
  listing.commits[15].modified_ms = 100 * kDayMs;
  const ExpiredLog expired = ExpiredLogObjects(kRoot, listing, 35 * kDayMs);
  EXPECT_EQ(expired.kept->version, 10);
}

TEST(ExpiredLogObjects, CompactionsUpToTheCheckpointGo) {
  LogListing listing = DailyLog(40, {20});
  listing.compactions = {{2, 5, {CompactionPath(kRoot, 2, 5), 5, 0}},
                         {18, 24, {CompactionPath(kRoot, 18, 24), 5, 0}},
                         {22, 25, {CompactionPath(kRoot, 22, 25), 5, 0}}};
  const ExpiredLog expired = ExpiredLogObjects(kRoot, listing, 35 * kDayMs);
  EXPECT_TRUE(Contains(expired, CompactionPath(kRoot, 2, 5)));
  EXPECT_TRUE(Contains(expired, CompactionPath(kRoot, 18, 24)));
  EXPECT_FALSE(Contains(expired, CompactionPath(kRoot, 22, 25)));
}

}  // namespace
}  // namespace tarn::delta
