#include "tarn/cli/print/lineage_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace tarn::cli {
namespace {

TableLineage Sample() {
  TableLineage lineage{.table = "d.daily", .version = "3"};
  LineageStep sum{.from = {"d.orders", "amount", "7"},
                  .to = {"d.daily", "total", "3"},
                  .kind = lineage::EdgeKind::kAggregation,
                  .operation = "insert overwrite",
                  .timestamp_ms = 1'000,
                  .oldest_version = "3"};
  LineageStep load{.from = {"path:in/*.csv", "amt"},
                   .to = {"d.orders", "amount", "7"},
                   .kind = lineage::EdgeKind::kTransformation,
                   .masking = true,
                   .operation = "ingest",
                   .timestamp_ms = 0,
                   .oldest_version = "2",
                   .commits = 5,
                   .depth = 1};
  LineageStep filter = sum;
  filter.from.column = "day";
  filter.to.column = "";
  filter.kind = lineage::EdgeKind::kFilter;
  lineage.steps = {sum, load, filter};
  lineage.warnings = {"something"};
  return lineage;
}

TEST(LineageTextTest, Up) {
  EXPECT_EQ(TableLineageText(Sample()),
            "d.daily, version 3\n"
            "total\n"
            "  ← d.orders.amount  AGGREGATION  insert overwrite, version 3, "
            "1970-01-01T00:00:01.000Z\n"
            "    ← path:in/*.csv.amt  TRANSFORMATION+MASKING  ingest, versions 2 to 7 (5 commits), "
            "1970-01-01T00:00:00.000Z\n"
            "every row\n"
            "  ← d.orders.day  FILTER  insert overwrite, version 3, 1970-01-01T00:00:01.000Z\n");
}

TEST(LineageTextTest, Down) {
  TableLineage down{.table = "d.orders", .direction = LineageDirection::kDown};
  EXPECT_EQ(TableLineageText(down), "d.orders\n  no commit of the lake tells that it reads it\n");
  down.steps = {Sample().steps[0], Sample().steps[2]};
  EXPECT_EQ(
      TableLineageText(down),
      "d.orders\n"
      "amount\n"
      "  → d.daily.total  AGGREGATION  insert overwrite, version 3, 1970-01-01T00:00:01.000Z\n"
      "day\n"
      "  → every row of d.daily  FILTER  insert overwrite, version 3, "
      "1970-01-01T00:00:01.000Z\n");
}

TEST(LineageTextTest, Json) {
  const nlohmann::ordered_json json = TableLineageJson(Sample());
  EXPECT_EQ(json["version"], 3);
  EXPECT_EQ(json["direction"], "up");
  EXPECT_EQ(json["steps"][1]["kind"], "TRANSFORMATION+MASKING");
  EXPECT_EQ(json["steps"][1]["from"].dump(),
            R"({"dataset":"path:in/*.csv","column":"amt","version":null})");
  EXPECT_EQ(json["steps"][2]["to"]["column"], nullptr);
  EXPECT_EQ(json["warnings"].size(), 1U);
}

}  // namespace
}  // namespace tarn::cli
