#include "tarn/datafile/arrow_schema.h"

#include <gtest/gtest.h>

#include <arrow/api.h>
#include <arrow/json/from_string.h>

#include "tests/support/arrow_rows.h"
#include "tests/support/matchers.h"

namespace tarn {
namespace {

using testing::Col;
using testing::SchemaOf;

Schema Everything() {
  Schema schema =
      SchemaOf({Col(0, "b", "boolean", true), Col(0, "i8", "tinyint"), Col(0, "i16", "smallint"),
                Col(0, "i32", "int"), Col(0, "i64", "bigint"), Col(0, "f", "float"),
                Col(0, "d", "double"), Col(0, "dec", "decimal(38,10)"), Col(0, "date", "date"),
                Col(0, "ts", "timestamp"), Col(0, "ntz", "timestamp_ntz"), Col(0, "s", "string"),
                Col(0, "bin", "binary"), Col(0, "st", "struct<a: int not null, b: array<string>>"),
                Col(0, "m", "map<string, struct<x: double>>")});
  schema.fields.push_back({0, "t", Type::Of(TypeKind::kTime)});
  schema.fields.push_back({0, "u", Type::Of(TypeKind::kUuid)});
  schema.fields.push_back({0, "fx", Type::Fixed(3)});
  schema.fields.push_back({0, "ns", Type::Of(TypeKind::kTimestampNs)});
  schema.fields.push_back({0, "nstz", Type::Of(TypeKind::kTimestampTzNs)});
  schema.fields.push_back({0, "nothing", Type::Of(TypeKind::kVoid)});
  return AssignFreshIds(schema);
}

TEST(ArrowSchemaTest, EveryTypeComesBackWithIdsAtEveryDepth) {
  const Schema schema = Everything();
  ASSERT_OK_AND_ASSIGN(const auto arrow_schema, ToArrow(schema));
  ASSERT_OK_AND_ASSIGN(const Schema back, FromArrow(*arrow_schema));
  ASSERT_EQ(back.fields.size(), schema.fields.size());
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    EXPECT_EQ(back.fields[i], schema.fields[i]) << schema.fields[i].name;
  }
  EXPECT_EQ(back.last_column_id, schema.last_column_id);
}

TEST(ArrowSchemaTest, OtherLayoutsBecomeTheTypeThatHoldsThem) {
  const auto type_of = [](const std::shared_ptr<arrow::DataType>& type) {
    const auto schema = FromArrow(*arrow::schema({arrow::field("c", type)}));
    return schema.ok() ? TypeToText(schema->fields[0].type) : schema.error().message;
  };
  EXPECT_EQ(type_of(arrow::uint8()), TypeToText(Type::Of(TypeKind::kInt16)));
  EXPECT_EQ(type_of(arrow::uint32()), TypeToText(Type::Of(TypeKind::kInt64)));
  EXPECT_EQ(type_of(arrow::uint64()), TypeToText(Type::Decimal(20, 0)));
  EXPECT_EQ(type_of(arrow::large_utf8()), "string");
  EXPECT_EQ(type_of(arrow::utf8_view()), "string");
  EXPECT_EQ(type_of(arrow::dictionary(arrow::int8(), arrow::utf8())), "string");
  EXPECT_EQ(type_of(arrow::timestamp(arrow::TimeUnit::SECOND, "Europe/Paris")),
            TypeToText(Type::Of(TypeKind::kTimestampTz)));
  EXPECT_EQ(type_of(arrow::date64()), "date");
  EXPECT_EQ(type_of(arrow::large_list(arrow::int32())),
            TypeToText(Type::List({0, "element", Type::Of(TypeKind::kInt32)})));
  EXPECT_EQ(type_of(arrow::duration(arrow::TimeUnit::MICRO)),
            "column 'c': Arrow type duration[us] has no counterpart in a table");
  EXPECT_EQ(type_of(arrow::decimal256(60, 2)),
            "column 'c': Arrow type decimal256(60, 2) has no counterpart in a table");
}

TEST(ArrowSchemaTest, ValuesGoThroughRepeatAndValueAt) {
  const std::vector<std::pair<Type, Value>> cases = {
      {Type::Of(TypeKind::kBoolean), Value(true)},
      {Type::Of(TypeKind::kInt8), Value(int64_t{-128})},
      {Type::Of(TypeKind::kInt64), Value(INT64_MIN)},
      {Type::Of(TypeKind::kFloat), Value(double{1.5F})},
      {Type::Of(TypeKind::kDouble), Value(-0.0)},
      {Type::Decimal(38, 2), Value(-(Int128{1} << 100))},
      {Type::Of(TypeKind::kDate), Value(int64_t{-1})},
      {Type::Of(TypeKind::kTime), Value(int64_t{86'399'999'999})},
      {Type::Of(TypeKind::kTimestampTz), Value(int64_t{-62'135'596'800'000'000})},
      {Type::Of(TypeKind::kTimestampNs), Value(int64_t{1})},
      {Type::Of(TypeKind::kString), Value(std::string("é"))},
      {Type::Of(TypeKind::kString), Value(std::string())},
      {Type::Of(TypeKind::kBinary), Value(std::string("\0\xFF", 2))},
      {Type::Fixed(2), Value(std::string("ab"))},
      {Type::Of(TypeKind::kUuid), Value(std::string(16, 'u'))},
      {Type::List({0, "element", Type::Of(TypeKind::kInt32)}), Value()},
  };
  for (const auto& [type, value] : cases) {
    ASSERT_OK_AND_ASSIGN(const auto array, Repeat(type, value, 3));
    EXPECT_EQ(array->length(), 3);
    ASSERT_OK_AND_ASSIGN(const Value back, ValueAt(*array, 2, type));
    EXPECT_EQ(back, value) << TypeToText(type);
    ASSERT_OK_AND_ASSIGN(const auto none, Repeat(type, Value(), 2));
    EXPECT_EQ(none->null_count(), 2) << TypeToText(type);
  }
  EXPECT_ERROR(Repeat(Type::Of(TypeKind::kInt32), Value(std::string("x")), 1), ErrorCode::kInvalid);
}

TEST(ArrowSchemaTest, BatchBytesCountsTheSlice) {
  const Schema schema = SchemaOf({Col(1, "n", "bigint"), Col(2, "s", "string")});
  const auto batch = testing::BatchOf(schema, R"([[1, "abc"], [2, ""], [3, "defgh"]])");
  EXPECT_EQ(BatchBytes(*batch), 3 * 8 + 8 + 3 * 4);
  EXPECT_EQ(BatchBytes(*batch->Slice(1, 2)), 2 * 8 + 5 + 2 * 4);
  EXPECT_EQ(BatchBytes(*batch->Slice(3)), 0);
}

TEST(ArrowSchemaTest, ValueAtReadsOtherLayouts) {
  const auto dates = *arrow::json::ArrayFromJSONString(arrow::date64(), "[86400000]");
  EXPECT_EQ(*ValueAt(*dates, 0, Type::Of(TypeKind::kDate)), Value(int64_t{1}));
  const auto seconds =
      *arrow::json::ArrayFromJSONString(arrow::timestamp(arrow::TimeUnit::SECOND), "[2]");
  EXPECT_EQ(*ValueAt(*seconds, 0, Type::Of(TypeKind::kTimestamp)), Value(int64_t{2'000'000}));
}

}  // namespace
}  // namespace tarn
