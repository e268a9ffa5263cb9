#include "tarn/write/gather.h"

#include <gtest/gtest.h>

#include <arrow/api.h>

#include "tests/support/arrow_rows.h"
#include "tests/support/matchers.h"

namespace tarn {
namespace {

using testing::BatchOf;
using testing::Col;
using testing::SchemaOf;

TEST(GatherTest, EveryLayoutFromSeveralSlicedBatches) {
  const Schema schema = SchemaOf(
      {Col(1, "b", "boolean"), Col(2, "i8", "tinyint"), Col(3, "i16", "smallint"),
       Col(4, "i", "int"), Col(5, "d", "double"), Col(6, "dec", "decimal(38,2)"),
       Col(7, "s", "string"), Col(8, "l", "array<int>"), Col(9, "st", "struct<x: string>")});
  const auto first = BatchOf(schema, R"([
      [true, 1, 1, 1, 1.5, "1.00", "zero", [1], ["u"]],
      [null, null, null, null, null, null, null, null, null],
      [false, 2, 2, 2, 2.5, "2.00", "", [], [null]]])");
  const auto second = BatchOf(schema, R"([
      [true, 3, 3, 3, 3.5, "3.00", "three", [3, null], ["w"]],
      [true, 4, 4, 4, 4.5, "4.00", "four", [4], null]])");
  const auto sliced = first->Slice(1, 2);
  const std::vector<int32_t> from_first = {1, 0}, from_second = {1, 1, 0};
  ASSERT_OK_AND_ASSIGN(const auto rows,
                       GatherRows({sliced, second}, {{0, from_first}, {1, from_second}},
                                  {0, 1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_TRUE(rows->ValidateFull().ok()) << rows->ValidateFull().ToString();
  const auto expected = BatchOf(schema, R"([
      [false, 2, 2, 2, 2.5, "2.00", "", [], [null]],
      [null, null, null, null, null, null, null, null, null],
      [true, 4, 4, 4, 4.5, "4.00", "four", [4], null],
      [true, 4, 4, 4, 4.5, "4.00", "four", [4], null],
      [true, 3, 3, 3, 3.5, "3.00", "three", [3, null], ["w"]]])");
  EXPECT_TRUE(rows->Equals(*expected)) << rows->ToString();
}

TEST(GatherTest, ColumnsBecomeThoseAskedFor) {
  const Schema schema = SchemaOf({Col(1, "a", "int"), Col(2, "b", "int")});
  const std::vector<int32_t> one = {0};
  ASSERT_OK_AND_ASSIGN(const auto rows, GatherRows({BatchOf(schema, "[[1, 2]]")}, {{0, one}}, {1}));
  EXPECT_EQ(rows->schema()->field(0)->name(), "b");
  ASSERT_OK_AND_ASSIGN(const auto none, GatherRows({BatchOf(schema, "[[1, 2]]")}, {}, {0}));
  EXPECT_EQ(none->num_rows(), 0);
}

}  // namespace
}  // namespace tarn
