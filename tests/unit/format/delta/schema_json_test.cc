#include "tarn/format/delta/schema_json.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/matchers.h"

namespace tarn::delta {
namespace {

std::string FieldJson(const std::string& name, const std::string& type,
                      const std::string& metadata = "{}", bool nullable = true) {
  return R"({"name":")" + name + R"(","type":)" + type + R"(,"nullable":)" +
         (nullable ? "true" : "false") + R"(,"metadata":)" + metadata + "}";
}
std::string StructJson(const std::string& fields) {
  return R"({"type":"struct","fields":[)" + fields + "]}";
}
Result<Schema> Read(const std::string& fields, ColumnMapping mode = ColumnMapping::kNone,
                    const std::map<std::string, std::string>& configuration = {}) {
  return SchemaFromJson(StructJson(fields), configuration, mode);
}

TEST(SchemaJson, EveryType) {
  ASSERT_OK_AND_ASSIGN(
      const Schema schema,
      Read(FieldJson("a", R"("string")") + "," + FieldJson("b", R"("long")", "{}", false) + "," +
           FieldJson("c", R"x("decimal(10, 2)")x") + "," + FieldJson("d", R"("timestamp_ntz")") +
           "," +
           FieldJson("e", R"({"type":"array","elementType":"integer","containsNull":false})") +
           "," +
           FieldJson("f", R"({"type":"map","keyType":"string","valueType":)" +
                              StructJson(FieldJson("x", R"("date")")) +
                              R"(,"valueContainsNull":true})") +
           "," + FieldJson("g", R"("void")") + "," + FieldJson("h", R"({"type":"variant"})")));
  EXPECT_EQ(TypeToText(Type::Struct(schema.fields)),
            "struct<a: string, b: int64 not null, c: decimal(10,2), d: timestamp_ntz, "
            "e: list<int32 not null>, f: map<string, struct<x: date>>, g: void, h: variant>");
  EXPECT_OK(ValidateSchema(schema));
  EXPECT_EQ(schema.FindByPath("b")->id, 2);
  EXPECT_EQ(schema.FindByPath("e.element")->id, 9) << "parents before children";
  EXPECT_EQ(schema.last_column_id, 12);
}

TEST(SchemaJson, RoundTripKeepsWhatItDoesNotKnow) {
  const std::string json = StructJson(FieldJson(
      "a", R"("integer")",
      R"({"comment":"why","CURRENT_DEFAULT":"1 + 1","delta.generationExpression":"b * 2",)"
      R"("odd":{"deep":[1,2,null]}})"));
  ASSERT_OK_AND_ASSIGN(const Schema schema, SchemaFromJson(json, {}, ColumnMapping::kNone));
  EXPECT_EQ(schema.fields[0].doc, "why");
  EXPECT_EQ(schema.fields[0].write_default_sql, "1 + 1");
  EXPECT_EQ(schema.fields[0].annotations.at("odd"), R"({"deep":[1,2,null]})");
  ASSERT_OK_AND_ASSIGN(const std::string written, SchemaToJson(schema, ColumnMapping::kNone));
  ASSERT_OK_AND_ASSIGN(const Schema again, SchemaFromJson(written, {}, ColumnMapping::kNone));
  EXPECT_EQ(schema, again);
}

TEST(SchemaJson, ColumnMappingAtEveryDepth) {
  const auto mapping = [](int id, const std::string& name, const std::string& more = "") {
    return R"({"delta.columnMapping.id":)" + std::to_string(id) +
           R"(,"delta.columnMapping.physicalName":")" + name + "\"" + more + "}";
  };
  const std::string fields =
      FieldJson("s", StructJson(FieldJson("x", R"("long")", mapping(7, "col-x"))),
                mapping(3, "col-s")) +
      "," +
      FieldJson("l", R"({"type":"array","elementType":"long","containsNull":true})",
                mapping(4, "col-l", R"(,"delta.columnMapping.nested.ids":{"col-l.element":100})"));
  ASSERT_OK_AND_ASSIGN(const Schema schema, Read(fields, ColumnMapping::kName,
                                                 {{std::string(kMaxColumnIdProperty), "120"}}));
  EXPECT_EQ(schema.FindByPath("s")->id, 3);
  EXPECT_EQ(schema.FindByPath("s")->file_name(), "col-s");
  EXPECT_EQ(schema.FindByPath("s.x")->id, 7);
  EXPECT_EQ(schema.FindByPath("s.x")->file_name(), "col-x");
  EXPECT_EQ(schema.FindByPath("l.element")->id, 100);
  EXPECT_EQ(schema.last_column_id, 120) << "never below the highest ever used";

  ASSERT_OK_AND_ASSIGN(const std::string written,
                       SchemaToJson(schema, ColumnMapping::kName, NestedIds::kYes));
  EXPECT_NE(written.find(R"("col-l.element":100)"), std::string::npos);
  ASSERT_OK_AND_ASSIGN(Schema again, SchemaFromJson(written, {}, ColumnMapping::kName));
  again.last_column_id = schema.last_column_id;
  EXPECT_EQ(schema, again);

