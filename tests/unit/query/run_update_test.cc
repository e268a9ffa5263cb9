#include "tests/unit/query/query_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tarn {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::QueryWorld;

TEST(RunUpdateTest, ChangesRowsThatMatchAndNoOthers) {
  QueryWorld world;
  world.Message("CREATE TABLE ns.t (i INT, s STRING)");
  world.Message("INSERT INTO ns.t VALUES (1, 'a'), (2, NULL), (3, 'c')");
  EXPECT_EQ(world.Message("UPDATE ns.t SET s = s || i, i = i * 10 WHERE s IS NOT NULL"),
            "2 rows updated in ns.t, version 2");
  EXPECT_THAT(world.Rows("SELECT i, s FROM ns.t ORDER BY i"),
              ElementsAre("2|NULL", "10|a1", "30|c3"));
  EXPECT_EQ(world.Message("UPDATE ns.t SET i = 0 WHERE i = 77"), "0 rows updated in ns.t");
  EXPECT_THAT(world.Message("UPDATE ns.t SET i = 1, I = 2"), HasSubstr("set twice"));
  EXPECT_THAT(world.Message("UPDATE ns.t SET i = 'x'"), HasSubstr("error: invalid"));
}

TEST(RunUpdateTest, LosesNoUpdateOfAnother) {
  QueryWorld world;
  world.Message("CREATE TABLE ns.t (v INT)");
  world.Message("INSERT INTO ns.t VALUES (1)");
  world.BeforeCommit([&] {
    EXPECT_TRUE(world.Second()
                    .Run("UPDATE ns.t SET v = v + 10", [](StatementResult) { return OkStatus(); })
                    .ok());
  });
  EXPECT_THAT(world.Message("UPDATE ns.t SET v = v + 10"), HasSubstr("1 row updated"));
  EXPECT_THAT(world.Rows("SELECT v FROM ns.t"), ElementsAre("21"));
}

}  // namespace
}  // namespace tarn
