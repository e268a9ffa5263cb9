#include <gtest/gtest.h>

#include "tarn/lineage/function_kind_internal.h"

namespace tarn::lineage {
namespace {

TEST(FunctionKind, ListedAndOthers) {
  EXPECT_EQ(FunctionKindOf("sum"), FunctionKind::kAggregate);
  EXPECT_EQ(FunctionKindOf("approx_percentile"), FunctionKind::kAggregate);
  EXPECT_EQ(FunctionKindOf("row_number"), FunctionKind::kRanking);
  EXPECT_EQ(FunctionKindOf("lag"), FunctionKind::kValue);
  EXPECT_EQ(FunctionKindOf("sha2"), FunctionKind::kMasking);
  EXPECT_EQ(FunctionKindOf("if"), FunctionKind::kIf);
  EXPECT_EQ(FunctionKindOf("named_struct"), FunctionKind::kNamedStruct);
  EXPECT_EQ(FunctionKindOf("my_udf"), FunctionKind::kTransformation);
  EXPECT_EQ(FunctionKindOf(""), FunctionKind::kTransformation);
}

TEST(FunctionKind, Units) {
  EXPECT_TRUE(IsTimeUnit("day"));
  EXPECT_FALSE(IsTimeUnit("days_ago"));
}

}  // namespace
}  // namespace tarn::lineage
