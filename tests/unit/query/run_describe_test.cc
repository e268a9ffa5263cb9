#include "tests/unit/query/query_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tarn {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::QueryWorld;

TEST(RunDescribeTest, ColumnsPropertiesAndStatements) {
  QueryWorld world;
  world.Message(
      "CREATE TABLE ns.t (id INT NOT NULL COMMENT 'it''s', p STRING) PARTITIONED BY (p) "
      "TBLPROPERTIES ('k' = 'v')");
  EXPECT_THAT(world.Rows("DESCRIBE ns.t"),
              ElementsAre("id|INTEGER|NO|NULL|NULL|it's", "p|VARCHAR|YES|NULL|identity|NULL"));
  EXPECT_THAT(world.Rows("SHOW TBLPROPERTIES ns.t"), ElementsAre("k|v"));
  EXPECT_THAT(world.Rows("SHOW CREATE TABLE ns.t")[0], HasSubstr("PARTITIONED BY (p)"));
  EXPECT_THAT(world.Rows("SHOW PARTITIONS ns.t"), ElementsAre());
  EXPECT_THAT(world.Rows("DESCRIBE DETAIL ns.t")[0], HasSubstr("toy"));
  EXPECT_THAT(world.Rows("DESCRIBE HISTORY ns.t")[0], HasSubstr("CREATE TABLE"));
  EXPECT_THAT(world.Rows("DESCRIBE ns.none"), ElementsAre(HasSubstr("not found")));
}

TEST(RunDescribeTest, ShowTablesAndNamespaces) {
  QueryWorld world;
  world.Message("CREATE NAMESPACE ns; CREATE TABLE ns.one (i INT); CREATE TABLE ns.two (i INT)");
  EXPECT_THAT(world.Rows("SHOW TABLES"), ElementsAre("ns|one", "ns|two"));
  EXPECT_THAT(world.Rows("SHOW TABLES IN ns LIKE 'o*'"), ElementsAre("ns|one"));
  EXPECT_THAT(world.Rows("SHOW TABLES IN other"), ElementsAre());
  EXPECT_THAT(world.Rows("SHOW NAMESPACES"), ElementsAre("ns"));
}

}  // namespace
}  // namespace tarn
