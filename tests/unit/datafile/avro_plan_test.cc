#include "tarn/datafile/avro_plan_internal.h"

#include <gtest/gtest.h>

#include <arrow/type.h>
#include <arrow/util/key_value_metadata.h>

#include "tests/support/matchers.h"

namespace tarn {
namespace {

AvroTypePtr ParsedSchema(const std::string& text) { return *ParseAvroSchema(text); }

std::string Record(const std::string& fields) {
  return R"({"type":"record","name":"r","fields":[)" + fields + "]}";
}

// The columns that a plan makes, or why there is none.
std::string PlanText(const std::string& writer, const std::string& reader,
                     ColumnMatch match = ColumnMatch::kByName) {
  const auto plan = MakeAvroPlan(ParsedSchema(writer), ParsedSchema(reader), match);
  return plan.ok() ? (*plan)->schema->ToString(/*show_metadata=*/true)
                   : "error: " + plan.error().message;
}

std::string PlanOfField(const std::string& reader, const std::string& writer) {
  return PlanText(Record(R"({"name":"f","type":)" + writer + "}"),
                  Record(R"({"name":"f","type":)" + reader + "}"));
}

TEST(AvroPlanTest, LaysOutColumns) {
  const std::string schema = Record(
      R"({"name":"a","type":["null","long"],"field-id":3},)"
      R"({"name":"u","type":{"type":"fixed","name":"u","size":16,"logicalType":"uuid"}},)"
      R"({"name":"m","type":{"type":"map","values":["int","null"],"key-id":5,"value-id":6}},)"
      R"({"name":"l","type":{"type":"array","items":{"type":"long",)"
      R"("logicalType":"timestamp-nanos"},"element-id":7}},)"
      R"({"name":"x","type":["int","string"]})");
  const auto plan = MakeAvroPlan(ParsedSchema(schema), ParsedSchema(schema), ColumnMatch::kByName);
  ASSERT_OK(plan);
  const arrow::Schema& made = *(*plan)->schema;
  EXPECT_EQ(made.field(0)->ToString(true), "a: int64\n-- metadata --\nPARQUET:field_id: 3");
  EXPECT_EQ(*made.field(1)->metadata()->Get("ARROW:extension:name"), "arrow.uuid");
  EXPECT_EQ(made.field(1)->type()->ToString(), "fixed_size_binary[16]");
  EXPECT_EQ(made.field(2)->type()->ToString(), "map<string, int32>");
  EXPECT_EQ(*made.field(2)->type()->field(0)->type()->field(1)->metadata()->Get("PARQUET:field_id"),
            "6");
  EXPECT_EQ(made.field(3)->type()->ToString(), "list<element: timestamp[ns, tz=UTC] not null>");
  EXPECT_EQ(*made.field(3)->type()->field(0)->metadata()->Get("PARQUET:field_id"), "7");
  EXPECT_EQ(made.field(4)->type()->ToString(), "struct<member0: int32, member1: string>");
  EXPECT_FALSE(made.field(4)->nullable());
  EXPECT_EQ((*plan)->row_bytes_min, 1 + 16 + 1 + 1 + 2);
}

TEST(AvroPlanTest, PromotesAsTheSpecificationSays) {
  for (const char* to : {"\"int\"", "\"long\"", "\"float\"", "\"double\""}) {
    EXPECT_EQ(PlanOfField(to, "\"int\"").substr(0, 3), "f: ") << to;
  }
  EXPECT_EQ(PlanOfField("\"double\"", "\"float\""), "f: double not null");
  EXPECT_EQ(PlanOfField("\"bytes\"", "\"string\""), "f: binary not null");
  EXPECT_EQ(PlanOfField("\"string\"", "\"bytes\""), "f: string not null");
  EXPECT_EQ(PlanOfField("\"int\"", "\"long\""), "error: field 'f': expected int, got long");
  EXPECT_EQ(PlanOfField("\"float\"", "\"double\""), "error: field 'f': expected float, got double");
  EXPECT_EQ(PlanOfField("\"long\"", "\"float\""), "error: field 'f': expected long, got float");
  EXPECT_EQ(PlanOfField("\"string\"", "\"int\""), "error: field 'f': expected string, got int");
  EXPECT_EQ(PlanOfField("\"int\"", "\"null\""), "error: field 'f': expected int, got null");
  EXPECT_EQ(PlanOfField(R"(["null","int"])", "\"int\""), "f: int32");
}

TEST(AvroPlanTest, LogicalTypesMeetWhereNoValueIsLost) {
  const auto at = [](const char* name) {
    return R"({"type":"long","logicalType":")" + std::string(name) + "\"}";
  };
  EXPECT_EQ(PlanOfField(at("timestamp-nanos"), at("timestamp-millis")),
            "f: timestamp[ns, tz=UTC] not null");
  EXPECT_EQ(PlanOfField(at("timestamp-millis"), at("timestamp-micros")),
            "error: field 'f': expected timestamp-millis, got timestamp-micros");
  EXPECT_EQ(PlanOfField(at("timestamp-micros"), R"({"type":"int","logicalType":"date"})"),
            "error: field 'f': expected timestamp-micros, got date");
  const auto decimal = [](const char* precision, const char* scale) {
    return R"({"type":"bytes","logicalType":"decimal","precision":)" + std::string(precision) +
           ",\"scale\":" + scale + "}";
  };
  EXPECT_EQ(PlanOfField(decimal("12", "2"), decimal("9", "2")), "f: decimal128(12, 2) not null");
  EXPECT_EQ(PlanOfField(decimal("9", "2"), decimal("12", "2")),
            "error: field 'f': expected decimal(9,2), got decimal(12,2)");
  EXPECT_EQ(PlanOfField(decimal("12", "3"), decimal("12", "2")),
            "error: field 'f': expected decimal(12,3), got decimal(12,2)");
}

TEST(AvroPlanTest, FindsFieldsByNameAliasOrId) {
  const std::string writer = Record(R"({"name":"a","type":"int","field-id":1},)"
                                    R"({"name":"b","type":"string","field-id":2})");
  EXPECT_EQ(PlanText(writer, Record(R"({"name":"c","aliases":["a"],"type":"long"})")),
            "c: int64 not null");
  const std::string moved = Record(R"({"name":"a","type":"string","field-id":2})");
  EXPECT_EQ(PlanText(writer, moved), "error: field 'a': expected string, got int");
  EXPECT_EQ(PlanText(writer, moved, ColumnMatch::kById),
            "a: string not null\n-- metadata --\nPARQUET:field_id: 2");
  EXPECT_EQ(PlanText(writer, Record(R"({"name":"n","type":"int"})")),
            "error: field 'n': the file's record lacks it, and it has no default");
  EXPECT_EQ(PlanText(writer, Record(R"({"name":"n","type":"int","default":"x"})")),
            "error: field 'n': the default \"x\" is no int");
}

TEST(AvroPlanTest, SkipsNeighboursAtOnce) {
  std::string fields = R"({"name":"wanted","type":"int"})";
  for (int i = 0; i < 20; ++i) {
    fields += R"(,{"name":"d)" + std::to_string(i) + R"(","type":"double"})";
  }
  const auto plan =
      MakeAvroPlan(ParsedSchema(Record(fields)),
                   ParsedSchema(Record(R"({"name":"wanted","type":"int"})")), ColumnMatch::kByName);
  ASSERT_OK(plan);
  ASSERT_EQ((*plan)->ops.size(), 2U);
  EXPECT_EQ((*plan)->ops[1].code, AvroCode::kSkipBytes);
  EXPECT_EQ((*plan)->ops[1].size, 160);
}

TEST(AvroPlanTest, NestedFieldsAreNamedByTheirPath) {
  const auto nested = [](const char* type) {
    return Record(R"({"name":"l","type":{"type":"array","items":["null",{"type":"record",)"
                  R"("name":"s","fields":[{"name":"x","type":)" +
                  std::string(type) + "}]}]}}");
  };
  EXPECT_EQ(PlanText(nested("\"string\""), nested("\"int\"")),
            "error: field 'l.element.x': expected int, got string");
}

}  // namespace
}  // namespace tarn
