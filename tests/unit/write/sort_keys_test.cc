#include "tarn/write/sort_keys.h"

#include <gtest/gtest.h>

#include <arrow/api.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tests/support/arrow_rows.h"
#include "tests/support/matchers.h"

namespace tarn {
namespace {

using testing::BatchOf;
using testing::Col;
using testing::SchemaOf;

// The rows of `batch` in the order of their keys.
std::vector<int> Sorted(const Schema& schema, const SortOrder& order,
                        const arrow::RecordBatch& batch) {
  const auto made = SortKeys::Make(schema, order);
  EXPECT_TRUE(made.ok()) << testing::ErrorText(made);
  const auto keys = made->Of(batch);
  EXPECT_TRUE(keys.ok()) << testing::ErrorText(keys);
  std::vector<int> rows(static_cast<size_t>(batch.num_rows()));
  std::iota(rows.begin(), rows.end(), 0);
  std::stable_sort(rows.begin(), rows.end(),
                   [&](int a, int b) { return (*keys)->GetView(a) < (*keys)->GetView(b); });
  return rows;
}

// One column, whose values stand in ascending order but for the NULL in front: every order of it.
void ExpectOrders(const std::string& type, const std::string& values) {
  SCOPED_TRACE(type);
  const Schema schema = SchemaOf({Col(1, "a", type)});
  const auto batch = BatchOf(schema, "[[null], " + values + "]");
  const int n = static_cast<int>(batch->num_rows());
  std::vector<int> up(static_cast<size_t>(n) - 1);
  std::iota(up.begin(), up.end(), 1);
  const std::vector<int> down(up.rbegin(), up.rend());
  for (const bool descending : {false, true}) {
    for (const bool nulls_first : {false, true}) {
      std::vector<int> wanted = descending ? down : up;
      wanted.insert(nulls_first ? wanted.begin() : wanted.end(), 0);
      EXPECT_EQ(
          Sorted(
              schema,
              {.fields = {{.source_id = 1, .descending = descending, .nulls_first = nulls_first}}},
              *batch),
          wanted);
    }
  }
}

TEST(SortKeysTest, EveryTypeInEveryDirection) {
  ExpectOrders("boolean", "[false], [true]");
  ExpectOrders("tinyint", "[-128], [-1], [0], [127]");
  ExpectOrders("smallint", "[-32768], [-1], [0], [32767]");
  ExpectOrders("int", "[-2147483648], [-1], [0], [1], [256], [2147483647]");
  ExpectOrders("bigint", "[-9223372036854775808], [-256], [-1], [0], [255], [9223372036854775807]");
  ExpectOrders("float", "[-1.5], [-0.25], [0.0], [0.25], [1.5]");
  ExpectOrders("double", "[-1e300], [-1e-300], [0.0], [1e-300], [1e300]");
  ExpectOrders("decimal(9,2)", R"(["-12.34"], ["-0.01"], ["0.00"], ["0.01"], ["99.99"])");
  ExpectOrders("decimal(38,0)",
               R"(["-99999999999999999999999999999999999999"], ["-18446744073709551616"], ["-1"],
                  ["0"], ["18446744073709551616"], ["99999999999999999999999999999999999999"])");
  ExpectOrders("date", "[-1], [0], [20000]");
  ExpectOrders("timestamp", "[-1], [0], [1]");
  ExpectOrders("string", R"([""], ["a"], ["a\u0000"], ["a\u0000b"], ["aa"], ["b"], ["ä"], ["𝄞"])");
}

TEST(SortKeysTest, FloatingNumbersOfAllKinds) {
  arrow::DoubleBuilder values;
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double value :
       {-infinity, -1.0, -0.0, 0.0, 1.0, infinity, std::numeric_limits<double>::quiet_NaN()}) {
    ASSERT_TRUE(values.Append(value).ok());
  }
  const Schema schema = SchemaOf({Col(1, "a", "double")});
  const auto batch = arrow::RecordBatch::Make(*ToArrow(schema), 7, {*values.Finish()});
  EXPECT_EQ(Sorted(schema, {.fields = {{.source_id = 1}}}, *batch),
            (std::vector<int>{0, 1, 2, 3, 4, 5, 6}));
}

TEST(SortKeysTest, TheFirstFieldDecidesBeforeTheSecond) {
  const Schema schema = SchemaOf({Col(1, "a", "string"), Col(2, "b", "int")});
  const auto batch =
      BatchOf(schema, R"([["b", 1], ["a", 1], ["ab", 9], [null, 5], ["a", 2], ["b", null]])");
  EXPECT_EQ(Sorted(schema,
                   {.fields = {{.source_id = 1},
                               {.source_id = 2, .descending = true, .nulls_first = false}}},
                   *batch),
            (std::vector<int>{3, 4, 1, 2, 0, 5}));
}

TEST(SortKeysTest, TransformsAndMembersOfStructs) {
  const Schema schema = SchemaOf({Col(1, "n", "int"), Col(2, "s", "struct<x: string>")});
  const auto batch = BatchOf(schema, R"([[12, {"x": "b"}], [19, {"x": "a"}], [3, null],
                                         [11, {"x": "a"}]])");
  const int32_t x = schema.FindByPath("s.x")->id;
  EXPECT_EQ(
      Sorted(schema,
             {.fields = {{.source_id = 1, .transform = TransformKind::kTruncate, .parameter = 10},
                         {.source_id = x}}},
             *batch),
      (std::vector<int>{2, 1, 3, 0}));
  EXPECT_EQ(Sorted(schema, {.fields = {{.source_id = x}}}, *batch), (std::vector<int>{2, 1, 3, 0}));
}

TEST(SortKeysTest, SlicesStartWhereTheySay) {
  const Schema schema = SchemaOf({Col(1, "a", "string")});
  const auto batch = BatchOf(schema, R"([["z"], ["c"], ["a"], ["b"]])")->Slice(1);
  EXPECT_EQ(Sorted(schema, {.fields = {{.source_id = 1}}}, *batch), (std::vector<int>{1, 2, 0}));
}

}  // namespace
}  // namespace tarn
