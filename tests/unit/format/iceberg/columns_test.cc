#include <gtest/gtest.h>

#include <arrow/api.h>

#include "tarn/format/iceberg/columns_internal.h"
#include "tests/support/matchers.h"

namespace tarn::iceberg {
namespace {

std::shared_ptr<arrow::Array> Int32s(const std::vector<int32_t>& values) {
  arrow::Int32Builder builder;
  EXPECT_TRUE(builder.AppendValues(values).ok());
  EXPECT_TRUE(builder.AppendNull().ok());
  return *builder.Finish();
}

TEST(ColumnsTest, FoundByIdThenByName) {
  const auto with_id = arrow::field("renamed", arrow::int32())
                           ->WithMetadata(arrow::key_value_metadata({"PARQUET:field_id"}, {"7"}));
  const auto batch = arrow::RecordBatch::Make(
      arrow::schema({arrow::field("a", arrow::int32()), with_id}), 2, {Int32s({1}), Int32s({2})});
  EXPECT_EQ(ColumnOf(*batch, 7, "other"), batch->column(1));
  EXPECT_EQ(ColumnOf(*batch, 8, "a"), batch->column(0));
  EXPECT_EQ(ColumnOf(*batch, 8, "b"), nullptr);
}

TEST(ColumnsTest, NumbersOfAnyWidth) {
  ASSERT_OK_AND_ASSIGN(const auto column, IntegerColumn::Make(Int32s({5}), "n"));
  EXPECT_EQ(column.At(0), 5);
  EXPECT_EQ(column.At(1), std::nullopt);
  EXPECT_EQ(column.Or(1, 9), 9);
  ASSERT_OK_AND_ASSIGN(const auto nothing, IntegerColumn::Make(nullptr, "n"));
  EXPECT_EQ(nothing.At(0), std::nullopt);
  EXPECT_ERROR(BytesColumn::Make(Int32s({5}), "n"), ErrorCode::kCorrupt);
}

TEST(ColumnsTest, ValuesAreWidenedToTheTablesType) {
  ASSERT_OK_AND_ASSIGN(const ValueColumn longs,
                       ValuesOf(Int32s({5}), Type::Of(TypeKind::kInt64), "n"));
  EXPECT_EQ(longs.Get(0), Value(int64_t{5}));
  EXPECT_EQ(longs.Get(1), Value());
  arrow::Date32Builder dates;
  ASSERT_TRUE(dates.Append(1).ok());
  ASSERT_OK_AND_ASSIGN(const ValueColumn times,
                       ValuesOf(*dates.Finish(), Type::Of(TypeKind::kTimestamp), "t"));
  EXPECT_EQ(times.Get(0), Value(int64_t{86'400} * 1'000'000));
  arrow::FloatBuilder floats;
  ASSERT_TRUE(floats.Append(0.5F).ok());
  ASSERT_OK_AND_ASSIGN(const ValueColumn doubles,
                       ValuesOf(*floats.Finish(), Type::Of(TypeKind::kDouble), "d"));
  EXPECT_EQ(doubles.Get(0), Value(0.5));
  EXPECT_ERROR(ValuesOf(Int32s({5}), Type::Of(TypeKind::kString), "s"), ErrorCode::kCorrupt);
}

TEST(ColumnsTest, TypesOfAvro) {
  const auto type_of = [](const std::string& text) {
    return TypeToText(TypeOfAvro(**ParseAvroSchema(text)));
  };
  EXPECT_EQ(type_of(R"(["null","int"])"), "int32");
  EXPECT_EQ(type_of(R"({"type":"int","logicalType":"date"})"), "date");
  EXPECT_EQ(
      type_of(
          R"({"type":"fixed","name":"f","size":4,"logicalType":"decimal","precision":9,"scale":2})"),
      "decimal(9,2)");
}

}  // namespace
}  // namespace tarn::iceberg
