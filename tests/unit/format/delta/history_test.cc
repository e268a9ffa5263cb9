#include "tarn/format/delta/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tarn/storage/local.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/format/delta/log_fixture.h"

namespace tarn::delta {
namespace {

class HistoryTest : public LogFixture {
 protected:
  Result<History> Read(const std::string& after, HistoryDetail detail = HistoryDetail::kConflicts,
                       const std::optional<Version>& until = std::nullopt) {
    return format_->Commits(home_, Version{after}, until, detail);
  }
  std::vector<Commit> CommitsOf(const Result<History>& history) {
    EXPECT_OK(history);
    if (!history.ok()) return {};
    const auto* commits = std::get_if<std::vector<Commit>>(&*history);
    EXPECT_NE(commits, nullptr);
    return commits == nullptr ? std::vector<Commit>() : *commits;
  }
};

TEST_F(HistoryTest, NothingNew) {
  EXPECT_ERROR(Read(""), ErrorCode::kNotFound);
  PutFirst();
  EXPECT_TRUE(CommitsOf(Read("0")).empty());
  EXPECT_EQ(std::get<HistoryGap>(*Read("7")), HistoryGap::kDiverged);
}

TEST_F(HistoryTest, WholeCommits) {
  PutFirst();
  PutCommit(1, {R"({"commitInfo":{"timestamp":1000,"operation":"WRITE","operationParameters":)"
                R"({"mode":"Append"},"engineInfo":"tarn/0.1.0","tarnCommitId":"mine","tarnWriter":)"
                R"("me@here"}})",
                R"({"txn":{"appId":"s","version":1}})", AddLine("p=y/f1", "y", 5)});
  PutCommit(2,
            {R"({"txn":{"appId":"s","version":2}})",
             RemoveLine("p=y/f1", R"(,"extendedFileMetadata":true,"partitionValues":{"p":"y"})"),
             RemoveLine("f0"), R"({"cdc":{"path":"_change_data/c","partitionValues":{"p":"y"}}})"});
  PutCommit(3, {R"({"protocol":{"minReaderVersion":1,"minWriterVersion":4}})",
                MetadataLine(R"("k":"v")")});
  const std::vector<Commit> commits = CommitsOf(Read("0"));
  ASSERT_EQ(commits.size(), 3U);
  EXPECT_EQ(commits[0].id, "mine");
  EXPECT_EQ(commits[0].version.text, "1");
  EXPECT_EQ(commits[0].timestamp_ms, 1000);
  EXPECT_EQ(commits[0].writer, "me@here");
  EXPECT_EQ(commits[0].operation.kind, OperationKind::kAppend);
  ASSERT_EQ(commits[0].added.size(), 1U);
  EXPECT_TRUE(commits[0].added[0].partition.at(0) == Value(std::string("y")));
  EXPECT_EQ(commits[0].added[0].record_count, 10);
  EXPECT_FALSE(commits[0].added[0].statistics.empty());
  EXPECT_EQ(commits[0].positions, (std::vector<PositionMove>{{"s", std::nullopt, "1"}}));
  EXPECT_FALSE(commits[0].metadata);
  ASSERT_EQ(commits[1].removed.size(), 2U);
  EXPECT_TRUE(commits[1].removed[0].partition.empty()) << "not said";
  EXPECT_EQ(commits[1].removed[1].partition.size(), 1U);
  EXPECT_EQ(commits[1].change_files.size(), 1U);
  EXPECT_EQ(commits[1].positions, (std::vector<PositionMove>{{"s", "1", "2"}}));
  EXPECT_TRUE(commits[2].protocol_changed);
  EXPECT_EQ(commits[2].metadata->properties.at("k"), "v");
  EXPECT_EQ(CommitsOf(Read("0", HistoryDetail::kConflicts, Version{"2"})).size(), 2U);
  EXPECT_EQ(CommitsOf(Read("")).size(), 4U) << "from the earliest";
  EXPECT_ERROR(Read("0", HistoryDetail::kConflicts, Version{"9"}), ErrorCode::kNotFound);
}

TEST_F(HistoryTest, AGrownDeletionVectorIsARowDelete) {
  PutFirst();
  const std::string two =
      R"(,"deletionVector":{"storageType":"i","pathOrInlineDv":)"
      R"("^Bg9^0rr910000000000iXQKl0rr91000315c8Xg000f5","sizeInBytes":36,"cardinality":2})";
  const std::string four =
      R"(,"deletionVector":{"storageType":"i","pathOrInlineDv":)"
      R"("^Bg9^0rr910000000000iXQKl0rr91000935c8Xg000311onP9","sizeInBytes":40,"cardinality":4})";
  PutCommit(1, {RemoveLine("f0"), AddLine("f0", "x", 0, two)});        // rows 0, 5
  PutCommit(2, {RemoveLine("f0", two), AddLine("f0", "x", 0, four)});  // 0, 1, 4, 5
  PutCommit(3, {RemoveLine("f0", four), AddLine("f0", "x", 0, two)});  // 1 and 4 are back
  PutCommit(4, {RemoveLine("f0", two), AddLine("f0")});                // all are back
  const std::vector<Commit> commits = CommitsOf(Read("0"));
  ASSERT_EQ(commits.size(), 4U);
  ASSERT_EQ(commits[0].row_deletes.size(), 1U);
  EXPECT_TRUE(commits[0].added.empty());
  EXPECT_TRUE(commits[0].removed.empty());
  EXPECT_TRUE(commits[0].row_deletes[0].file.deletes.empty());
  EXPECT_EQ(commits[0].row_deletes[0].rows.Count(), 2);
  ASSERT_EQ(commits[1].row_deletes.size(), 1U);
  EXPECT_EQ(commits[1].row_deletes[0].rows.Count(), 2) << "only those that went now";
  EXPECT_EQ(commits[1].row_deletes[0].file.deletes.size(), 1U) << "the file as it was";
  for (const size_t rows_came_back : {2U, 3U}) {
    EXPECT_TRUE(commits[rows_came_back].row_deletes.empty());
    EXPECT_EQ(commits[rows_came_back].added.size(), 1U);
    EXPECT_EQ(commits[rows_came_back].removed.size(), 1U);
  }
}

TEST_F(HistoryTest, Gaps) {
  PutFirst();
  for (int64_t version = 1; version <= 5; ++version) {
    PutCommit(version, {AddLine("f" + std::to_string(version))});
  }
  PutCheckpoint(*Load(AtVersion{"3"}));
  for (int64_t version = 0; version <= 2; ++version) {
    ASSERT_OK(storage_->Remove(CommitPath(home_.root, version)));
  }
  EXPECT_EQ(std::get<HistoryGap>(*Read("0")), HistoryGap::kGone);
  EXPECT_EQ(CommitsOf(Read("2")).size(), 3U);
  EXPECT_EQ(CommitsOf(Read("3")).size(), 2U);
  EXPECT_EQ(CommitsOf(Read("", HistoryDetail::kPeople)).size(), 3U);
  ASSERT_OK(storage_->Remove(CommitPath(home_.root, 4)));
  EXPECT_EQ(std::get<HistoryGap>(*Read("3")), HistoryGap::kGone);
}

TEST_F(HistoryTest, ACommitOnANameFreedByCleanUpIsAGap) {
  PutFirst();
  for (int64_t version = 1; version <= 5; ++version) {
    PutCommit(version, {AddLine("f" + std::to_string(version))});
  }
  PutCheckpoint(*Load(AtVersion{"4"}));
  for (int64_t version = 0; version <= 3; ++version) {
    ASSERT_OK(storage_->Remove(CommitPath(home_.root, version)));
  }
  PutCommit(1, {AddLine("late")});
  EXPECT_EQ(std::get<HistoryGap>(*Read("0")), HistoryGap::kGone);
  EXPECT_EQ(std::get<HistoryGap>(*Read("")), HistoryGap::kGone);
  EXPECT_EQ(CommitsOf(Read("4")).size(), 1U);
  // Without a checkpoint behind it, a hole is damage.
  PutCommit(7, {AddLine("f7")});
  EXPECT_ERROR(Read("4"), ErrorCode::kCorrupt);
}

TEST_F(HistoryTest, ForPeople) {
  PutFirst();
  PutCommit(1, {AddLine("f1"), RemoveLine("f0"),
                R"({"commitInfo":{"timestamp":1,"operation":"MERGE","userName":"u"}})"});
  const std::vector<Commit> commits = CommitsOf(Read("", HistoryDetail::kPeople));
  ASSERT_EQ(commits.size(), 2U);
  EXPECT_EQ(commits[1].operation.name, "MERGE");
  EXPECT_EQ(commits[1].writer, "u");
  EXPECT_EQ(commits[1].operation.metrics.at("numAddedFiles"), "1");
  EXPECT_EQ(commits[1].operation.metrics.at("numRemovedFiles"), "1");
  EXPECT_GT(commits[1].timestamp_ms, commits[0].timestamp_ms) << "made rising";
}

// A local disk looks names up: the same answers.
TEST_F(HistoryTest, OnDisk) {
  testing::TempFolder folder;
  ASSERT_OK_AND_ASSIGN(const auto disk, MakeLocalStorage(folder.path(), CreateRoot::kNo));
  const TableHome home{*Path::Make("t"), *disk};
  const auto put = [&](int64_t version, const std::string& line) {
    ASSERT_OK(disk->Put(CommitPath(home.root, version), line + "\n"));
  };
  put(0, ProtocolLine() + "\n" + MetadataLine());
  const auto count = [&](const std::string& after) -> int64_t {
    const Result<History> history =
        format_->Commits(home, Version{after}, std::nullopt, HistoryDetail::kConflicts);
    if (!history.ok()) return -1;
    const auto* commits = std::get_if<std::vector<Commit>>(&*history);
    return commits == nullptr ? -2 : static_cast<int64_t>(commits->size());
  };
  EXPECT_EQ(count("0"), 0);
  put(1, AddLine("f1"));
  put(2, AddLine("f2"));
  EXPECT_EQ(count("0"), 2);
  EXPECT_EQ(count("2"), 0);
  EXPECT_EQ(count("5"), -2) << "diverged";
  put(4, AddLine("f4"));
  EXPECT_EQ(count("2"), -2) << "gone";
  EXPECT_EQ(count("0"), -1) << "a hole";
}

}  // namespace
}  // namespace tarn::delta
