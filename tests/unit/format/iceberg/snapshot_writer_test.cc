#include "tarn/format/iceberg/snapshot_writer.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tarn/format/iceberg/location.h"
#include "tarn/format/iceberg/manifest_list.h"
#include "tarn/format/iceberg/snapshot_state.h"
#include "tests/unit/format/iceberg/iceberg_world.h"

namespace tarn::iceberg {
namespace {

using tarn::testing::FileOf;

class SnapshotWriterTest : public testing::IcebergWorld {
 protected:
  std::vector<ManifestFile> Manifests() {
    const Snapshot snapshot = Load();
    const auto state = StateOf(snapshot);
    EXPECT_OK(state);
    const Locations locations(home, (*state)->metadata->location);
    auto manifests = ReadManifests(fakes.runtime, home, locations, *(*state)->snapshot());
    EXPECT_OK(manifests);
    return manifests.ok() ? *std::move(manifests) : std::vector<ManifestFile>();
  }

  Result<Version> Overwrite(const std::string& id, const std::string& day,
                            std::vector<DataFile> added) {
    std::vector<DataFile> removed;
    for (const DataFile& file : Files(Load())) {
      if (file.partition == std::vector<Value>{Value(day)}) removed.push_back(file);
    }
    return Publish(tarn::testing::OverwriteDay(id, day, removed, std::move(added)));
  }
};

TEST_F(SnapshotWriterTest, ManifestsThatLoseNothingStand) {
  ASSERT_OK(Create());
  ASSERT_OK(Append("c1", {FileOf("1", "a", 3), FileOf("2", "b", 4)}));
  ASSERT_OK(Append("c2", {FileOf("1", "c", 5)}));
  const std::vector<ManifestFile> before = Manifests();
  ASSERT_EQ(before.size(), 2U);
  EXPECT_EQ(before[0].sequence_number, 2) << "the youngest first";
  EXPECT_EQ(before[1].added_rows, 7);
  ASSERT_EQ(before[1].partitions.size(), 1U);
  EXPECT_EQ(before[1].partitions[0].lower, "1");
  EXPECT_EQ(before[1].partitions[0].upper, "2");
  EXPECT_FALSE(before[1].partitions[0].contains_null);
  ASSERT_OK(Overwrite("c3", "2", {FileOf("2", "d", 1)}));
  const std::vector<ManifestFile> after = Manifests();
  ASSERT_EQ(after.size(), 3U);
  EXPECT_NE(std::find(after.begin(), after.end(), before[0]), after.end());
  const ManifestFile& rewritten = after.back();
  EXPECT_EQ(rewritten.existing_files, 1);
  EXPECT_EQ(rewritten.deleted_files, 1);
  EXPECT_EQ(rewritten.deleted_rows, 4);
  EXPECT_EQ(rewritten.sequence_number, 3);
  EXPECT_EQ(rewritten.min_sequence_number, 1) << "existing entries keep theirs";
}

TEST_F(SnapshotWriterTest, ManyManifestsBecomeOne) {
  ASSERT_OK(Create({{"commit.manifest.min-count-to-merge", "3"}}));
  for (int i = 0; i < 3; ++i) {
    ASSERT_OK(Append("c" + std::to_string(i), {FileOf("1", "f" + std::to_string(i))}));
  }
  const std::vector<ManifestFile> manifests = Manifests();
  ASSERT_EQ(manifests.size(), 1U);
  EXPECT_EQ(manifests[0].added_files, 1);
  EXPECT_EQ(manifests[0].existing_files, 2);
  EXPECT_EQ(Files(Load()).size(), 3U);
  // The new manifest that was merged away was never written.
  EXPECT_EQ(MetadataFiles("-m0.avro").size() + MetadataFiles("-m1.avro").size(), 3U);
}

TEST_F(SnapshotWriterTest, WithoutMergingEachCommitAddsOne) {
  ASSERT_OK(Create(
      {{"commit.manifest.min-count-to-merge", "2"}, {"commit.manifest-merge.enabled", "false"}}));
  for (int i = 0; i < 3; ++i) {
    ASSERT_OK(Append("c" + std::to_string(i), {FileOf("1", "f" + std::to_string(i))}));
  }
  EXPECT_EQ(Manifests().size(), 3U);
}

TEST_F(SnapshotWriterTest, AFileThatIsNotThereIsNotRemoved) {
  ASSERT_OK(Create());
  ASSERT_OK(Append("c1", {FileOf("1", "a")}));
  DataFile other = Files(Load())[0];
  other.location += "x";
  EXPECT_ERROR(Publish(tarn::testing::OverwriteDay("c2", "1", {other}, {})), ErrorCode::kConflict);
}

TEST_F(SnapshotWriterTest, RowIdsOfVersion3) {
  ASSERT_OK(Create({{"format-version", "3"}}));
  ASSERT_OK(Append("c1", {FileOf("1", "a", 3), FileOf("2", "b", 4)}));
  ASSERT_OK(Append("c2", {FileOf("1", "c", 5)}));
  const std::vector<ManifestFile> manifests = Manifests();
  ASSERT_EQ(manifests.size(), 2U);
  EXPECT_EQ(manifests[0].first_row_id, 7);
  EXPECT_EQ(manifests[1].first_row_id, 0);
  const Snapshot snapshot = Load();
  ASSERT_OK_AND_ASSIGN(const IcebergState* state, StateOf(snapshot));
  EXPECT_EQ(state->metadata->next_row_id, 12);
}

TEST_F(SnapshotWriterTest, Version1HasNoSequenceNumbers) {
  ASSERT_OK(Create({{"format-version", "1"}}));
  ASSERT_OK(Append("c1", {FileOf("1", "a")}));
  ASSERT_OK(Overwrite("c2", "1", {FileOf("1", "b")}));
  const std::vector<DataFile> files = Files(Load());
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0].path, "day=1/b");
  EXPECT_EQ(Manifests()[0].sequence_number, 0);
}

}  // namespace
}  // namespace tarn::iceberg
