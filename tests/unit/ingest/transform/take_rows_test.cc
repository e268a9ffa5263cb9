#include "tarn/ingest/transform/take_rows.h"

#include <gtest/gtest.h>

#include "tests/support/arrow_rows.h"
#include "tests/support/matchers.h"
#include "tests/support/rows_text.h"

namespace tarn {
namespace {

TEST(TakeRowsTest, TakesNestedRowsInOrder) {
  const Schema schema = *ParseColumns("a bigint, l array<string>");
  const auto batch = testing::BatchOf(schema, R"([[1,["x"]],[2,null],[3,["y","z"]]])");
  ASSERT_OK_AND_ASSIGN(const auto taken, TakeRows(*batch, {2, 0}));
  EXPECT_EQ(taken->num_rows(), 2);
  EXPECT_EQ(testing::CellText(*taken->column(0), 0), "3");
  EXPECT_EQ(testing::CellText(*taken->column(0), 1), "1");
  ASSERT_OK_AND_ASSIGN(const auto none, TakeRows(*batch, {}));
  EXPECT_EQ(none->num_rows(), 0);
}

}  // namespace
}  // namespace tarn
