#include "tarn/ingest/given_schema.h"

#include <gtest/gtest.h>

#include "tests/unit/ingest/ingest_fixture.h"

namespace tarn {
namespace {

TEST(JsonSchemaTest, BecomesColumns) {
  const Result<Schema> schema = SchemaFromJsonSchema(R"({
    "type": "object", "required": ["id", "maybe"],
    "properties": {
      "id": {"type": "integer"},
      "maybe": {"type": ["string", "null"]},
      "price": {"type": "number", "multipleOf": 0.01, "maximum": 99999.99},
      "rate": {"type": "number"},
      "at": {"type": "string", "format": "date-time"},
      "tags": {"type": "array", "items": {"type": "string"}},
      "o": {"type": "object", "properties": {"x": {"type": "boolean"}}},
      "m": {"type": "object", "additionalProperties": {"type": "integer"}}}})");
  ASSERT_OK(schema);
  EXPECT_EQ(
      SchemaToDdl(*schema),
      "id: int64 not null, maybe: string, price: decimal(7,2), rate: double, at: timestamp, tags: "
      "list<string>, o: struct<x: boolean>, m: map<string, int64>");
  EXPECT_ERROR(SchemaFromJsonSchema("{}"), ErrorCode::kInvalid);
  EXPECT_ERROR(SchemaFromJsonSchema("{\"properties\":{\"a\":{\"$ref\":\"x\"}}}"),
               ErrorCode::kUnsupported);
  EXPECT_ERROR(SchemaFromJsonSchema("{\"properties\":{\"a\":{\"type\":\"thing\"}}}"),
               ErrorCode::kInvalid);
}

class GivenSchemaTest : public testing::IngestFixture {
 protected:
  std::unique_ptr<Storage> local = *MakeLocalStorage("/", CreateRoot::kNo);
};

TEST_F(GivenSchemaTest, TextOrFile) {
  EXPECT_EQ(SchemaToDdl(*ReadGivenSchema(*local, stand.file_formats, "a int")), "a: int32");
  const std::string json = Put("s.json", "\n{\"properties\":{\"b\":{\"type\":\"integer\"}}}");
  EXPECT_EQ(SchemaToDdl(*ReadGivenSchema(*local, stand.file_formats, json)), "b: int64");
  const std::string ddl = Put("s.sql", "c string");
  EXPECT_EQ(SchemaToDdl(*ReadGivenSchema(*local, stand.file_formats, ddl)), "c: string");
  EXPECT_ERROR(ReadGivenSchema(*local, stand.file_formats, "none.json"), ErrorCode::kNotFound);
  EXPECT_ERROR(ReadGivenSchema(*local, stand.file_formats, "a nonsense"), ErrorCode::kInvalid);
}

}  // namespace
}  // namespace tarn
