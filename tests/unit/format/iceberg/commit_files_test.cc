#include "tarn/format/iceberg/commit_files.h"

#include <gtest/gtest.h>

#include "tarn/format/iceberg/snapshot_state.h"
#include "tests/unit/format/iceberg/iceberg_world.h"

namespace tarn::iceberg {
namespace {

using tarn::testing::FileOf;

class CommitFilesTest : public testing::IcebergWorld {};

TEST_F(CommitFilesTest, OnlyWhatTheSnapshotItselfDid) {
  ASSERT_OK(Create());
  ASSERT_OK(Append("c1", {FileOf("1", "a", 3), FileOf("2", "b", 4)}));
  std::vector<DataFile> removed = Files(Load());
  std::erase_if(removed, [](const DataFile& file) { return file.path != "day=2/b"; });
  ASSERT_OK(Publish(tarn::testing::OverwriteDay("c2", "2", removed, {FileOf("2", "c", 1)})));
  const Snapshot snapshot = Load();
  ASSERT_OK_AND_ASSIGN(const IcebergState* state, StateOf(snapshot));
  Commit commit;
  ASSERT_OK(
      AddFilesOf(fakes.runtime, home, state->metadata, state->file, *state->snapshot(), commit));
  ASSERT_EQ(commit.added.size(), 1U);
  EXPECT_EQ(commit.added[0].path, "day=2/c");
  ASSERT_EQ(commit.removed.size(), 1U);
  EXPECT_EQ(commit.removed[0].path, "day=2/b");
  EXPECT_EQ(commit.removed[0].partition, std::vector<Value>{Value("2")});
  EXPECT_TRUE(commit.row_deletes.empty());
}

}  // namespace
}  // namespace tarn::iceberg
