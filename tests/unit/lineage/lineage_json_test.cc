#include "tarn/lineage/lineage_json.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include "tests/unit/lineage/reading.h"

namespace tarn::lineage {
namespace {

using nlohmann::json;

json Json(const char* sql, const char* schema = "{}") {
  return json::parse(LineageJson(testing::Lineage(sql, schema, "hive"), sql));
}

TEST(LineageJson, TheReferenceExample) {
  const json answer = Json(
      "create table temp.lineage_test as select coalesce(name, count(id)) lineage_name from "
      "default.dual group by id, name",
      R"({"default.dual": ["id", "name"]})");
  EXPECT_EQ(answer["inputs"], json({"default.dual"}));
  EXPECT_EQ(answer["outputs"], json({"temp.lineage_test"}));
  ASSERT_EQ(answer["columns"].size(), 1U);
  const json& sources = answer["columns"][0]["sources"];
  ASSERT_EQ(sources.size(), 2U);
  EXPECT_EQ(sources[0]["column"], "default.dual.name");
  EXPECT_EQ(sources[0]["kind"], "TRANSFORMATION");
  EXPECT_EQ(sources[1]["kind"], "AGGREGATION");
  EXPECT_EQ(sources[0]["expression"], "coalesce(name, count(id))");
  EXPECT_EQ(sources[1]["expression"], "coalesce(name, count(id))");
  EXPECT_EQ(answer["dataset"].size(), 2U);
  EXPECT_EQ(answer["statements"][0]["operation"], "create table as select");
}

TEST(LineageJson, PartitionsDdlAndWarnings) {
  const json answer = Json(
      "insert into d.t partition (ds = '1', hr) select a, h from d.s;\nalter table d.t "
      "rename to d.u");
  EXPECT_EQ(answer["partitions"]["d.u"], json({{"ds", "'1'"}, {"hr", nullptr}}));
  EXPECT_EQ(answer["ddl"][0], json({{"op", "RENAME_TABLE"}, {"from", "d.t"}, {"to", "d.u"}}));
  EXPECT_EQ(answer["statements"][1]["line"], 2);
  EXPECT_EQ(answer["warnings"][0]["code"], "unknown_table");
}

TEST(LineageJson, BytesThatAreNoText) {
  EXPECT_NO_THROW(static_cast<void>(Json("select \xff\xfe from d.s")));
}

}  // namespace
}  // namespace tarn::lineage
