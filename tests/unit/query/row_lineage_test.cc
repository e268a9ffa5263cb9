#include "tarn/query/row_lineage.h"

#include <gtest/gtest.h>

#include "tests/support/arrow_rows.h"

namespace tarn {
namespace {

TEST(RowLineage, FollowsTheOrderOfThePlan) {
  ScanPlan plan;
  plan.batches.resize(2);
  plan.batches[0].size = 1;  // before the table numbered its rows
  plan.batches[1].size = 2;
  plan.batches[1].first_row_id = {10, -1};
  plan.batches[1].sequence_number = {3, 4};
  const std::vector<Field> fields = {testing::Col(1, "id", "bigint"),
                                     testing::Col(2, "at", "bigint")};
  const auto columns = LineageOfRows(plan, fields, "x");
  ASSERT_EQ(columns.size(), 2U);
  EXPECT_EQ(
      columns[0].sql,
      R"sql(coalesce("x"."id", ([NULL, 10, NULL]::BIGINT[])[CAST("x".file_index AS BIGINT) )sql"
      R"sql(+ 1] + "x".file_row_number))sql");
  EXPECT_EQ(
      columns[1].sql,
      R"sql(coalesce("x"."at", ([NULL, 3, NULL]::BIGINT[])[CAST("x".file_index AS BIGINT) )sql"
      R"sql(+ 1]))sql");
  EXPECT_TRUE(columns[1].of_last_change);
  EXPECT_TRUE(LineageOfRows(plan, {}, "x").empty());
}

}  // namespace
}  // namespace tarn
