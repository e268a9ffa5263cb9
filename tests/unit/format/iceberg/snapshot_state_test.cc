#include "tarn/format/iceberg/snapshot_state.h"

#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace tarn::iceberg {
namespace {

TEST(SnapshotStateTest, OnlyItsOwn) {
  EXPECT_ERROR(StateOf(Snapshot::Empty()), ErrorCode::kInternal);
  Snapshot snapshot;
  auto state = std::make_shared<IcebergState>();
  Metadata metadata;
  metadata.snapshots = {SnapshotEntry{.id = 3}};
  state->metadata = std::make_shared<const Metadata>(metadata);
  snapshot.state = state;
  ASSERT_OK_AND_ASSIGN(const IcebergState* found, StateOf(snapshot));
  EXPECT_EQ(found->snapshot(), nullptr);
  state->snapshot_id = 3;
  EXPECT_EQ(found->snapshot()->id, 3);
}

}  // namespace
}  // namespace tarn::iceberg
