#include "tarn/format/iceberg/load.h"

#include <gtest/gtest.h>

#include "tarn/format/iceberg/snapshot_state.h"
#include "tests/unit/format/iceberg/iceberg_world.h"

namespace tarn::iceberg {
namespace {

using tarn::testing::FileOf;

class LoadTest : public testing::IcebergWorld {};

TEST_F(LoadTest, VersionsAreMetadataFilesSnapshotsAndRefs) {
  ASSERT_OK(Create());
  ASSERT_OK(Append("c1", {FileOf("1", "a")}));
  const Snapshot first = Load();
  EXPECT_EQ(first.version.text, "v2");
  ASSERT_OK_AND_ASSIGN(const IcebergState* state, StateOf(first));
  const std::string id = SnapshotIdText(*state->snapshot_id);
  ASSERT_OK(Append("c2", {FileOf("1", "b")}));
  EXPECT_EQ(Files(Load()).size(), 2U);
  EXPECT_EQ(Files(Load(AtVersion{id})).size(), 1U);
  EXPECT_EQ(Load(AtVersion{id}).version.text, id);
  EXPECT_EQ(Files(Load(AtVersion{"v2"})).size(), 1U);
  EXPECT_EQ(Files(Load(AtVersion{"main"})).size(), 2U);
  EXPECT_ERROR(LoadSnapshot(metadata_files, home, AtVersion{"nobody"}), ErrorCode::kNotFound);
  EXPECT_ERROR(LoadSnapshot(metadata_files, home, AtVersion{"v9"}), ErrorCode::kNotFound);
  EXPECT_ERROR(LoadSnapshot(metadata_files, home, AtVersion{"17"}), ErrorCode::kNotFound);
}

TEST_F(LoadTest, TimesAreThoseOfTheSnapshotLog) {
  ASSERT_OK(Create());
  EXPECT_ERROR(LoadSnapshot(metadata_files, home, AtTimestamp{fakes.clock.NowMicros()}),
               ErrorCode::kNotFound);
  ASSERT_OK(Append("c1", {FileOf("1", "a")}));
  const int64_t then = Load().timestamp_ms * 1000;
  ASSERT_OK(Append("c2", {FileOf("1", "b")}));
  EXPECT_EQ(Files(Load(AtTimestamp{then})).size(), 1U);
  EXPECT_ERROR(LoadSnapshot(metadata_files, home, AtTimestamp{then - 1}), ErrorCode::kNotFound);
  EXPECT_EQ(Files(Load(AtTimestamp{then + int64_t{3600} * 1'000'000})).size(), 2U);
}

TEST_F(LoadTest, TarnsOwnPropertiesAreNotTheUsers) {
  ASSERT_OK(Create({{"owner", "ada"}}));
  const Snapshot snapshot = Load();
  EXPECT_EQ(snapshot.metadata.properties, (std::map<std::string, std::string>{{"owner", "ada"}}));
  EXPECT_EQ(snapshot.record_count, 0);
  EXPECT_EQ(snapshot.metadata.column_match, ColumnMatch::kByIdElseAlias);
}

}  // namespace
}  // namespace tarn::iceberg
