#include "tarn/write/transform_codes.h"

#include <gtest/gtest.h>

#include <arrow/api.h>

#include "tests/support/arrow_rows.h"
#include "tests/support/matchers.h"

namespace tarn {
namespace {

using testing::BatchOf;
using testing::Col;
using testing::SchemaOf;

TEST(TransformCodesTest, EachValueHasOneCodeNullToo) {
  const Schema schema = SchemaOf({Col(1, "a", "int")});
  const auto batch = BatchOf(schema, "[[17], [null], [18], [21], [null]]");
  ASSERT_OK_AND_ASSIGN(
      const CodedColumn coded,
      CodeTransform(*batch->column(0), {.transform = TransformKind::kTruncate, .parameter = 5},
                    schema.fields[0].type));
  EXPECT_EQ(coded.codes, (std::vector<int32_t>{0, 1, 0, 2, 1}));
  ASSERT_EQ(coded.values.size(), 3U);
  EXPECT_EQ(coded.values[0], Value(int64_t{15}));
  EXPECT_TRUE(IsNull(coded.values[1]));
  EXPECT_EQ(coded.values[2], Value(int64_t{20}));
}

TEST(TransformCodesTest, AMemberIsNullWhereItsParentIs) {
  const Schema schema = SchemaOf({Col(1, "s", "struct<a: int>")});
  const auto batch = BatchOf(schema, R"([[{"a": 1}], [null], [{"a": null}]])");
  ASSERT_OK_AND_ASSIGN(const auto column, ColumnAt(*batch, {0, 0}));
  EXPECT_TRUE(column->IsValid(0));
  EXPECT_TRUE(column->IsNull(1));
  EXPECT_TRUE(column->IsNull(2));
}

}  // namespace
}  // namespace tarn
