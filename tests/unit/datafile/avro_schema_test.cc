#include "tarn/datafile/avro_schema.h"

#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace tarn {
namespace {

AvroTypePtr Parsed(std::string_view text) {
  auto parsed = ParseAvroSchema(text);
  EXPECT_OK(parsed);
  return parsed.ok() ? *parsed : nullptr;
}

std::string Refusal(std::string_view text) {
  const auto parsed = ParseAvroSchema(text);
  return parsed.ok()
             ? "accepted"
             : std::string(ErrorCodeName(parsed.error().code)) + ": " + parsed.error().message;
}

TEST(AvroSchemaTest, KeepsAttributesInTheirOrder) {
  const auto schema = Parsed(R"({"type":"record","name":"a.b.entry","doc":"D","aliases":["old"],
    "x":1,"fields":[
      {"name":"id","type":"int","field-id":7,"order":"ignore","doc":"the id"},
      {"name":"l","type":{"type":"array","items":["null","long"],"element-id":9},"default":[]},
      {"name":"m","type":{"type":"map","values":"bytes","key-id":10,"value-id":11}},
      {"name":"n_x20m","type":"string","iceberg-field-name":"n m","aliases":["o"]}]})");
  EXPECT_EQ(schema->name, "a.b.entry");
  EXPECT_EQ(schema->aliases, std::vector<std::string>{"a.b.old"});
  EXPECT_EQ(schema->attributes, (AvroAttributes{{"x", "1"}}));
  const AvroField& id = schema->fields[0];
  EXPECT_EQ(id.field_id, 7);
  EXPECT_EQ(id.doc, "the id");
  EXPECT_EQ(id.attributes, (AvroAttributes{{"field-id", "7"}, {"order", "\"ignore\""}}));
  EXPECT_EQ(schema->fields[1].default_json, "[]");
  EXPECT_EQ(schema->fields[1].type->element_id, 9);
  EXPECT_EQ(schema->fields[2].type->key_id, 10);
  EXPECT_EQ(schema->fields[2].type->value_id, 11);
  EXPECT_EQ(ColumnNameOf(schema->fields[3]), "n m");
  EXPECT_EQ(ColumnNameOf(schema->fields[0]), "id");

  const std::string json = AvroSchemaToJson(*schema);
  EXPECT_EQ(AvroSchemaToJson(*Parsed(json)), json);
  EXPECT_NE(json.find(R"({"name":"id","type":"int","doc":"the id","field-id":7,"order":"ignore"})"),
            std::string::npos)
      << json;
}

TEST(AvroSchemaTest, KnowsLogicalTypesThatTheirTypeCarries) {
  const auto logical = [](std::string_view text) { return Parsed(text)->logical; };
  EXPECT_EQ(logical(R"({"type":"int","logicalType":"date"})"), AvroLogical::kDate);
  EXPECT_EQ(logical(R"({"type":"long","logicalType":"date"})"), AvroLogical::kNone);
  EXPECT_EQ(logical(R"({"type":"long","logicalType":"timestamp-micros"})"),
            AvroLogical::kTimestampMicros);
  EXPECT_EQ(logical(R"({"type":"long","logicalType":"timestamp-micros","adjust-to-utc":true})"),
            AvroLogical::kTimestampMicros);
  EXPECT_EQ(logical(R"({"type":"long","logicalType":"timestamp-micros","adjust-to-utc":false})"),
            AvroLogical::kLocalTimestampMicros);
  EXPECT_EQ(logical(R"({"type":"bytes","logicalType":"decimal","precision":39})"),
            AvroLogical::kNone);
  // Four bytes hold nine digits, not ten.
  EXPECT_EQ(logical(R"({"type":"fixed","name":"f","size":4,"logicalType":"decimal",
                        "precision":9,"scale":2})"),
            AvroLogical::kDecimal);
  EXPECT_EQ(logical(R"({"type":"fixed","name":"f","size":4,"logicalType":"decimal",
                        "precision":10})"),
            AvroLogical::kNone);
  EXPECT_EQ(logical(R"({"type":"string","logicalType":"uuid"})"), AvroLogical::kUuid);
  EXPECT_EQ(logical(R"({"type":"fixed","name":"f","size":12,"logicalType":"duration"})"),
            AvroLogical::kDuration);
  EXPECT_EQ(logical(R"({"type":"array","items":"int","logicalType":"map"})"), AvroLogical::kNone);
}

