#include "tests/unit/query/query_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tarn/query/target_columns.h"

namespace tarn {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::QueryWorld;

TEST(TargetColumnsTest, CastsToTheTablesColumns) {
  QueryWorld world;
  const Schema schema = AssignFreshIds(*ParseColumns("a int, b string, p date"));
  sql::Insert insert;
  insert.partitions = {{"p", "'2026-01-01'"}};
  const auto select = SelectForInsert(world.context().session, "t", schema, insert, "SELECT 1, 2");
  ASSERT_TRUE(select.ok()) << select.error().ToString();
  EXPECT_EQ(*select,
            "SELECT CAST(#1 AS INTEGER) AS \"a\", CAST(#2 AS VARCHAR) AS \"b\", "
            "CAST('2026-01-01' AS DATE) AS \"p\" FROM (SELECT 1, 2\n) AS q");
  insert.partitions.clear();
  EXPECT_THAT(
      SelectForInsert(world.context().session, "t", schema, insert, "SELECT 1").error().message,
      HasSubstr("wants 3 columns (a, b, p), the rows have 1"));
}

}  // namespace
}  // namespace tarn
