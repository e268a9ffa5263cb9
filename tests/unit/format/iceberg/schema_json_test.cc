#include <gtest/gtest.h>

#include "tarn/format/iceberg/schema_json_internal.h"
#include "tests/support/matchers.h"

namespace tarn::iceberg {
namespace {

Result<Schema> Parse(const std::string& fields) {
  TARN_ASSIGN_OR_RETURN(
      const Json json,
      ParseJson(R"({"type":"struct","schema-id":3,"fields":[)" + fields + "]}", "schema"));
  return SchemaFromJson(json, "the schema");
}

TEST(SchemaJsonTest, EveryTypeComesBack) {
  const std::string fields =
      R"({"id":1,"name":"a","required":true,"type":"long","doc":"the a"},)"
      R"j({"id":2,"name":"b","required":false,"type":"decimal(9, 2)"},)j"
      R"({"id":3,"name":"c","required":false,"type":"fixed[5]"},)"
      R"({"id":4,"name":"s","required":false,"type":{"type":"struct","fields":[)"
      R"({"id":5,"name":"x","required":false,"type":"timestamptz"}]}},)"
      R"({"id":6,"name":"l","required":false,"type":{"type":"list","element-id":7,)"
      R"("element":"string","element-required":true}},)"
      R"({"id":8,"name":"m","required":false,"type":{"type":"map","key-id":9,"key":"int",)"
      R"("value-id":10,"value":"double","value-required":false}})";
  ASSERT_OK_AND_ASSIGN(const Schema schema, Parse(fields));
  EXPECT_EQ(schema.id, 3);
  EXPECT_EQ(schema.last_column_id, 10);
  EXPECT_EQ(schema.FindById(5)->type.kind, TypeKind::kTimestampTz);
  EXPECT_TRUE(schema.FindById(7)->required);
  EXPECT_TRUE(schema.FindById(9)->required) << "keys always are";
  ASSERT_OK_AND_ASSIGN(const Json json, SchemaToJson(schema, 2));
  EXPECT_EQ(json["fields"].dump(), ("[" + fields + "]"));
}

TEST(SchemaJsonTest, DefaultsAreValuesAndSql) {
  ASSERT_OK_AND_ASSIGN(
      const Schema schema,
      Parse(R"({"id":1,"name":"a","required":false,"type":"date","initial-default":"1970-01-02",)"
            R"("write-default":"1970-01-03"})"));
  EXPECT_EQ(schema.fields[0].initial_default, Value(int64_t{1}));
  EXPECT_EQ(schema.fields[0].write_default_sql, "DATE '1970-01-03'");
  EXPECT_ERROR(SchemaToJson(schema, 2), ErrorCode::kUnsupported);
  EXPECT_OK(SchemaToJson(schema, 3));
  EXPECT_ERROR(Parse(R"({"id":1,"name":"a","required":false,"type":"date","initial-default":"x"})"),
               ErrorCode::kCorrupt);
}

TEST(SchemaJsonTest, WhatCannotBe) {
  EXPECT_ERROR(Parse(R"({"name":"a","required":false,"type":"int"})"), ErrorCode::kCorrupt);
  EXPECT_ERROR(Parse(R"({"id":1,"name":"a","required":false})"), ErrorCode::kCorrupt);
  EXPECT_ERROR(Parse(R"({"id":1,"name":"a","required":false,"type":"geometry"})"),
               ErrorCode::kUnsupported);
  EXPECT_ERROR(Parse(R"j({"id":1,"name":"a","required":false,"type":"decimal(50,2)"})j"),
               ErrorCode::kCorrupt);
  std::string deep = "\"int\"";
  for (int i = 0; i < 300; ++i) {
    deep = R"({"type":"list","element-id":1,"element":)" + deep + "}";
  }
  EXPECT_ERROR(Parse(R"({"id":1,"name":"a","required":false,"type":)" + deep + "}"),
               ErrorCode::kCorrupt);
  Schema narrow;
  narrow.fields = {{.id = 1, .name = "a", .type = Type::Of(TypeKind::kInt16)}};
  EXPECT_ERROR(SchemaToJson(narrow, 2), ErrorCode::kUnsupported);
}

TEST(SchemaJsonTest, NamesOfFilesWithoutIds) {
  ASSERT_OK_AND_ASSIGN(Schema schema,
                       Parse(R"({"id":1,"name":"a","required":false,"type":"int"},)"
                             R"({"id":2,"name":"b","required":false,"type":"int"})"));
  std::vector<Schema> mapped = {schema};
  const std::string mapping = R"([{"field-id":1,"names":["a","old_a"]}])";
  ASSERT_OK(ApplyNameMapping(&mapping, mapped));
  EXPECT_EQ(mapped[0].fields[0].aliases, (std::vector<std::string>{"a", "old_a"}));
  EXPECT_TRUE(mapped[0].fields[1].aliases.empty()) << "the mapping does not have it";
  std::vector<Schema> plain = {schema};
  ASSERT_OK(ApplyNameMapping(nullptr, plain));
  EXPECT_EQ(plain[0].fields[1].aliases, std::vector<std::string>{"b"});
  const std::string bad = "{}";
  EXPECT_ERROR(ApplyNameMapping(&bad, plain), ErrorCode::kCorrupt);
}

TEST(SchemaJsonTest, AMappingOfOtherIdsIsNoMapping) {
  ASSERT_OK_AND_ASSIGN(
      Schema schema,
      Parse(R"({"id":1,"name":"s","required":false,"type":{"type":"struct","fields":[)"
            R"({"id":3,"name":"x","required":false,"type":"int"}]}},)"
            R"({"id":2,"name":"b","required":false,"type":"int"})"));
  std::vector<Schema> schemas = {schema};
  // Counted depth first: 2 is s.x there.
  const std::string mapping =
      R"([{"field-id":1,"names":["s"],"fields":[{"field-id":2,"names":["x"]}]},)"
      R"({"field-id":3,"names":["b"]}])";
  ASSERT_OK(ApplyNameMapping(&mapping, schemas));
  EXPECT_EQ(schemas[0].FindById(3)->aliases, std::vector<std::string>{"x"});
  EXPECT_EQ(schemas[0].FindById(2)->aliases, std::vector<std::string>{"b"});
}

}  // namespace
}  // namespace tarn::iceberg
