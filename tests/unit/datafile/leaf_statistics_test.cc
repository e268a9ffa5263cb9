#include "tarn/datafile/leaf_statistics_internal.h"

#include <gtest/gtest.h>

#include "tarn/datafile/arrow_schema.h"
#include "tarn/datafile/conform_internal.h"
#include "tests/support/arrow_rows.h"
#include "tests/support/matchers.h"

namespace tarn {
namespace {

using testing::BatchOf;
using testing::Col;
using testing::SchemaOf;

Value TextValue(std::string text) { return Value(std::move(text)); }

class LeafStatisticsTest : public ::testing::Test {
 protected:
  // Of rows that come in several batches.
  static std::vector<ColumnStatistics> Gathered(const Schema& schema,
                                                const std::vector<std::string>& batches,
                                                int32_t length = 16) {
    std::vector<int32_t> ids;
    ForEachField(schema, [&](const Field& field, const std::string&) { ids.push_back(field.id); });
    BatchStatistics statistics(schema, ids, length);
    const auto layout = ToFileSchema(schema);
    EXPECT_OK(layout);
    for (const std::string& rows : batches) {
      const auto file_batch = ToFileBatch(*BatchOf(schema, rows), schema, *layout);
      EXPECT_OK(file_batch);
      EXPECT_OK(statistics.Add(**file_batch));
    }
    return statistics.Finish();
  }
};

TEST_F(LeafStatisticsTest, CountsAndBoundsOverBatches) {
  const Schema schema = SchemaOf({Col(1, "i", "int"), Col(2, "s", "string"),
                                  Col(3, "d", "decimal(9,2)"), Col(4, "b", "boolean")});
  const auto all = Gathered(schema, {R"([[5, "b", "1.50", true], [null, null, null, null]])",
                                     R"([[-3, "a", "-20.00", false], [4, "c", "3.00", null]])"});
  ASSERT_EQ(all.size(), 4U);
  for (const ColumnStatistics& column : all) {
    EXPECT_EQ(column.value_count, 4);
    EXPECT_EQ(column.nan_count, std::nullopt);
    EXPECT_EQ(column.size_bytes, std::nullopt);
  }
  EXPECT_EQ(all[0].null_count, 1);
  EXPECT_EQ(all[3].null_count, 2);
  EXPECT_EQ(all[0].lower, Value(int64_t{-3}));
  EXPECT_EQ(all[0].upper, Value(int64_t{5}));
  EXPECT_EQ(all[1].lower, TextValue("a"));
  EXPECT_EQ(all[1].upper, TextValue("c"));
  EXPECT_EQ(all[2].lower, Value(Int128{-2000}));
  EXPECT_EQ(all[2].upper, Value(Int128{300}));
  EXPECT_EQ(all[3].lower, Value(false));
  EXPECT_EQ(all[3].upper, Value(true));
}

TEST_F(LeafStatisticsTest, OnlyNullsHaveNoBounds) {
  const auto all = Gathered(SchemaOf({Col(1, "i", "int")}), {"[[null], [null]]", "[]"});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].value_count, 2);
  EXPECT_EQ(all[0].null_count, 2);
  EXPECT_FALSE(all[0].lower || all[0].upper);
}

TEST_F(LeafStatisticsTest, StringsAreCut) {
  const auto all = Gathered(SchemaOf({Col(1, "s", "string")}), {R"([["abcdef"], ["xyzzy"]])"}, 3);
  EXPECT_EQ(all[0].lower, TextValue("abc"));
  EXPECT_EQ(all[0].upper, TextValue("xy{"));
  EXPECT_FALSE(all[0].lower_exact);
  EXPECT_FALSE(all[0].upper_exact);
}

TEST_F(LeafStatisticsTest, StructsAreEnteredListsAreNot) {
  const Schema schema = SchemaOf({Col(1, "st", "struct<x int>"), Col(2, "l", "array<int>")});
  const int32_t x = schema.FindByPath("st.x")->id;
  const auto all = Gathered(schema, {R"([[{"x": 7}, [1]], [null, [2]], [{"x": null}, null]])"});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].field_id, x);
  EXPECT_EQ(all[0].value_count, 3);
  EXPECT_EQ(all[0].null_count, 2);
  EXPECT_EQ(all[0].lower, Value(int64_t{7}));
}

TEST_F(LeafStatisticsTest, NaNIsCountedAndInNoBound) {
  ColumnStatistics out;
  FloatBounds bounds;
  bounds.Put(out);
  EXPECT_EQ(out.nan_count, 0);
  EXPECT_FALSE(out.lower || out.upper);
  const auto all = Gathered(SchemaOf({Col(1, "f", "double")}), {"[[0.0], [2.5], [null]]"});
  EXPECT_EQ(all[0].null_count, 1);
  EXPECT_TRUE(std::signbit(std::get<double>(*all[0].lower))) << "holds for both zeros";
  EXPECT_EQ(all[0].upper, Value(2.5));
}

}  // namespace
}  // namespace tarn
