#include "tarn/format/iceberg/upkeep.h"

#include <gtest/gtest.h>

#include "tests/unit/format/iceberg/iceberg_world.h"

namespace tarn::iceberg {
namespace {

class UpkeepTest : public testing::IcebergWorld {};

TEST_F(UpkeepTest, TheHintIsNeverSetBack) {
  ASSERT_OK(Create());
  const Snapshot first = Load();
  ASSERT_OK(Append("c1", {tarn::testing::FileOf("1", "a")}));
  EXPECT_EQ(Text("metadata/version-hint.text"), "2");
  ASSERT_OK_AND_ASSIGN(const Upkeep late, PlanIcebergUpkeep(home, first));
  ASSERT_EQ(late.put.size(), 1U);
  EXPECT_EQ(late.put[0].bytes, "2");
  EXPECT_TRUE(late.remove.empty());
  ASSERT_OK_AND_ASSIGN(const Upkeep none, PlanIcebergUpkeep(home, Snapshot::Empty()));
  EXPECT_TRUE(none.put.empty());
}

}  // namespace
}  // namespace tarn::iceberg
