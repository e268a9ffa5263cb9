#include "tarn/format/iceberg/equality_keys.h"

#include <gtest/gtest.h>

#include <cmath>

#include <arrow/api.h>

#include "tests/support/matchers.h"

namespace tarn::iceberg {
namespace {

std::string KeyOf(const RowKeys& keys, int64_t row) {
  std::string key;
  keys.Append(row, key);
  return key;
}

TEST(EqualityKeysTest, EqualRowsHaveEqualKeys) {
  arrow::DoubleBuilder doubles;
  ASSERT_TRUE(doubles.AppendValues({0.0, -0.0, std::nan("1"), -std::nan("2"), 1.0}).ok());
  ASSERT_TRUE(doubles.AppendNull().ok());
  ASSERT_OK_AND_ASSIGN(const RowKeys keys, RowKeys::Make({*doubles.Finish()}));
  EXPECT_EQ(KeyOf(keys, 0), KeyOf(keys, 1));
  EXPECT_EQ(KeyOf(keys, 2), KeyOf(keys, 3));
  EXPECT_NE(KeyOf(keys, 0), KeyOf(keys, 4));
  EXPECT_NE(KeyOf(keys, 0), KeyOf(keys, 5)) << "NULL is no number";
  EXPECT_EQ(KeyOf(keys, 5), KeyOf(keys, 5));
}

TEST(EqualityKeysTest, ColumnsDoNotRunIntoEachOther) {
  arrow::StringBuilder first, second;
  ASSERT_TRUE(first.AppendValues({"ab", "a"}).ok());
  ASSERT_TRUE(second.AppendValues({"c", "bc"}).ok());
  ASSERT_OK_AND_ASSIGN(const RowKeys keys, RowKeys::Make({*first.Finish(), *second.Finish()}));
  EXPECT_NE(KeyOf(keys, 0), KeyOf(keys, 1));
}

TEST(EqualityKeysTest, NestedColumnsAreNotCompared) {
  arrow::ListBuilder list(arrow::default_memory_pool(), std::make_shared<arrow::Int32Builder>());
  EXPECT_ERROR(RowKeys::Make({*list.Finish()}), ErrorCode::kUnsupported);
}

TEST(EqualityKeysTest, AMemberOfAStruct) {
  Schema schema;
  schema.fields = {
      {.id = 1, .name = "a", .type = Type::Of(TypeKind::kInt32)},
      {.id = 2,
       .name = "s",
       .type = Type::Struct({{.id = 3, .name = "x", .type = Type::Of(TypeKind::kInt32)},
                             {.id = 4, .name = "y", .type = Type::Of(TypeKind::kInt32)}})}};
  ASSERT_OK_AND_ASSIGN(const Schema columns, ColumnsHolding(schema, {4, 1}));
  ASSERT_EQ(columns.fields.size(), 2U);
  EXPECT_EQ(columns.fields[0].type.fields.size(), 1U);
  EXPECT_ERROR(ColumnsHolding(schema, {9}), ErrorCode::kCorrupt);

  arrow::Int32Builder y, a;
  ASSERT_TRUE(y.AppendValues({7, 8}).ok());
  ASSERT_TRUE(a.AppendValues({1, 2}).ok());
  const auto record = *arrow::StructArray::Make({*y.Finish()}, {arrow::field("y", arrow::int32())},
                                                *arrow::AllocateEmptyBitmap(2), 2);
  const auto batch = arrow::RecordBatch::Make(
      arrow::schema({arrow::field("s", record->type()), arrow::field("a", arrow::int32())}), 2,
      {record, *a.Finish()});
  ASSERT_OK_AND_ASSIGN(const auto fields, FieldsOf(*batch, columns, {4, 1}));
  EXPECT_EQ(fields[0]->type_id(), arrow::Type::INT32);
  EXPECT_TRUE(fields[0]->IsNull(0)) << "of a struct that is NULL";
}

}  // namespace
}  // namespace tarn::iceberg
