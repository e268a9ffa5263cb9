#include "tarn/query/partition_items.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace tarn {
namespace {

using ::testing::HasSubstr;

Schema Example() { return AssignFreshIds(*ParseColumns("id bigint, at struct<ts: timestamp>")); }

TEST(PartitionItemsTest, BoundByPathAndTransform) {
  ASSERT_OK_AND_ASSIGN(const PartitionField day,
                       BindPartitionItem(Example(), {.column = "at.ts", .transform = "day"}));
  EXPECT_EQ(day.source_id, Example().FindByPath("at.ts")->id);
  EXPECT_EQ(day.transform, TransformKind::kDay);
  ASSERT_OK_AND_ASSIGN(
      const PartitionField bucket,
      BindPartitionItem(Example(), {.column = "ID", .transform = "bucket", .parameter = 4}));
  EXPECT_EQ(bucket.source_id, 1);
  EXPECT_EQ(bucket.parameter, 4);
  EXPECT_EQ(bucket.name, "");
}

TEST(PartitionItemsTest, RefusalsNameTheColumn) {
  const auto unknown = BindPartitionItem(Example(), {.column = "ids"});
  EXPECT_ERROR(unknown, ErrorCode::kInvalid);
  EXPECT_THAT(unknown.error().message, HasSubstr("did you mean 'id'"));
  const auto unfit = BindPartitionItem(Example(), {.column = "id", .transform = "hour"});
  EXPECT_ERROR(unfit, ErrorCode::kInvalid);
  EXPECT_THAT(unfit.error().message, HasSubstr("'id'"));
  EXPECT_ERROR(BindPartitionItem(Example(), {.column = "id", .transform = "bucket"}),
               ErrorCode::kInvalid);
}

TEST(PartitionItemsTest, SortItems) {
  ASSERT_OK_AND_ASSIGN(
      const SortOrder order,
      BindSortItems(Example(),
                    {{.key = {.column = "id"}, .descending = true, .nulls_first = false}}));
  EXPECT_EQ(order,
            (SortOrder{.fields = {{.source_id = 1, .descending = true, .nulls_first = false}}}));
  EXPECT_ERROR(BindSortItems(Example(), {{.key = {.column = "at"}}}), ErrorCode::kInvalid);
}

}  // namespace
}  // namespace tarn
