#include "tests/unit/query/query_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tarn {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::QueryWorld;

TEST(RunCreateTableTest, ColumnsPartitionsAndProperties) {
  QueryWorld world;
  EXPECT_EQ(world.Message("CREATE TABLE ns.t (id INT NOT NULL, day DATE, CHECK (id > 0)) "
                          "PARTITIONED BY (day) TBLPROPERTIES ('k' = 'v') COMMENT 'c'"),
            "ns.t created");
  EXPECT_THAT(world.Message("CREATE TABLE ns.t (id INT)"), HasSubstr("already exists"));
  EXPECT_THAT(world.Message("CREATE TABLE IF NOT EXISTS ns.t (id INT)"), HasSubstr("exists"));
  EXPECT_THAT(world.Message("INSERT INTO ns.t VALUES (0, NULL)"), HasSubstr("id > 0"));
  EXPECT_THAT(world.Message("CREATE TABLE ns.u (id INT) PARTITIONED BY (dya)"),
              HasSubstr("no column"));
  EXPECT_THAT(world.Message("CREATE TABLE ns.u (id INT, ID INT)"), HasSubstr("error: invalid"));
}

TEST(RunCreateTableTest, AsSelectKeepsTypesAndIsAllOrNothing) {
  QueryWorld world;
  EXPECT_EQ(world.Message("CREATE TABLE ns.t AS SELECT i AS n, i * 1.5 AS x FROM range(3) r(i)"),
            "ns.t created, 3 rows, version 0");
  EXPECT_THAT(world.Rows("SELECT typeof(n), typeof(x) FROM ns.t LIMIT 1"),
              ElementsAre("BIGINT|DECIMAL(21,1)"));
  EXPECT_THAT(world.Message("CREATE TABLE ns.u AS SELECT CAST('x' AS INT) AS n"),
              HasSubstr("error: invalid"));
  EXPECT_THAT(world.Rows("FROM ns.u"), ElementsAre(HasSubstr("not found")));
}

TEST(RunCreateTableTest, ReplaceGivesNewColumnsNewIds) {
  QueryWorld world;
  world.Message("CREATE TABLE ns.t AS SELECT 1 AS a");
  EXPECT_EQ(world.Message("CREATE OR REPLACE TABLE ns.t AS SELECT 2 AS b FROM ns.t"),
            "ns.t replaced, 1 row, version 1");
  EXPECT_EQ(world.Columns("FROM ns.t"), "b");
  EXPECT_EQ(world.context()
                .tables.Pin(sql::TableName{.parts = {"ns", "t"}})
                ->snapshot.metadata.schema.fields[0]
                .id,
            2);
}

}  // namespace
}  // namespace tarn
