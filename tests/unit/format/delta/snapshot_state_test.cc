#include "tarn/format/delta/snapshot_state.h"

#include <gtest/gtest.h>

#include <memory>

#include "tests/support/matchers.h"

namespace tarn::delta {
namespace {

TEST(StateOf, OnlyOfOurOwnSnapshots) {
  Snapshot snapshot;
  EXPECT_ERROR(StateOf(snapshot), ErrorCode::kInternal);
  snapshot.state = std::make_shared<SnapshotState>();
  EXPECT_ERROR(StateOf(snapshot), ErrorCode::kInternal);
  auto state = std::make_shared<DeltaState>();
  state->version = 7;
  snapshot.state = state;
  EXPECT_EQ((*StateOf(snapshot))->version, 7);
}

}  // namespace
}  // namespace tarn::delta
