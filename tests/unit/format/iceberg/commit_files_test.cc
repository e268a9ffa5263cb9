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
  DeletedRowsReader deleted_rows(FileFormats{});
  ASSERT_OK(AddFilesOf(fakes.runtime, home, state->metadata, state->file, *state->snapshot(),
                       commit, deleted_rows));
  ASSERT_EQ(commit.added.size(), 1U);
  EXPECT_EQ(commit.added[0].path, "day=2/c");
  ASSERT_EQ(commit.removed.size(), 1U);
  EXPECT_EQ(commit.removed[0].path, "day=2/b");
  EXPECT_EQ(commit.removed[0].partition, std::vector<Value>{Value("2")});
  EXPECT_TRUE(commit.row_deletes.empty());
}

TEST_F(CommitFilesTest, RowsThatWentBeforeAreNotTheSnapshots) {
  for (const char* version : {"2", "3"}) {
    home.root = *Path::Make(std::string("lake/v") + version);
    ASSERT_OK(Create({{"format-version", version}}));
    ASSERT_OK(Append("c1", {FileOf("1", "a", 9)}));
    for (const uint64_t row : {4, 7}) {
      Commit commit;
      commit.operation.kind = OperationKind::kDelete;
      commit.row_deletes.push_back({Files(Load()).at(0), RowSet()});
      commit.row_deletes[0].rows.Add(row);
      ASSERT_OK(Publish(commit));
    }
    const Snapshot snapshot = Load();
    ASSERT_OK_AND_ASSIGN(const IcebergState* state, StateOf(snapshot));
    Commit commit;
    DeletedRowsReader deleted_rows(FileFormats{{"parquet", parquet.get()}});
    ASSERT_OK(AddFilesOf(fakes.runtime, home, state->metadata, state->file, *state->snapshot(),
                         commit, deleted_rows));
    ASSERT_EQ(commit.row_deletes.size(), 1U) << version;
    EXPECT_EQ(commit.row_deletes[0].rows.Count(), 1) << version;
    EXPECT_TRUE(commit.row_deletes[0].rows.Contains(7)) << version;
    EXPECT_EQ(format->DeletedRows(home, snapshot, Files(snapshot).at(0))->Count(), 2) << version;
    EXPECT_EQ(Files(snapshot).at(0).deletes.size(), *version == '3' ? 1U : 2U);
  }
}

}  // namespace
}  // namespace tarn::iceberg
