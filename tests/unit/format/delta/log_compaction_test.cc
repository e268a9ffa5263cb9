#include "tarn/format/delta/log_compaction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/format/delta/log_fixture.h"

namespace tarn::delta {
namespace {

using ::testing::HasSubstr;

// A log of which versions 1 to 3 have a compaction: f1 to f3 came, f1 went, "a" moved.
class LogCompactionTest : public LogFixture {
 protected:
  LogCompactionTest() {
    PutFirst();
    PutCommit(1, {AddLine("f1"), R"({"txn":{"appId":"a","version":1}})"});
    PutCommit(2, {AddLine("f2"), R"({"txn":{"appId":"a","version":2}})"});
    PutCommit(3, {AddLine("f3"), RemoveLine("f1")});
    PutCommit(4, {AddLine("f4")});
    PutCompaction(whole_);
  }

  void PutCompaction(const std::string& bytes) {
    ASSERT_OK(storage_->Put(CompactionPath(home_.root, 1, 3), bytes));
  }

  const std::string whole_ = Joined(
      {AddLine("f2"), AddLine("f3"), RemoveLine("f1"), R"({"txn":{"appId":"a","version":2}})"});
};

TEST_F(LogCompactionTest, AWholeOneIsReadInsteadOfItsCommits) {
  for (int64_t version = 1; version <= 2; ++version) {
    ASSERT_OK(storage_->Remove(CommitPath(home_.root, version)));
  }
  ASSERT_OK_AND_ASSIGN(const Snapshot snapshot, Load());
  EXPECT_EQ(snapshot.positions.at("a"), "2");
  EXPECT_EQ(FilesOf(snapshot), (Names{"f0", "f2", "f3", "f4"}));
  EXPECT_THAT(fake_.log.lines(), ::testing::IsEmpty());
}

// Cut at every length: whatever the bytes look like, the commits' answer comes out. A cut at the
// end of a line leaves good JSON, of which nobody can tell that it is not all.
TEST_F(LogCompactionTest, ADamagedOneIsPassedOver) {
  for (size_t length = 0; length < whole_.size(); ++length) {
    if (length > 0 && (whole_[length - 1] == '\n' || whole_[length] == '\n')) continue;
    PutCompaction(whole_.substr(0, length));
    ASSERT_OK_AND_ASSIGN(const Snapshot snapshot, Load());
    ASSERT_EQ(snapshot.positions.at("a"), "2") << length;
    ASSERT_EQ(FilesOf(snapshot), (Names{"f0", "f2", "f3", "f4"})) << length;
    ASSERT_OK_AND_ASSIGN(const Snapshot third, Load(AtVersion{"3"}));
    ASSERT_EQ(FilesOf(third), (Names{"f0", "f2", "f3"})) << length;
  }
  EXPECT_THAT(fake_.log.lines().front(), HasSubstr(".compacted.json' cannot be read"));
}

// A checkpoint made of such a log holds the commits' state, tombstones too.
TEST_F(LogCompactionTest, ReplayReadsTheCommits) {
  PutCompaction("{\"add\":");
  ASSERT_OK_AND_ASSIGN(const Snapshot snapshot, Load());
  ASSERT_OK_AND_ASSIGN(const DeltaState* state, StateOf(snapshot));
  Names added, removed;
  FileVisitor visitor;
  visitor.add = [&](AddFile&& add) {
    added.push_back(add.path);
    return OkStatus();
  };
  visitor.remove = [&](RemoveFile&& remove) {
    removed.push_back(remove.path);
    return OkStatus();
  };
  ASSERT_OK(ReplayFiles(fake_.runtime, home_, *state, visitor));
  EXPECT_EQ(added, (Names{"f4", "f3", "f2", "f0"}));
  EXPECT_EQ(removed, (Names{"f1"}));
}

TEST_F(LogCompactionTest, WithoutItsCommitsADamagedOneIsRefused) {
  PutCompaction("{\"txn\":");
  ASSERT_OK(storage_->Remove(CommitPath(home_.root, 2)));
  const auto refused = Load();
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(refused.error().ToString(), HasSubstr(".compacted.json"));
  EXPECT_THAT(refused.error().ToString(), HasSubstr("version 2"));
}

// Other objects have nothing that stands in for them, and other errors are nobody's damage.
TEST_F(LogCompactionTest, NothingElseFallsBack) {
  const auto read_of = [&](const Path& path, const Status& answer) {
    Names seen;
    const Status status =
        ReadOrCommits(fake_.runtime, home_, {path, 1, 0}, [&](const ObjectInfo& object) -> Status {
          seen.push_back(std::string(object.path.name()));
          return seen.size() == 1 ? answer : OkStatus();
        });
    return std::pair(status, seen.size());
  };
  const Path compaction = CompactionPath(home_.root, 1, 3);
  EXPECT_ERROR(read_of(CommitPath(home_.root, 1), Corrupt("x")).first, ErrorCode::kCorrupt);
  EXPECT_ERROR(read_of(compaction, Unavailable("x")).first, ErrorCode::kUnavailable);
  EXPECT_EQ(read_of(compaction, Corrupt("x")).second, 4U);
  EXPECT_EQ(read_of(compaction, OkStatus()).second, 1U);
}

}  // namespace
}  // namespace tarn::delta
