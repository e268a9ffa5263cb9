#include "tarn/write/partition_router.h"

#include <gtest/gtest.h>

#include <arrow/api.h>

#include <map>

#include "tests/support/arrow_rows.h"
#include "tests/support/matchers.h"

namespace tarn {
namespace {

using testing::BatchOf;
using testing::Col;
using testing::SchemaOf;

std::string Shown(const RoutedBatch& routed) {
  std::string text;
  for (size_t p = 0; p < routed.partitions.size(); ++p) {
    for (const Value& value : routed.partitions[p]) {
      if (IsNull(value)) text += "NULL ";
      if (const auto* number = std::get_if<int64_t>(&value)) text += std::to_string(*number) + " ";
      if (const auto* string = std::get_if<std::string>(&value)) text += "'" + *string + "' ";
      if (const auto* flag = std::get_if<bool>(&value)) text += *flag ? "true " : "false ";
    }
    text += ":";
    for (const int32_t row : routed.RowsOf(p)) text += " " + std::to_string(row);
    text += "\n";
  }
  return text;
}

TEST(PartitionRouterTest, GroupsRowsByAllFieldsInOrder) {
  const Schema schema = SchemaOf({Col(1, "a", "string"), Col(2, "b", "int"), Col(3, "v", "int")});
  ASSERT_OK_AND_ASSIGN(const auto router,
                       PartitionRouter::Make(schema, *IdentitySpec(schema, {"b", "a"})));
  ASSERT_OK_AND_ASSIGN(
      const RoutedBatch routed,
      router.Route(*BatchOf(schema, R"([["x", 1, 0], ["", 1, 0], ["x", 1, 0], [null, null, 0],
                                        ["x", 2, 0], ["", 1, 0], [null, null, 0]])")));
  EXPECT_EQ(Shown(routed), "1 'x' : 0 2\n1 '' : 1 5\nNULL NULL : 3 6\n2 'x' : 4\n");
}

TEST(PartitionRouterTest, EmptyBatchAndSlices) {
  const Schema schema = SchemaOf({Col(1, "a", "bigint")});
  ASSERT_OK_AND_ASSIGN(const auto router,
                       PartitionRouter::Make(schema, *IdentitySpec(schema, {"a"})));
  ASSERT_OK_AND_ASSIGN(const RoutedBatch none, router.Route(*BatchOf(schema, "[]")));
  EXPECT_TRUE(none.partitions.empty());
  ASSERT_OK_AND_ASSIGN(const RoutedBatch sliced,
                       router.Route(*BatchOf(schema, "[[1], [2], [1], [3]]")->Slice(1, 3)));
  EXPECT_EQ(Shown(sliced), "2 : 0\n1 : 1\n3 : 2\n");
}

TEST(PartitionRouterTest, TransformsAgreeWithTheModel) {
  Schema schema = SchemaOf({Col(1, "ts", "timestamp"), Col(2, "d", "date"), Col(3, "s", "string"),
                            Col(4, "n", "bigint"), Col(5, "dec", "decimal(9,2)")});
  const auto batch = BatchOf(schema, R"([
      [-1, -1, "iceberg", -1, "-0.01"], [0, 0, "icy", 0, "10.65"],
      [3599999999, 31, "", 7, null], [86400000000, -365, null, null, "10.60"],
      [-62135596800000000, 20000, "é😀x", -9223372036854775808, "99.99"]])");
  const auto field = [](int32_t source, TransformKind kind, int32_t parameter = 0) {
    return PartitionField{.source_id = source,
                          .field_id = 1000,
                          .name = "p",
                          .transform = kind,
                          .parameter = parameter};
  };
  for (const PartitionField& part :
       {field(1, TransformKind::kYear), field(1, TransformKind::kMonth),
        field(1, TransformKind::kDay), field(1, TransformKind::kHour),
        field(1, TransformKind::kIdentity), field(1, TransformKind::kBucket, 16),
        field(2, TransformKind::kYear), field(2, TransformKind::kMonth),
        field(2, TransformKind::kDay), field(2, TransformKind::kBucket, 4),
        field(3, TransformKind::kTruncate, 2), field(3, TransformKind::kBucket, 8),
        field(4, TransformKind::kTruncate, 10), field(4, TransformKind::kBucket, 8),
        field(5, TransformKind::kIdentity), field(5, TransformKind::kTruncate, 10),
        field(3, TransformKind::kVoid)}) {
    PartitionSpec spec;
    spec.fields = {part};
    ASSERT_OK_AND_ASSIGN(const auto router, PartitionRouter::Make(schema, spec));
    ASSERT_OK_AND_ASSIGN(const RoutedBatch routed, router.Route(*batch));
    const Field& source = *schema.FindById(part.source_id);
    int64_t rows = 0;
    for (size_t p = 0; p < routed.partitions.size(); ++p) {
      for (const int32_t row : routed.RowsOf(p)) {
        ASSERT_OK_AND_ASSIGN(const Value value,
                             ValueAt(*batch->column(part.source_id - 1), row, source.type));
        EXPECT_EQ(routed.partitions[p][0], ApplyTransform(part, source.type, value))
            << TransformToText(part) << " of row " << row;
        ++rows;
      }
    }
    EXPECT_EQ(rows, 5);
  }
}

TEST(PartitionRouterTest, ManyValuesGrowTheTable) {
  const Schema schema = SchemaOf({Col(1, "n", "bigint")});
  arrow::Int64Builder builder;
  for (int64_t i = 0; i < 20'000; ++i) ASSERT_TRUE(builder.Append(i % 5'000 * 1'000'003).ok());
  const auto batch = arrow::RecordBatch::Make(*ToArrow(schema), 20'000, {*builder.Finish()});
  ASSERT_OK_AND_ASSIGN(const auto router,
                       PartitionRouter::Make(schema, *IdentitySpec(schema, {"n"})));
  ASSERT_OK_AND_ASSIGN(const RoutedBatch routed, router.Route(*batch));
  ASSERT_EQ(routed.partitions.size(), 5'000U);
  for (size_t p = 0; p < 5'000; ++p) {
    ASSERT_EQ(routed.partitions[p][0], Value(static_cast<int64_t>(p) * 1'000'003));
    ASSERT_EQ(routed.RowsOf(p).size(), 4U);
  }
}

TEST(PartitionRouterTest, NestedSourceAndMissingSource) {
  const Schema schema = SchemaOf({Col(1, "s", "struct<day: string>")});
  PartitionSpec spec;
  spec.fields = {
      {.source_id = schema.fields[0].type.fields[0].id, .field_id = 1000, .name = "day"}};
  ASSERT_OK_AND_ASSIGN(const auto router, PartitionRouter::Make(schema, spec));
  ASSERT_OK_AND_ASSIGN(const RoutedBatch routed,
                       router.Route(*BatchOf(schema, R"([[["a"]], [null], [[null]]])")));
  EXPECT_EQ(Shown(routed), "'a' : 0\nNULL : 1 2\n");
  spec.fields[0].source_id = 99;
  EXPECT_ERROR(PartitionRouter::Make(schema, spec), ErrorCode::kInvalid);
}

}  // namespace
}  // namespace tarn
