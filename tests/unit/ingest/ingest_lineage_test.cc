#include "tarn/ingest/ingest_lineage.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tarn/lineage/commit_lineage.h"
#include "tests/unit/ingest/transform/transform_fixture.h"

namespace tarn {
namespace {

using lineage::CommitLineage;

class IngestLineageTest : public testing::TransformFixture {
 protected:
  // "output <- source.input KIND", in the order of the commit.
  std::vector<std::string> Flows(const std::string& ddl, const std::vector<TransformStep>& steps) {
    auto made = TransformChain::Make(system.runtime(), makers, *ParseColumns(ddl), steps);
    if (!made.ok()) return {made.error().ToString()};
    const Schema table = AssignFreshIds(made->output());
    const auto lineage =
        lineage::DecodeCommitLineage(LineageOfLoad("in/*.jsonl", *made, table, true));
    if (!lineage.ok()) return {lineage.error().ToString()};
    EXPECT_EQ(lineage->operation, "ingest");
    EXPECT_TRUE(lineage->replaces);
    std::vector<std::string> lines;
    for (const CommitLineage::Flow& flow : lineage->flows) {
      const auto& input = lineage->inputs[flow.input];
      std::string line = flow.output == CommitLineage::kEveryOutput
                             ? "*"
                             : lineage->outputs[flow.output].column + "#" +
                                   std::to_string(lineage->outputs[flow.output].field_id);
      line += " <- " + lineage->sources[input.source].name + "." + input.column + " " +
              std::string(lineage::EdgeKindName(flow.kind)) + (flow.masking ? " masked" : "");
      lines.push_back(line);
    }
    return lines;
  }
};

TEST_F(IngestLineageTest, WithoutSteps) {
  EXPECT_EQ(Flows("a bigint, b string", {}),
            (std::vector<std::string>{"a#1 <- path:in/*.jsonl.a IDENTITY",
                                      "b#2 <- path:in/*.jsonl.b IDENTITY"}));
}

TEST_F(IngestLineageTest, ThroughAChain) {
  const std::vector<TransformStep> steps = {
      {.kind = "flatten"},
      {.kind = "snake_case"},
      {.kind = "filter", .options = {{"sql", "geo_lat > 0"}}},
      {.kind = "compute", .pairs = {{"hash", "md5(user_id)"}, {"twice", "geo_lat * 2"}}},
      {.kind = "rename", .pairs = {{"twice", "double_lat"}}},
      {.kind = "select", .names = {"double_lat", "hash", "user_id"}}};
  EXPECT_EQ(Flows("userId string, geo struct<lat: double, lon: double>", steps),
            (std::vector<std::string>{"user_id#3 <- path:in/*.jsonl.userId IDENTITY",
                                      "double_lat#1 <- path:in/*.jsonl.geo.lat TRANSFORMATION",
                                      "hash#2 <- path:in/*.jsonl.userId TRANSFORMATION masked",
                                      "* <- path:in/*.jsonl.geo.lat FILTER"}));
}

// A column computed from a computed one comes from what that one came from.
TEST_F(IngestLineageTest, StepsOnSteps) {
  EXPECT_EQ(Flows("a bigint, b bigint, c bigint",
                  {{.kind = "compute", .pairs = {{"s", "a + b"}}},
                   {.kind = "compute", .pairs = {{"t", "CASE WHEN c > 0 THEN s END"}}},
                   {.kind = "select", .names = {"t"}}}),
            (std::vector<std::string>{"t#1 <- path:in/*.jsonl.a TRANSFORMATION",
                                      "t#1 <- path:in/*.jsonl.b TRANSFORMATION",
                                      "t#1 <- path:in/*.jsonl.c CONDITIONAL"}));
}

}  // namespace
}  // namespace tarn