TEST(AvroSchemaTest, FindsNamedTypesInTheirNamespace) {
  const auto schema = Parsed(R"({"type":"record","name":"r","namespace":"n","fields":[
      {"name":"a","type":{"type":"enum","name":"e","symbols":["X","Y"],"default":"Y"}},
      {"name":"b","type":"e"},{"name":"c","type":"n.e"},
      {"name":"d","type":{"type":"fixed","name":"other.f","size":3}},
      {"name":"e","type":["null","other.f"]}]})");
  EXPECT_EQ(schema->fields[1].type, schema->fields[0].type);
  EXPECT_EQ(schema->fields[2].type, schema->fields[0].type);
  EXPECT_EQ(schema->fields[0].type->symbol_default, "Y");
  EXPECT_EQ(schema->fields[4].type->children[1], schema->fields[3].type);
  const std::string json = AvroSchemaToJson(*schema);
  EXPECT_NE(json.find(R"({"name":"b","type":"n.e"})"), std::string::npos) << json;
  EXPECT_EQ(AvroSchemaToJson(*Parsed(json)), json);
}

TEST(AvroSchemaTest, RefusesWhatIsNoSchema) {
  EXPECT_EQ(Refusal("{"), "corrupt: avro: schema: no JSON: {");
  EXPECT_EQ(Refusal(R"("strnig")"), "corrupt: avro: schema: no type 'strnig'");
  EXPECT_EQ(Refusal(R"({"type":"record","name":"r","fields":[
              {"name":"a","type":{"type":"array","items":{"type":"record","name":"s","fields":[
                {"name":"b","type":"lnog"}]}}}]})"),
            "corrupt: avro: schema: field 'a.element.b': no type 'lnog'");
  EXPECT_EQ(Refusal(R"({"type":"record","name":"r"})"),
            "corrupt: avro: schema: record 'r' without 'fields'");
  EXPECT_EQ(Refusal(R"({"type":"record","name":"r","fields":[
              {"name":"a","type":"int"},{"name":"a","type":"int"}]})"),
            "corrupt: avro: schema: field 'a': stands twice in its record");
  EXPECT_EQ(Refusal(R"(["null",["int"]])"), "corrupt: avro: schema: a union directly in a union");
  EXPECT_EQ(Refusal("[]"), "corrupt: avro: schema: a union of nothing");
  EXPECT_EQ(Refusal(R"({"type":"fixed","name":"f"})"),
            "corrupt: avro: schema: fixed 'f': 'size' is missing or no size");
}

TEST(AvroSchemaTest, RefusesWhatHasNoEnd) {
  EXPECT_EQ(Refusal(R"({"type":"record","name":"node","fields":[
              {"name":"next","type":["null","node"]}]})"),
            "unsupported: avro: schema: field 'next': record 'node' contains itself");
  EXPECT_EQ(Refusal(R"({"type":"fixed","name":"f","size":65537})"),
            "unsupported: avro: schema: fixed 'f' of more than 65536 bytes");
  std::string nested = "\"int\"";
  for (int i = 0; i < 70; ++i) nested = R"({"type":"array","items":)" + nested + "}";
  EXPECT_NE(Refusal(nested).find("nested more than 64 levels deep"), std::string::npos);
  EXPECT_NE(Refusal(std::string(1'000'000, '[')).find("nested more than 1024 levels deep"),
            std::string::npos);
  // Each record has two of the one before: 2^40 fields in a few lines.
  std::string doubled = R"({"type":"record","name":"r0","fields":[{"name":"x","type":"int"}]})";
  for (int i = 1; i < 40; ++i) {
    doubled = R"({"type":"record","name":"r)" + std::to_string(i) +
              R"(","fields":[{"name":"a","type":)" + doubled + R"(},{"name":"b","type":"r)" +
              std::to_string(i - 1) + R"("}]})";
  }
  EXPECT_NE(Refusal(doubled).find("more than 100000 fields"), std::string::npos);
}

TEST(AvroSchemaTest, SpellsTypesForMessages) {
  EXPECT_EQ(AvroTypeToText(*Parsed(R"(["null",{"type":"fixed","name":"f","size":3}])")),
            "union[null, fixed(3)]");
  EXPECT_EQ(AvroTypeToText(*Parsed(R"({"type":"bytes","logicalType":"decimal","precision":9,
                                       "scale":2})")),
            "decimal(9,2)");
  EXPECT_EQ(AvroTypeToText(*Parsed(R"({"type":"map","values":"int"})")), "map[int]");
}

TEST(AvroSchemaTest, TellsOptionalTypes) {
  const auto last = Parsed(R"(["int","null"])");
  EXPECT_EQ(OptionalOf(*last).null_branch, 1);
  EXPECT_EQ((*OptionalOf(*last).value)->kind, AvroKind::kInt);
  EXPECT_EQ(OptionalOf(*Parsed(R"(["null","int","string"])")).value, nullptr);
  EXPECT_EQ(OptionalOf(*Parsed(R"(["null"])")).value, nullptr);
  EXPECT_EQ(OptionalOf(*Parsed(R"("int")")).value, nullptr);
}

}  // namespace
}  // namespace tarn