  ASSERT_OK_AND_ASSIGN(const Schema unmapped, Read(fields, ColumnMapping::kNone));
  EXPECT_EQ(unmapped.FindByPath("s")->file_name(), "s") << "stale metadata does not count";
}

TEST(SchemaJson, AnIdUsedTwiceIsRefused) {
  const std::string twice = R"({"delta.columnMapping.id":1})";
  EXPECT_ERROR(Read(FieldJson("a", R"("long")", twice) + "," + FieldJson("b", R"("long")", twice),
                    ColumnMapping::kId),
               ErrorCode::kCorrupt);
}

TEST(SchemaJson, IdsOfOurPropertyAndThoseItLacks) {
  // Another writer added b between the columns we know.
  const std::string fields = FieldJson("a", R"("long")") + "," + FieldJson("b", R"("long")") + "," +
                             FieldJson("c", StructJson(FieldJson("x.y", R"("long")")));
  ASSERT_OK_AND_ASSIGN(const Schema schema,
                       Read(fields, ColumnMapping::kNone,
                            {{std::string(kSchemaIdsProperty),
                              R"({"last":9,"ids":{"a":1,"c":4,"c.`x.y`":5,"dropped":8}})"}}));
  EXPECT_EQ(schema.fields[0].id, 1);
  EXPECT_EQ(schema.fields[1].id, 10) << "above the highest ever used";
  EXPECT_EQ(schema.fields[2].id, 4);
  EXPECT_EQ(schema.fields[2].type.fields[0].id, 5);

  ASSERT_OK_AND_ASSIGN(const SchemaIds ids, SchemaIdsFromProperty(SchemaIdsToProperty(schema)));
  EXPECT_EQ(ids.last, 10);
  EXPECT_EQ(ids.by_path.at("c.`x.y`"), 5);
  EXPECT_EQ(PhysicalPaths(schema).at(5), "c.`x.y`");
  EXPECT_ERROR(SchemaIdsFromProperty("[]"), ErrorCode::kCorrupt);
  EXPECT_ERROR(SchemaIdsFromProperty("{}"), ErrorCode::kCorrupt);
}

TEST(SchemaJson, ParquetFieldIdsOfDeltaRs) {
  const std::string fields = FieldJson("a", R"("long")", R"({"parquet.field.id":5})") + "," +
                             FieldJson("b", R"("long")", R"({"parquet.field.id":"6"})") + "," +
                             FieldJson("c", R"("long")", R"({"parquet.field.id":5})") + "," +
                             FieldJson("d", R"("long")", R"({"parquet.field.id":-1})");
  ASSERT_OK_AND_ASSIGN(const Schema schema, Read(fields));
  EXPECT_EQ(schema.fields[0].id, 5);
  EXPECT_EQ(schema.fields[1].id, 6);
  EXPECT_EQ(schema.fields[2].id, 7) << "an id is given once";
  EXPECT_EQ(schema.fields[3].id, 8);
  ASSERT_OK_AND_ASSIGN(const std::string written, SchemaToJson(schema, ColumnMapping::kNone));
  EXPECT_EQ(written.find("parquet.field.id"), std::string::npos);
}

TEST(SchemaJson, RefusesByName) {
  EXPECT_ERROR(Read(FieldJson("g", R"x("geometry(OGC:CRS84)")x")), ErrorCode::kUnsupported);
  EXPECT_ERROR(Read(FieldJson("g", R"x("decimal(39,0)")x")), ErrorCode::kCorrupt);
  EXPECT_ERROR(Read(R"({"type":"long"})"), ErrorCode::kCorrupt);
  EXPECT_ERROR(Read(R"({"name":"a"})"), ErrorCode::kCorrupt);
  EXPECT_ERROR(SchemaFromJson("[]", {}, ColumnMapping::kNone), ErrorCode::kCorrupt);
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += R"({"type":"struct","fields":[{"name":"a","type":)";
  EXPECT_ERROR(SchemaFromJson(deep, {}, ColumnMapping::kNone), ErrorCode::kCorrupt);
  Schema schema;
  schema.fields = {{.id = 1, .name = "u", .type = Type::Of(TypeKind::kUuid)}};
  EXPECT_ERROR(SchemaToJson(schema, ColumnMapping::kNone), ErrorCode::kUnsupported);
}

TEST(ColumnMappingOf, NamesModes) {
  for (const ColumnMapping mode :
       {ColumnMapping::kNone, ColumnMapping::kName, ColumnMapping::kId}) {
    EXPECT_EQ(
        *ColumnMappingOf({{"delta.columnMapping.mode", std::string(ColumnMappingName(mode))}}),
        mode);
  }
  EXPECT_EQ(*ColumnMappingOf({}), ColumnMapping::kNone);
}

}  // namespace
}  // namespace tarn::delta
