#include "tests/unit/query/query_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tarn/query/row_finder.h"

namespace tarn {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::QueryWorld;

TEST(RowFinderTest, PositionsOfRowsByFile) {
  QueryWorld world;
  world.Message("CREATE TABLE ns.t (i INT, p INT) PARTITIONED BY (p)");
  world.Message("INSERT INTO ns.t SELECT i, i % 3 FROM range(9) r(i)");
  StatementTables& tables = world.context().tables;
  tables.Begin();
  const auto pinned = tables.Pin(sql::TableName{.parts = {"ns", "t"}});
  ASSERT_TRUE(pinned.ok());
  const auto plan = PlanScan(*pinned->table->format, pinned->table->home, pinned->snapshot, {});
  ASSERT_TRUE(plan.ok());
  const auto found =
      FindRowsInDuck(world.context(), pinned->table, "t", "t.i >= 6 AND p <> 0")(*plan);
  ASSERT_TRUE(found.ok()) << found.error().ToString();
  ASSERT_EQ(found->size(), 2U);
  for (const RowDelete& file : *found) {
    EXPECT_EQ(file.rows.Count(), 1);
    EXPECT_TRUE(file.rows.Contains(2));
    EXPECT_FALSE(file.file.path.empty());
  }
}

}  // namespace
}  // namespace tarn
