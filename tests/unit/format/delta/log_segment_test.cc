#include "tarn/format/delta/log_segment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tarn/storage/local.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/format/delta/log_fixture.h"

namespace tarn::delta {
namespace {

using ::testing::HasSubstr;

class LogSegmentTest : public LogFixture {
 protected:
  void PutName(const std::string& name) { Put("_delta_log/" + name, "x"); }
  static std::string V(int64_t version) { return VersionDigits(version); }
  void PutCommits(int64_t first, int64_t last) {
    for (int64_t version = first; version <= last; ++version) PutName(V(version) + ".json");
  }
  static std::vector<std::pair<int64_t, int64_t>> Ranges(const LogSegment& segment) {
    std::vector<std::pair<int64_t, int64_t>> ranges;
    for (const LogTailObject& tail : segment.tail) ranges.emplace_back(tail.first, tail.last);
    return ranges;
  }
  using Pairs = std::vector<std::pair<int64_t, int64_t>>;
};

TEST_F(LogSegmentTest, CommitsAlone) {
  PutCommits(0, 2);
  ASSERT_OK_AND_ASSIGN(const LogSegment segment, FindSegment(home_, std::nullopt, {}));
  EXPECT_EQ(segment.version, 2);
  EXPECT_FALSE(segment.checkpoint);
  EXPECT_EQ(Ranges(segment), (Pairs{{0, 0}, {1, 1}, {2, 2}}));
  ASSERT_OK_AND_ASSIGN(const LogSegment earlier, FindSegment(home_, 1, {}));
  EXPECT_EQ(earlier.version, 1);
  EXPECT_ERROR(FindSegment(home_, 3, {}), ErrorCode::kNotFound);
}

TEST_F(LogSegmentTest, NoLog) {
  EXPECT_ERROR(FindSegment(home_, std::nullopt, {}), ErrorCode::kNotFound);
  PutName(V(0) + ".crc");
  EXPECT_ERROR(FindSegment(home_, std::nullopt, {}), ErrorCode::kNotFound);
}

TEST_F(LogSegmentTest, TheNewestCheckpointNotAfterTheVersion) {
  PutCommits(0, 12);
  PutName(V(5) + ".checkpoint.parquet");
  PutName(V(10) + ".checkpoint.parquet");
  ASSERT_OK_AND_ASSIGN(const LogSegment newest, FindSegment(home_, std::nullopt, {}));
  EXPECT_EQ(newest.checkpoint->version, 10);
  EXPECT_EQ(Ranges(newest), (Pairs{{11, 11}, {12, 12}}));
  ASSERT_OK_AND_ASSIGN(const LogSegment earlier, FindSegment(home_, 7, {}));
  EXPECT_EQ(earlier.checkpoint->version, 5);
  ASSERT_OK_AND_ASSIGN(const LogSegment at, FindSegment(home_, 10, {}));
  EXPECT_EQ(at.checkpoint->version, 10);
  EXPECT_TRUE(at.tail.empty());
  ASSERT_OK_AND_ASSIGN(const LogSegment passed_over,
                       FindSegment(home_, std::nullopt, {ClassicCheckpointPath(home_.root, 10)}));
  EXPECT_EQ(passed_over.checkpoint->version, 5);
}

TEST_F(LogSegmentTest, AMultiPartCheckpointNeedsAllItsParts) {
  PutCommits(0, 4);
  PutName(V(3) + ".checkpoint.0000000001.0000000002.parquet");
  ASSERT_OK_AND_ASSIGN(const LogSegment without, FindSegment(home_, std::nullopt, {}));
  EXPECT_FALSE(without.checkpoint);
  PutName(V(3) + ".checkpoint.0000000002.0000000002.parquet");
  ASSERT_OK_AND_ASSIGN(const LogSegment with, FindSegment(home_, std::nullopt, {}));
  EXPECT_EQ(with.checkpoint->parts.size(), 2U);
}

TEST_F(LogSegmentTest, AMissingCommitIsNamed) {
  PutCommits(0, 1);
  PutCommits(3, 4);
  const auto newest = FindSegment(home_, std::nullopt, {});
  EXPECT_ERROR(newest, ErrorCode::kCorrupt);
  EXPECT_THAT(newest.error().message, HasSubstr("version 2"));
  EXPECT_OK(FindSegment(home_, 1, {}));
  PutName(V(3) + ".checkpoint.parquet");
  EXPECT_OK(FindSegment(home_, std::nullopt, {}));  // a checkpoint covers the hole
}

TEST_F(LogSegmentTest, ACleanedLogSaysSo) {
  PutCommits(5, 8);
  PutName(V(6) + ".checkpoint.parquet");
  EXPECT_OK(FindSegment(home_, std::nullopt, {}));
  EXPECT_OK(FindSegment(home_, 6, {}));
  const auto cleaned = FindSegment(home_, 5, {});
  EXPECT_ERROR(cleaned, ErrorCode::kNotFound);
  EXPECT_THAT(cleaned.error().message,
              HasSubstr("earliest version after it that can be read is 6"));
}

TEST_F(LogSegmentTest, ACleanUpThatFailedInTheMiddleIsStillOne) {
  PutCommits(0, 1);
  PutCommits(5, 8);
  PutName(V(6) + ".checkpoint.parquet");
  EXPECT_OK(FindSegment(home_, std::nullopt, {}));
  EXPECT_OK(FindSegment(home_, 1, {}));
  for (const int64_t version : {2, 4, 5}) {
    const auto cleaned = FindSegment(home_, version, {});
    EXPECT_ERROR(cleaned, ErrorCode::kNotFound);
    EXPECT_THAT(cleaned.error().message, HasSubstr("log before version 5 has been cleaned away"));
  }
  // No checkpoint bridges this one: it is damage.
  PutCommits(10, 10);
  EXPECT_ERROR(FindSegment(home_, 10, {}), ErrorCode::kCorrupt);
}

TEST_F(LogSegmentTest, OnlyACheckpoint) {
  PutName(V(6) + ".checkpoint.parquet");
  ASSERT_OK_AND_ASSIGN(const LogSegment segment, FindSegment(home_, std::nullopt, {}));
  EXPECT_EQ(segment.version, 6);
}

TEST_F(LogSegmentTest, OverlappingCompactionsCoverEachVersionOnce) {
  PutCommits(0, 9);
  PutName(V(1) + "." + V(4) + ".compacted.json");
  PutName(V(1) + "." + V(3) + ".compacted.json");
  PutName(V(3) + "." + V(6) + ".compacted.json");
  PutName(V(8) + "." + V(12) + ".compacted.json");  // beyond the newest
  ASSERT_OK_AND_ASSIGN(const LogSegment newest, FindSegment(home_, std::nullopt, {}));
  EXPECT_EQ(Ranges(newest), (Pairs{{0, 0}, {1, 4}, {5, 5}, {6, 6}, {7, 7}, {8, 8}, {9, 9}}));
  ASSERT_OK_AND_ASSIGN(const LogSegment earlier, FindSegment(home_, 3, {}));
  EXPECT_EQ(Ranges(earlier), (Pairs{{0, 0}, {1, 3}}));
}

TEST_F(LogSegmentTest, TheHintIsOnlyAHint) {
  PutCommits(0, 12);
  PutName(V(10) + ".checkpoint.parquet");
  for (const char* hint :
       {R"({"version":10,"size":1})", R"({"version":99,"size":1})", R"({"version":5,"size":1})",
        R"({"version":-4})", R"({"version":"10"})", "", "null", "\xff\xfe{"}) {
    Put("_delta_log/_last_checkpoint", hint);
    ASSERT_OK_AND_ASSIGN(const LogSegment segment, FindSegment(home_, std::nullopt, {}));
    EXPECT_EQ(segment.version, 12) << hint;
    EXPECT_EQ(segment.checkpoint->version, 10) << hint;
    ASSERT_OK_AND_ASSIGN(const LogSegment earlier, FindSegment(home_, 3, {}));
    EXPECT_EQ(earlier.version, 3);
  }
  EXPECT_EQ(ReadLastCheckpointHint(home_), std::nullopt);
}

// A local disk looks names up instead of listing: the answers are the same.
TEST(LogSegmentOnDisk, LooksUpWhatFollowsTheHint) {
  testing::TempFolder folder;
  ASSERT_OK_AND_ASSIGN(const auto storage, MakeLocalStorage(folder.path(), CreateRoot::kNo));
  const TableHome home{*Path::Make("t"), *storage};
  ASSERT_TRUE(LookupIsCheap(home));
  const auto put = [&](const Path& path) { ASSERT_OK(storage->Put(path, "x")); };
  for (int64_t version = 0; version <= 12; ++version) put(CommitPath(home.root, version));
  put(ClassicCheckpointPath(home.root, 10));
  ASSERT_OK(storage->Put(LastCheckpointPath(home.root), R"({"version":10,"size":1})"));
  ASSERT_OK_AND_ASSIGN(const LogSegment newest, FindSegment(home, std::nullopt, {}));
  EXPECT_EQ(newest.version, 12);
  EXPECT_EQ(newest.tail.size(), 2U);
  EXPECT_GT(newest.version_modified_ms, 0);
  ASSERT_OK_AND_ASSIGN(const LogSegment at, FindSegment(home, 11, {}));
  EXPECT_EQ(at.version, 11);
  EXPECT_ERROR(FindSegment(home, 13, {}), ErrorCode::kNotFound);
  put(CommitPath(home.root, 14));
  const auto hole = FindSegment(home, std::nullopt, {});
  EXPECT_ERROR(hole, ErrorCode::kCorrupt);
  EXPECT_THAT(hole.error().message, HasSubstr("version 13"));
  EXPECT_OK(FindSegment(home, 12, {}));
  ASSERT_OK(storage->Remove(ClassicCheckpointPath(home.root, 10)));
  ASSERT_OK_AND_ASSIGN(const LogSegment without, FindSegment(home, 12, {}));
  EXPECT_FALSE(without.checkpoint);
}

}  // namespace
}  // namespace tarn::delta
