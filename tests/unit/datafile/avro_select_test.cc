#include "tarn/datafile/avro_select_internal.h"

#include <gtest/gtest.h>

#include "tests/support/arrow_rows.h"
#include "tests/support/matchers.h"

namespace tarn {
namespace {

using testing::Col;

// The projection of a file of these fields to a table's columns.
std::string Selected(const std::string& fields, std::vector<Field> wanted,
                     ColumnMatch match = ColumnMatch::kByName) {
  FileReadOptions options;
  options.schema.fields = std::move(wanted);
  options.match = match;
  const auto schema = *ParseAvroSchema(R"({"type":"record","name":"r","fields":[)" + fields + "]}");
  const auto selected = SelectAvro(schema, options);
  return selected.ok()
             ? AvroSchemaToJson(**selected)
             : std::string(ErrorCodeName(selected.error().code)) + ": " + selected.error().message;
}

std::string RecordOf(const std::string& fields) {
  return R"({"type":"record","name":"r","fields":[)" + fields + "]}";
}

const char* const kAB = R"({"name":"a","type":"int","field-id":1},)"
                        R"({"name":"B","type":["null","string"],"default":null,"field-id":2})";

TEST(AvroSelectTest, ByNameThenIgnoringCase) {
  EXPECT_EQ(Selected(kAB, {Col(0, "b", "string"), Col(0, "x", "int")}),
            RecordOf(R"({"name":"B","type":["null","string"],"default":null,"field-id":2})"));
  EXPECT_EQ(
      Selected(R"({"name":"a","type":"int"},{"name":"A","type":"int"})", {Col(0, "A", "int")}),
      RecordOf(R"({"name":"A","type":"int"})"));
  EXPECT_EQ(
      Selected(R"({"name":"ab","type":"int"},{"name":"AB","type":"int"})", {Col(0, "aB", "int")}),
      "invalid: column 'aB' is ambiguous: 'ab' or 'AB'; rename one");
  EXPECT_EQ(Selected(R"({"name":"a_x20b","type":"int","iceberg-field-name":"a b"})",
                     {Col(0, "a b", "int")}),
            RecordOf(R"({"name":"a_x20b","type":"int","iceberg-field-name":"a b"})"));
}

TEST(AvroSelectTest, ById) {
  EXPECT_EQ(Selected(kAB, {Col(2, "renamed", "string"), Col(9, "a", "int")}, ColumnMatch::kById),
            RecordOf(R"({"name":"B","type":["null","string"],"default":null,"field-id":2})"));
  // Iceberg's manifests have a field of id 0: that is none, so it is found by name.
  EXPECT_EQ(Selected(R"({"name":"status","type":"int","field-id":0},)" + std::string(kAB),
                     {Col(0, "status", "int")}, ColumnMatch::kById),
            RecordOf(R"({"name":"status","type":"int","field-id":0})"));
  EXPECT_EQ(Selected(R"({"name":"a","type":"int"})", {Col(1, "a", "int")}, ColumnMatch::kById),
            "corrupt: the table finds columns by field id, but the file has none");
}

TEST(AvroSelectTest, NestedFieldsOnly) {
  const std::string file =
      R"({"name":"s","type":["null",{"type":"record","name":"n","fields":[)"
      R"({"name":"x","type":"int"},{"name":"y","type":{"type":"array","items":"n2"}}]}]})";
  const std::string with_n2 = R"({"name":"first","type":{"type":"record","name":"n2","fields":[)"
                              R"({"name":"p","type":"int"},{"name":"q","type":"int"}]}},)" +
                              file;
  EXPECT_EQ(Selected(with_n2, {Col(0, "s", "struct<y: array<struct<q: int>>>")}),
            RecordOf(R"({"name":"s","type":["null",{"type":"record","name":"n","fields":[)"
                     R"({"name":"y","type":{"type":"array","items":{"type":"record","name":"n2",)"
                     R"("fields":[{"name":"q","type":"int"}]}}}]}]})"));
}

TEST(AvroSelectTest, PairsBecomeMapsWhereAMapIsWanted) {
  const std::string pairs =
      R"({"name":"m","type":{"type":"array","items":{"type":"record","name":"k_v","fields":[)"
      R"({"name":"key","type":"int"},{"name":"value","type":"long"}]}}})";
  FileReadOptions options;
  options.schema.fields = {Col(0, "m", "map<int, bigint>")};
  const auto as_map = SelectAvro(*ParseAvroSchema(RecordOf(pairs)), options);
  ASSERT_OK(as_map);
  EXPECT_EQ((*as_map)->fields[0].type->logical, AvroLogical::kMap);
  options.schema.fields = {Col(0, "m", "array<struct<key: int, value: bigint>>")};
  const auto as_list = SelectAvro(*ParseAvroSchema(RecordOf(pairs)), options);
  ASSERT_OK(as_list);
  EXPECT_EQ((*as_list)->fields[0].type->logical, AvroLogical::kNone);
}

TEST(AvroSelectTest, NumbersTakeTheWantedMeaning) {
  const auto logical = [](const std::string& type, const std::string& wanted) {
    FileReadOptions options;
    options.schema.fields = {Col(0, "f", wanted)};
    return (*SelectAvro(*ParseAvroSchema(RecordOf(R"({"name":"f","type":)" + type + "}")), options))
        ->fields[0]
        .type->logical;
  };
  EXPECT_EQ(logical("\"int\"", "date"), AvroLogical::kDate);
  EXPECT_EQ(logical(R"({"type":"int","logicalType":"date"})", "int"), AvroLogical::kNone);
  EXPECT_EQ(logical("\"long\"", "timestamp"), AvroLogical::kTimestampMicros);
  EXPECT_EQ(logical("\"long\"", "timestamp_ntz"), AvroLogical::kLocalTimestampMicros);
  EXPECT_EQ(logical(R"({"type":"long","logicalType":"timestamp-millis"})", "timestamp"),
            AvroLogical::kTimestampMillis);
}

}  // namespace
}  // namespace tarn
