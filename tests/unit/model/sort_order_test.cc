#include "tarn/model/sort_order.h"

#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace tarn {
namespace {

Schema Sortable() {
  return AssignFreshIds(*ParseColumns(
      "id bigint, ts timestamp, tags array<string>, at struct<city: string>, d double"));
}

TEST(SortOrderTest, ShownAsSqlHasIt) {
  const SortOrder order{
      .id = 1,
      .fields = {{.source_id = 2,
                  .transform = TransformKind::kDay,
                  .descending = true,
                  .nulls_first = false},
                 {.source_id = 1, .transform = TransformKind::kBucket, .parameter = 16},
                 {.source_id = Sortable().FindByPath("at.city")->id}}};
  EXPECT_EQ(SortOrderToText(order, Sortable()),
            "day(ts) DESC NULLS LAST, bucket(16, id) ASC NULLS FIRST, at.city ASC NULLS FIRST");
  EXPECT_EQ(SortOrderToText({}, Sortable()), "");
}

TEST(SortOrderTest, RefusesWhatHasNoOrder) {
  const Schema schema = Sortable();
  EXPECT_OK(CheckSortOrder({.fields = {{.source_id = 1}}}, schema));
  EXPECT_OK(CheckSortOrder({.fields = {{.source_id = schema.FindByPath("at.city")->id}}}, schema));
  EXPECT_OK(CheckSortOrder({.fields = {{.source_id = schema.FindByPath("d")->id}}}, schema));
  const auto refused = [&](SortField field) {
    EXPECT_ERROR(CheckSortOrder({.fields = {field}}, schema), ErrorCode::kInvalid);
  };
  refused({.source_id = 99});
  refused({.source_id = schema.FindByPath("tags")->id});
  refused({.source_id = schema.FindByPath("tags.element")->id});
  refused({.source_id = schema.FindByPath("at")->id});
  refused({.source_id = 1, .transform = TransformKind::kHour});
}

}  // namespace
}  // namespace tarn
