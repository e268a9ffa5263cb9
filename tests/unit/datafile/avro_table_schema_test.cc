#include <gtest/gtest.h>

#include "tarn/datafile/avro_schema.h"
#include "tests/support/arrow_rows.h"
#include "tests/support/matchers.h"

namespace tarn {
namespace {

using testing::Col;

std::string JsonOf(std::vector<Field> fields) {
  Schema schema;
  schema.fields = std::move(fields);
  const auto avro = AvroSchemaOf(schema, "table", "iceberg-field-name");
  return avro.ok() ? AvroSchemaToJson(**avro) : avro.error().ToString();
}

// Expected: what the Iceberg specification's table "Appendix A: Avro" and the manifests that Spark
// writes say.
TEST(AvroTableSchemaTest, SpellsTypesAsIcebergDoes) {
  EXPECT_EQ(JsonOf({Col(1, "id", "bigint", true), Col(2, "s", "string")}),
            R"({"type":"record","name":"table","fields":[)"
            R"({"name":"id","type":"long","field-id":1},)"
            R"({"name":"s","type":["null","string"],"default":null,"field-id":2}]})");
  EXPECT_EQ(JsonOf({Col(1, "t", "timestamp", true), Col(2, "d", "decimal(9,2)", true),
                    Col(3, "e", "decimal(9,2)", true)}),
            R"({"type":"record","name":"table","fields":[)"
            R"({"name":"t","type":{"type":"long","logicalType":"timestamp-micros",)"
            R"("adjust-to-utc":true},"field-id":1},)"
            R"({"name":"d","type":{"type":"fixed","name":"decimal_9_2","size":4,)"
            R"("logicalType":"decimal","precision":9,"scale":2},"field-id":2},)"
            R"({"name":"e","type":"decimal_9_2","field-id":3}]})");
}

TEST(AvroTableSchemaTest, GivesIdsAtEveryDepth) {
  Field list = Col(1, "l", "array<int>", true);
  list.type.fields[0].id = 2;
  Field map = Col(3, "m", "map<int, string>", true);
  map.type.fields[0].id = 4;
  map.type.fields[1].id = 5;
  Field text_map = Col(6, "n", "map<string, int>", true);
  text_map.type.fields[0].id = 7;
  text_map.type.fields[1].id = 8;
  EXPECT_EQ(JsonOf({list}),
            R"({"type":"record","name":"table","fields":[{"name":"l","type":{"type":"array",)"
            R"("items":["null","int"],"element-id":2},"field-id":1}]})");
  EXPECT_EQ(JsonOf({map}),
            R"({"type":"record","name":"table","fields":[{"name":"m","type":{"type":"array",)"
            R"("items":{"type":"record","name":"k4_v5","fields":[)"
            R"({"name":"key","type":"int","field-id":4},{"name":"value","type":["null","string"],)"
            R"("default":null,"field-id":5}]},"logicalType":"map"},"field-id":3}]})");
  EXPECT_EQ(JsonOf({text_map}),
            R"({"type":"record","name":"table","fields":[{"name":"n","type":{"type":"map",)"
            R"("values":["null","int"],"key-id":7,"value-id":8},"field-id":6}]})");
}

TEST(AvroTableSchemaTest, EscapesNamesThatAvroForbids) {
  EXPECT_EQ(JsonOf({Col(1, "a b", "int", true), Col(2, "9\"", "int", true)}),
            R"({"type":"record","name":"table","fields":[)"
            R"({"name":"a_x20b","type":"int","field-id":1,"iceberg-field-name":"a b"},)"
            R"({"name":"_9_x22","type":"int","field-id":2,"iceberg-field-name":"9\""}]})");
}

TEST(AvroTableSchemaTest, FewestBytesOfADecimal) {
  // 10^9 - 1 needs 31 bits, 10^10 - 1 needs 35, 10^38 - 1 needs 128.
  for (const auto& [precision, bytes] : std::vector<std::pair<int, int>>{
           {1, 1}, {2, 1}, {3, 2}, {9, 4}, {10, 5}, {18, 8}, {38, 16}}) {
    const auto json = JsonOf({Col(1, "d", "decimal(" + std::to_string(precision) + ",0)", true)});
    EXPECT_NE(json.find("\"size\":" + std::to_string(bytes) + ","), std::string::npos) << json;
  }
}

TEST(AvroTableSchemaTest, RefusesVariants) {
  EXPECT_EQ(JsonOf({Col(1, "v", "variant")}), "avro: column 'v': variant cannot be written");
}

}  // namespace
}  // namespace tarn
