#include "tarn/format/iceberg/metadata.h"

#include <gtest/gtest.h>

namespace tarn::iceberg {
namespace {

TEST(MetadataTest, ThingsAreFoundByTheirId) {
  Metadata metadata;
  metadata.schemas = {Schema{.id = 4}, Schema{.id = 9}};
  metadata.current_schema_id = 9;
  metadata.snapshots = {SnapshotEntry{.id = 3}, SnapshotEntry{.id = 5}};
  EXPECT_EQ(&metadata.current_schema(), &metadata.schemas[1]);
  EXPECT_EQ(metadata.SnapshotById(5), &metadata.snapshots[1]);
  EXPECT_EQ(metadata.SnapshotById(4), nullptr);
  EXPECT_EQ(metadata.current_snapshot(), nullptr);
  metadata.current_snapshot_id = 3;
  EXPECT_EQ(metadata.current_snapshot()->id, 3);
  EXPECT_EQ(metadata.current_snapshot()->operation(), "");
}

TEST(MetadataTest, SnapshotIdsHaveNoSign) {
  EXPECT_EQ(SnapshotIdText(12), "12");
  EXPECT_EQ(SnapshotIdText(-1), "18446744073709551615");
}

}  // namespace
}  // namespace tarn::iceberg
