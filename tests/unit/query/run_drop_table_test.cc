#include "tests/unit/query/query_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tarn {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::QueryWorld;

TEST(RunDropTableTest, OnceThenItIsGone) {
  QueryWorld world;
  world.Message("CREATE TABLE ns.t (i INT)");
  EXPECT_EQ(world.Message("DROP TABLE ns.t PURGE"), "ns.t dropped, its data removed");
  EXPECT_THAT(world.Message("DROP TABLE ns.t"), HasSubstr("error: not found"));
  EXPECT_THAT(world.Message("DROP TABLE IF EXISTS ns.t"), HasSubstr("does not exist"));
}

}  // namespace
}  // namespace tarn
