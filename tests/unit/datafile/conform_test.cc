#include <gtest/gtest.h>

#include <arrow/api.h>
#include <arrow/json/from_string.h>

#include "tarn/datafile/arrow_schema.h"
#include "tarn/datafile/conform_internal.h"
#include "tests/support/arrow_rows.h"
#include "tests/support/matchers.h"

namespace tarn {
namespace {

using testing::Col;
using testing::SchemaOf;

std::shared_ptr<arrow::RecordBatch> One(const std::string& name,
                                        const std::shared_ptr<arrow::DataType>& type,
                                        const std::string& json) {
  const auto array = arrow::json::ArrayFromJSONString(type, json);
  if (!array.ok()) throw std::runtime_error(array.status().ToString());
  return arrow::RecordBatch::Make(arrow::schema({arrow::field(name, type)}), (*array)->length(),
                                  {*array});
}

std::string ShownBatch(const Result<std::shared_ptr<arrow::RecordBatch>>& batch) {
  if (!batch.ok()) return batch.error().message;
  std::string text;
  for (int64_t i = 0; i < (*batch)->num_rows(); ++i) {
    const auto scalar = (*batch)->column(0)->GetScalar(i);
    text += (i > 0 ? "," : "") + (*scalar)->ToString();
  }
  return text;
}

TEST(ConformTest, WidensAndNeverLoses) {
  EXPECT_EQ(ShownBatch(
                Conform(*One("c", arrow::int32(), "[1, null]"), SchemaOf({Col(1, "c", "bigint")}))),
            "1,null");
  EXPECT_EQ(
      ShownBatch(Conform(*One("c", arrow::float32(), "[1.5]"), SchemaOf({Col(1, "c", "double")}))),
      "1.5");
  EXPECT_EQ(ShownBatch(Conform(*One("c", arrow::int32(), "[7]"),
                               SchemaOf({Col(1, "c", "decimal(12,2)")}))),
            "7.00");
  EXPECT_EQ(ShownBatch(Conform(*One("c", arrow::date32(), "[1]"),
                               SchemaOf({Col(1, "c", "timestamp_ntz")}))),
            "1970-01-02 00:00:00.000000");
  EXPECT_EQ(ShownBatch(Conform(*One("c", arrow::int64(), "[1]"), SchemaOf({Col(1, "c", "int")}))),
            "column 'c': expected int32, got int64");
  EXPECT_EQ(
      ShownBatch(Conform(*One("c", arrow::utf8(), R"(["1"])"), SchemaOf({Col(1, "c", "int")}))),
      "column 'c': expected int32, got string");
  EXPECT_EQ(ShownBatch(Conform(*One("c", arrow::timestamp(arrow::TimeUnit::NANO), "[1500]"),
                               SchemaOf({Col(1, "c", "timestamp_ntz")})))
                .substr(0, 12),
            "column 'c': ");
  EXPECT_EQ(ShownBatch(Conform(*One("c", arrow::timestamp(arrow::TimeUnit::NANO), "[2000]"),
                               SchemaOf({Col(1, "c", "timestamp_ntz")}))),
            "1970-01-01 00:00:00.000002");
  // A zone is a label; an instant without one is not an instant.
  EXPECT_EQ(
      ShownBatch(Conform(*One("c", arrow::timestamp(arrow::TimeUnit::SECOND, "Asia/Tokyo"), "[1]"),
                         SchemaOf({Col(1, "c", "timestamp")}))),
      "1970-01-01 00:00:01.000000Z");
  EXPECT_FALSE(Conform(*One("c", arrow::timestamp(arrow::TimeUnit::MICRO), "[1]"),
                       SchemaOf({Col(1, "c", "timestamp")}))
                   .ok());
}

TEST(ConformTest, TakesOtherLayouts) {
  const Schema text = SchemaOf({Col(1, "c", "string")});
  EXPECT_EQ(ShownBatch(Conform(*One("c", arrow::large_utf8(), R"(["a", null])"), text)), "a,null");
  EXPECT_EQ(ShownBatch(Conform(*One("c", arrow::utf8_view(), R"(["a", null])"), text)), "a,null");
  EXPECT_EQ(ShownBatch(Conform(*One("c", arrow::null(), "[null]"), text)), "null");
  const auto dictionary = arrow::dictionary(arrow::int8(), arrow::utf8());
  EXPECT_EQ(ShownBatch(Conform(*One("c", dictionary, R"(["a", "b", "a"])"), text)), "a,b,a");
  EXPECT_EQ(ShownBatch(Conform(*One("c", arrow::large_list(arrow::int8()), "[[1, null], null]"),
                               SchemaOf({Col(1, "c", "array<int>")}))),
            "list<element: int32>[1, null],null");
  EXPECT_EQ(ShownBatch(Conform(*One("c", arrow::uint64(), "[18446744073709551615]"),
                               SchemaOf({Col(1, "c", "decimal(20,0)")}))),
            "18446744073709551615");
}

TEST(ConformTest, MatchesColumnsByNameIgnoringCaseAndFillsMissing) {
  const Schema schema = SchemaOf({Col(1, "Status", "string"), Col(2, "n", "int")});
  ASSERT_OK_AND_ASSIGN(const auto batch,
                       Conform(*One("STATUS", arrow::utf8(), R"(["a"])"), schema));
  EXPECT_EQ(batch->schema()->field(0)->name(), "Status");
  EXPECT_EQ(batch->column(1)->null_count(), 1);
  const auto twice = arrow::RecordBatch::Make(
      arrow::schema({arrow::field("STATUS", arrow::utf8()), arrow::field("status", arrow::utf8())}),
      0, {*arrow::MakeEmptyArray(arrow::utf8()), *arrow::MakeEmptyArray(arrow::utf8())});
  EXPECT_ERROR(Conform(*twice, schema), ErrorCode::kInvalid);
}

TEST(ConformTest, StructsChildByChildEvenSliced) {
  const auto type =
      arrow::struct_({arrow::field("B", arrow::int32()), arrow::field("x", arrow::utf8())});
  const auto batch =
      One("c", type, R"([{"B": 1, "x": "p"}, null, {"B": null, "x": "q"}, {"B": 4, "x": "r"}])");
  const Schema schema = SchemaOf({Col(1, "c", "struct<a: string, b: bigint>")});
  ASSERT_OK_AND_ASSIGN(const auto whole, Conform(*batch, schema));
  EXPECT_TRUE(whole->ValidateFull().ok());
  ASSERT_OK_AND_ASSIGN(const auto sliced, Conform(*batch->Slice(1, 3), schema));
  EXPECT_TRUE(sliced->ValidateFull().ok());
  const auto expected = *arrow::json::ArrayFromJSONString(
      sliced->column(0)->type(), R"([null, {"a": null, "b": null}, {"a": null, "b": 4}])");
  EXPECT_TRUE(sliced->column(0)->Equals(expected)) << sliced->column(0)->ToString();
}

TEST(ConformTest, MapsAndListsOfStructsSliced) {
  const auto list = arrow::list(arrow::struct_({arrow::field("v", arrow::int16())}));
  const auto batch = One("c", list, R"([[{"v": 1}], [], null, [{"v": 2}, {"v": null}]])");
  ASSERT_OK_AND_ASSIGN(const auto got,
                       Conform(*batch->Slice(2), SchemaOf({Col(1, "c", "array<struct<v: int>>")})));
  EXPECT_TRUE(got->ValidateFull().ok());
  EXPECT_EQ(got->column(0)->ToString(),
            (*arrow::json::ArrayFromJSONString(got->column(0)->type(),
                                               R"([null, [{"v": 2}, {"v": null}]])"))
                ->ToString());
  const auto map = arrow::map(arrow::large_utf8(), arrow::int32());
  ASSERT_OK_AND_ASSIGN(const auto maps, Conform(*One("c", map, R"([[["k", 1]], null])"),
                                                SchemaOf({Col(1, "c", "map<string, bigint>")})));
  EXPECT_TRUE(maps->ValidateFull().ok());
}

TEST(ConformTest, FileNamesAndVoidColumnsOfFiles) {
  Schema schema = SchemaOf({Col(1, "a", "int"), Col(2, "s", "struct<x: int, y: string>")});
  schema.fields[0].source_name = "col-1";
  schema.fields[1].type.fields[0].source_name = "col-x";
  schema.fields[1].type.fields.push_back({9, "none", Type::Of(TypeKind::kVoid)});
  schema.fields.push_back({10, "void", Type::Of(TypeKind::kVoid)});
  ASSERT_OK_AND_ASSIGN(const auto file_schema, ToFileSchema(schema));
  EXPECT_EQ(file_schema->num_fields(), 2);
  EXPECT_EQ(file_schema->field(0)->name(), "col-1");
  EXPECT_EQ(file_schema->field(1)->type()->field(0)->name(), "col-x");
  EXPECT_EQ(file_schema->field(1)->type()->num_fields(), 2);
  const auto batch = testing::BatchOf(schema, R"([[1, [2, "y", null], null]])");
  ASSERT_OK_AND_ASSIGN(const auto file_batch, ToFileBatch(*batch, schema, file_schema));
  EXPECT_TRUE(file_batch->ValidateFull().ok());
  EXPECT_TRUE(file_batch->schema()->Equals(*file_schema));

  schema.fields.push_back({11, "v", Type::Of(TypeKind::kVariant)});
  EXPECT_ERROR(ToFileSchema(schema), ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace tarn
