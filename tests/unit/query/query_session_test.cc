#include "tests/unit/query/query_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tarn/query/query_session.h"

namespace tarn {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::QueryWorld;

TEST(QuerySessionTest, ManyStatementsStopAtTheFirstError) {
  QueryWorld world;
  EXPECT_THAT(world.Rows("CREATE TABLE ns.t (i INT); INSERT INTO ns.t VALUES (1); FROM ns.t"),
              ElementsAre("1"));
  EXPECT_THAT(world.Rows("SELECT 1; FROM ns.none; INSERT INTO ns.t VALUES (2)"),
              ElementsAre(HasSubstr("not found")));
  EXPECT_THAT(world.Rows("SELECT count(*) FROM ns.t"), ElementsAre("1"));
}

TEST(QuerySessionTest, OneSnapshotPerStatement) {
  QueryWorld world;
  world.Message("CREATE TABLE ns.t (i INT); INSERT INTO ns.t VALUES (1)");
  EXPECT_THAT(world.Rows("SELECT (SELECT count(*) FROM ns.t), count(*) FROM ns.t a JOIN ns.t b "
                         "ON a.i = b.i"),
              ElementsAre("1|1"));
}

TEST(QuerySessionTest, ExplainNamesFilesKept) {
  QueryWorld world;
  world.Message("CREATE TABLE ns.t (i INT, p INT) PARTITIONED BY (p)");
  world.Message("INSERT INTO ns.t VALUES (1, 1), (2, 2), (3, 3)");
  const auto plan = world.Rows("EXPLAIN SELECT i FROM ns.t WHERE p >= 2");
  EXPECT_THAT(plan, ::testing::Contains(HasSubstr("2 of 3")));
}

TEST(QuerySessionTest, PlacesAreThoseOfTheTextAsWritten) {
  QueryWorld world;
  world.Message("CREATE TABLE ns.t (i INT)");
  EXPECT_THAT(world.Rows("SELECT i FROM ns.t\nWHERE j = 1"),
              ElementsAre(HasSubstr("line 2, column 7")));
}

TEST(QuerySessionTest, CompletesTablesColumnsAndKeywords) {
  QueryWorld world;
  world.Message("CREATE TABLE ns.things (colour STRING)");
  EXPECT_THAT(world.session().Complete("SELECT * FROM ns.th"), ElementsAre("ns.things"));
  EXPECT_THAT(world.session().Complete("SELECT * FROM ns.things WHERE col"), ElementsAre("colour"));
  EXPECT_THAT(world.session().Complete("SHOW TAB"), ::testing::Contains("TBLPROPERTIES").Times(0));
}

TEST(QuerySessionTest, WhatIsNotSupportedIsRefusedByName) {
  QueryWorld world;
  world.Message("CREATE TABLE ns.t (i INT)");
  EXPECT_THAT(world.Message("MERGE INTO ns.t USING ns.t AS s ON true WHEN MATCHED THEN DELETE"),
              HasSubstr("error: unsupported: sql: MERGE"));
  EXPECT_THAT(world.Message("CREATE VIEW v AS SELECT * FROM ns.t VERSION AS OF 0"),
              HasSubstr("time travel"));
}

}  // namespace
}  // namespace tarn
