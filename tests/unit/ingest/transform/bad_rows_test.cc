#include "tarn/ingest/transform/bad_rows.h"

#include <gtest/gtest.h>

#include "tests/support/arrow_rows.h"
#include "tests/support/matchers.h"
#include "tests/support/rows_text.h"

namespace tarn {
namespace {

TEST(SetBadRowsAside, KeepsTheOthersInOrderAndSaysWhereTheyWere) {
  const auto batch = testing::BatchOf(*ParseColumns("a bigint"), "[[1],[2],[3]]");
  ASSERT_OK_AND_ASSIGN(const Transformed whole, SetBadRowsAside(batch, {}));
  EXPECT_EQ(whole.batch.get(), batch.get());
  EXPECT_TRUE(whole.from_rows.empty());

  ASSERT_OK_AND_ASSIGN(const Transformed some, SetBadRowsAside(batch, {{1, {1, "a", "why"}}}));
  EXPECT_EQ(some.from_rows, (std::vector<int32_t>{0, 2}));
  ASSERT_EQ(some.batch->num_rows(), 2);
  EXPECT_EQ(testing::CellText(*some.batch->column(0), 1), "3");
  ASSERT_EQ(some.bad_rows.size(), 1u);
  EXPECT_EQ(some.bad_rows[0].reason, "why");
}

}  // namespace
}  // namespace tarn
