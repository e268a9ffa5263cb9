#include "tarn/format/delta/replay.h"

#include <gtest/gtest.h>

#include "tests/unit/format/delta/log_fixture.h"

namespace tarn::delta {
namespace {

class ReplayTest : public LogFixture {
 protected:
  struct Files {
    std::map<std::string, AddFile> added;
    std::map<std::string, RemoveFile> removed;
  };
  Files Replay() {
    Files files;
    Result<Snapshot> snapshot = Load();
    EXPECT_OK(snapshot);
    if (!snapshot.ok()) return files;
    FileVisitor visitor;
    visitor.add = [&](AddFile&& add) -> Status {
      EXPECT_TRUE(files.added.emplace(add.path, add).second) << add.path;
      return {};
    };
    visitor.remove = [&](RemoveFile&& remove) -> Status {
      EXPECT_TRUE(files.removed.emplace(remove.path, remove).second) << remove.path;
      return {};
    };
    EXPECT_OK(ReplayFiles(fake_.runtime, home_, **StateOf(*snapshot), visitor));
    return files;
  }
};

TEST_F(ReplayTest, KeepsEveryMember) {
  PutFirst();
  PutCommit(1, {AddLine("f1", "x", 3,
                        R"(,"tags":{"k":"v"},"baseRowId":7,"defaultRowCommitVersion":1,)"
                        R"("clusteringProvider":"liquid","deletionVector":{"storageType":"u",)"
                        R"("pathOrInlineDv":"v1","offset":1,"sizeInBytes":36,"cardinality":1})"),
                RemoveLine("f0", R"(,"extendedFileMetadata":true,"partitionValues":{"p":"x"},)"
                                 R"("size":100)")});
  const Files of_commits = Replay();
  ASSERT_EQ(of_commits.added.size(), 1U);
  ASSERT_EQ(of_commits.removed.size(), 1U);
  EXPECT_EQ(of_commits.added.at("f1").tags.at("k"), "v");
  EXPECT_EQ(of_commits.added.at("f1").clustering_provider, "liquid");
  EXPECT_EQ(of_commits.removed.at("f0").size_bytes, 100);

  PutCheckpoint(*Load());
  Files of_checkpoint = Replay();
  ASSERT_EQ(of_checkpoint.added.size(), 1U);
  ASSERT_EQ(of_checkpoint.removed.size(), 1U);
  // A checkpoint rearranges: that is all that may differ.
  AddFile add = of_commits.added.at("f1");
  add.data_change = false;
  EXPECT_EQ(of_checkpoint.added.at("f1"), add);
  RemoveFile remove = of_commits.removed.at("f0");
  remove.data_change = false;
  EXPECT_EQ(of_checkpoint.removed.at("f0"), remove);
}

TEST_F(ReplayTest, StatisticsInColumnsComeBackAsText) {
  PutFirst();
  TableProperties properties;
  properties.stats_as_struct = true;
  properties.stats_as_json = false;
  PutCheckpoint(*Load(), properties);
  const Files files = Replay();
  const std::string stats = files.added.at("f0").stats.value_or("");
  EXPECT_NE(stats.find(R"("numRecords":10)"), std::string::npos) << stats;
  EXPECT_NE(stats.find(R"("maxValues":{"a":9})"), std::string::npos) << stats;
}

TEST_F(ReplayTest, ATombstoneEndsWhenItsFileIsBack) {
  PutFirst();
  PutCommit(1, {RemoveLine("f0")});
  PutCheckpoint(*Load());
  EXPECT_EQ(Replay().removed.size(), 1U);
  PutCommit(2, {AddLine("f0")});
  const Files files = Replay();
  EXPECT_EQ(files.added.size(), 1U);
  EXPECT_TRUE(files.removed.empty());
}

}  // namespace
}  // namespace tarn::delta
