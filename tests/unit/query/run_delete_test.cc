#include "tests/unit/query/query_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tarn {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::QueryWorld;

TEST(RunDeleteTest, RowsForWhichThePredicateIsTrueOnly) {
  QueryWorld world;
  world.Message(
      "CREATE TABLE ns.t AS SELECT * FROM (VALUES (1, 'a'), (2, NULL), (3, 'c')) v(i, s)");
  EXPECT_EQ(world.Message("DELETE FROM ns.t WHERE s <> 'c'"), "1 row deleted from ns.t, version 1");
  EXPECT_THAT(world.Rows("SELECT i FROM ns.t ORDER BY i"), ElementsAre("2", "3"));
  EXPECT_EQ(world.Message("DELETE FROM ns.t WHERE i = 99"), "0 rows deleted from ns.t");
  EXPECT_THAT(world.Message("DELETE FROM ns.t AS x WHERE x.i IN (SELECT min(i) FROM ns.t)"),
              HasSubstr("1 row deleted"));
  EXPECT_THAT(world.Rows("SELECT i FROM ns.t"), ElementsAre("3"));
  EXPECT_THAT(world.Message("DELETE FROM ns.t WHERE nothing"), HasSubstr("nothing"));
  world.Message("DELETE FROM ns.t");
  EXPECT_THAT(world.Rows("SELECT count(*) FROM ns.t"), ElementsAre("0"));
}

TEST(RunDeleteTest, RunsAgainWhenRowsArriveThatMatch) {
  QueryWorld world;
  world.Message("CREATE TABLE ns.t (v INT)");
  world.Message("INSERT INTO ns.t VALUES (1), (5)");
  world.BeforeCommit([&] {
    EXPECT_TRUE(world.Second()
                    .Run("INSERT INTO ns.t VALUES (7)", [](StatementResult) { return OkStatus(); })
                    .ok());
  });
  EXPECT_THAT(world.Message("DELETE FROM ns.t WHERE v > 4"), HasSubstr("2 rows deleted"));
  EXPECT_THAT(world.Rows("SELECT v FROM ns.t"), ElementsAre("1"));
}

}  // namespace
}  // namespace tarn
