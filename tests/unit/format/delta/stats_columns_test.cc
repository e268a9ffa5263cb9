#include "tarn/format/delta/stats_columns.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/matchers.h"

namespace tarn::delta {
namespace {

TableMetadata MakeTable(std::string_view ddl, const std::vector<std::string>& partition = {}) {
  TableMetadata metadata;
  Result<Schema> schema = ParseColumns(ddl);
  EXPECT_OK(schema);
  metadata.schema = AssignFreshIds(*std::move(schema));
  Result<PartitionSpec> spec = IdentitySpec(metadata.schema, partition);
  EXPECT_OK(spec);
  metadata.specs = {*std::move(spec)};
  return metadata;
}

// The paths chosen, joined.
std::string Chosen(const TableMetadata& metadata, const TableProperties& properties) {
  const Result<std::vector<int32_t>> ids = StatisticsIds(metadata, properties);
  if (!ids.ok()) return ids.error().message;
  std::string out;
  for (const int32_t id : *ids) out += (out.empty() ? "" : " ") + metadata.schema.PathOf(id);
  return out;
}

TEST(StatisticsIds, TakesAllLeavesOfAnOrdinaryTable) {
  const TableMetadata table = MakeTable(
      "p string, a int, s struct<x: int, t: struct<y: string>>, l array<int>, "
      "m map<string,int>, b binary, z int",
      {"p"});
  EXPECT_EQ(Chosen(table, {}), "a s.x s.t.y b z");
}

TEST(StatisticsIds, HonoursTheNumberOfIndexedColumns) {
  const TableMetadata table = MakeTable("a int, s struct<x: int, y: int>, b int, c int");
  TableProperties properties;
  properties.indexed_columns = 2;
  EXPECT_EQ(Chosen(table, properties), "a s.x");
  properties.indexed_columns = 0;
  EXPECT_EQ(Chosen(table, properties), "");
  properties.indexed_columns = -1;
  EXPECT_EQ(Chosen(table, properties), "a s.x s.y b c");
}

TEST(StatisticsIds, HonoursColumnsByName) {
  const TableMetadata table =
      MakeTable("a int, s struct<x: int, y: int>, `odd, name` int, c int, p int", {"p"});
  TableProperties properties;
  properties.stats_columns = "c, s , `odd, name`,p";
  properties.indexed_columns = 1;  // names win
  EXPECT_EQ(Chosen(table, properties), "s.x s.y odd, name c");
  properties.stats_columns = "nope";
  EXPECT_NE(Chosen(table, properties).find("'nope'"), std::string::npos);
}

TEST(StatisticsIds, RefusesANamedColumnThatHasNoStatistics) {
  const TableMetadata table = MakeTable("a int, l array<int>");
  TableProperties properties;
  properties.stats_columns = "l";
  EXPECT_ERROR(StatisticsIds(table, properties), ErrorCode::kInvalid);
}

TEST(StatisticsIds, StaysWithinABudgetOnWideTables) {
  std::string ddl;
  for (int i = 0; i < 3000; ++i) {
    ddl += (i > 0 ? ", c" : "c") + std::to_string(i) + (i % 3 == 2 ? " string" : " double");
  }
  const TableMetadata table = MakeTable(ddl);
  ASSERT_OK_AND_ASSIGN(const std::vector<int32_t> ids, StatisticsIds(table, {}));
  EXPECT_GT(ids.size(), 64u);
  EXPECT_LT(ids.size(), 200u);
  EXPECT_EQ(ids.front(), 1);
  TableProperties by_name;
  by_name.stats_columns = "c2999";
  EXPECT_EQ(Chosen(table, by_name), "c2999");
}

}  // namespace
}  // namespace tarn::delta
