#include "tests/unit/query/query_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tarn {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::QueryWorld;

TEST(RunAlterTableTest, AddsWidensAndDescribes) {
  QueryWorld world;
  world.Message("CREATE TABLE ns.t (a INT)");
  world.Message("INSERT INTO ns.t VALUES (1)");
  EXPECT_EQ(world.Message("ALTER TABLE ns.t ADD COLUMN b STRING"), "ns.t altered, version 2");
  EXPECT_THAT(world.Rows("FROM ns.t"), ElementsAre("1|NULL"));
  EXPECT_THAT(world.Message("ALTER TABLE ns.t ADD COLUMN B INT"), HasSubstr("already exists"));
  EXPECT_THAT(world.Message("ALTER TABLE ns.t DROP COLUMN nothing"), HasSubstr("no column"));
  world.Message("ALTER TABLE ns.t ALTER COLUMN a TYPE BIGINT");
  EXPECT_THAT(world.Rows("SELECT typeof(a), a FROM ns.t"), ElementsAre("BIGINT|1"));
  EXPECT_THAT(world.Message("ALTER TABLE ns.t SET TBLPROPERTIES ('x' = 'y')"),
              HasSubstr("altered"));
  EXPECT_THAT(world.Message("ALTER TABLE ns.t SET TBLPROPERTIES ('x' = 'y')"),
              HasSubstr("already"));
  EXPECT_THAT(world.Message("ALTER TABLE IF EXISTS ns.none DROP COLUMN a"),
              HasSubstr("does not exist"));
}

TEST(RunAlterTableTest, ChecksTheRowsThereAre) {
  QueryWorld world;
  world.Message("CREATE TABLE ns.t (a INT)");
  world.Message("INSERT INTO ns.t VALUES (1), (NULL)");
  EXPECT_THAT(world.Message("ALTER TABLE ns.t ALTER COLUMN a SET NOT NULL"),
              HasSubstr("holds NULL"));
  EXPECT_THAT(world.Message("ALTER TABLE ns.t ADD CONSTRAINT c CHECK (a > 1)"),
              HasSubstr("breaks"));
  // NULL > 0 is not true.
  EXPECT_THAT(world.Message("ALTER TABLE ns.t ADD CONSTRAINT c CHECK (a > 0)"),
              HasSubstr("breaks"));
  EXPECT_THAT(world.Message("ALTER TABLE ns.t ADD CONSTRAINT c CHECK (a IS NULL OR a > 0)"),
              HasSubstr("altered"));
  EXPECT_THAT(world.Message("INSERT INTO ns.t VALUES (0)"), HasSubstr("'c'"));
  EXPECT_THAT(world.Message("ALTER TABLE ns.t RENAME COLUMN a TO b"),
              HasSubstr("drop the constraint first"));
  world.Message("ALTER TABLE ns.t DROP CONSTRAINT c");
  EXPECT_THAT(world.Message("INSERT INTO ns.t VALUES (0)"), HasSubstr("1 row"));
}

}  // namespace
}  // namespace tarn
