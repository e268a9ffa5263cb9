#include "tests/unit/query/query_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tarn {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::QueryWorld;

TEST(RunInsertTest, ByPositionByListAndByName) {
  QueryWorld world;
  world.Message("CREATE TABLE ns.t (a INT, b STRING, c DOUBLE DEFAULT 7)");
  EXPECT_EQ(world.Message("INSERT INTO ns.t VALUES (1, 'x', 2)"),
            "1 row inserted into ns.t, version 1");
  world.Message("INSERT INTO ns.t (b, a) VALUES ('y', 2)");
  world.Message("INSERT INTO ns.t BY NAME SELECT 'z' AS b, 3 AS a");
  EXPECT_THAT(world.Rows("SELECT a, b, c FROM ns.t ORDER BY a"),
              ElementsAre("1|x|2", "2|y|7", "3|z|7"));
}

TEST(RunInsertTest, OverwriteWholeStaticAndDynamic) {
  QueryWorld world;
  world.Message("CREATE TABLE ns.t (v INT, p STRING) PARTITIONED BY (p)");
  world.Message("INSERT INTO ns.t VALUES (1, 'a'), (2, 'b'), (3, 'c')");
  world.Message("INSERT OVERWRITE ns.t PARTITION (p = 'a') VALUES (10)");
  EXPECT_THAT(world.Rows("SELECT v, p FROM ns.t ORDER BY p"), ElementsAre("10|a", "2|b", "3|c"));
  world.Message("INSERT OVERWRITE ns.t PARTITION (p) SELECT 20, 'b'");
  EXPECT_THAT(world.Rows("SELECT v, p FROM ns.t ORDER BY p"), ElementsAre("10|a", "20|b", "3|c"));
  world.Message("INSERT OVERWRITE ns.t SELECT 0, 'z'");
  EXPECT_THAT(world.Rows("SELECT v, p FROM ns.t"), ElementsAre("0|z"));
}

// Each reads B's balance and adds 10: nothing may be lost (the statement is run again).
TEST(RunInsertTest, AStatementThatReadsItsTableIsRunAgain) {
  QueryWorld world;
  world.Message("CREATE TABLE ns.t (who STRING, balance INT)");
  world.Message("INSERT INTO ns.t VALUES ('B', 100)");
  world.BeforeCommit([&] {
    // Another session of the same store gets there first.
    EXPECT_TRUE(world.Second()
                    .Run("INSERT OVERWRITE ns.t SELECT who, balance + 10 FROM ns.t",
                         [](StatementResult) { return OkStatus(); })
                    .ok());
  });
  EXPECT_THAT(world.Message("INSERT OVERWRITE ns.t SELECT who, balance + 10 FROM ns.t"),
              HasSubstr("1 row written over"));
  EXPECT_THAT(world.Rows("SELECT balance FROM ns.t"), ElementsAre("120"));
}

TEST(RunInsertTest, ABlindOverwriteIsNotRunAgain) {
  QueryWorld world;
  world.Message("CREATE TABLE ns.t (v INT)");
  world.Message("INSERT INTO ns.t VALUES (1)");
  world.BeforeCommit([&] {
    EXPECT_TRUE(world.Second()
                    .Run("INSERT INTO ns.t VALUES (2)", [](StatementResult) { return OkStatus(); })
                    .ok());
  });
  EXPECT_THAT(world.Message("INSERT OVERWRITE ns.t VALUES (3)"), HasSubstr("error: conflict"));
  EXPECT_THAT(world.Rows("SELECT v FROM ns.t ORDER BY v"), ElementsAre("1", "2"));
}

TEST(RunInsertTest, TwoAppendsBothLand) {
  QueryWorld world;
  world.Message("CREATE TABLE ns.t (v INT)");
  world.BeforeCommit([&] {
    EXPECT_TRUE(world.Second()
                    .Run("INSERT INTO ns.t VALUES (2)", [](StatementResult) { return OkStatus(); })
                    .ok());
  });
  EXPECT_EQ(world.Message("INSERT INTO ns.t VALUES (1)"), "1 row inserted into ns.t, version 2");
  EXPECT_THAT(world.Rows("SELECT v FROM ns.t ORDER BY v"), ElementsAre("1", "2"));
}

}  // namespace
}  // namespace tarn
