#include "tarn/lineage/openlineage.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include "tests/unit/lineage/reading.h"

namespace tarn::lineage {
namespace {

using nlohmann::json;

TEST(OpenLineage, OneEventPerStatementThatMovesData) {
  constexpr const char* kSql =
      "use d; insert overwrite directory 'hdfs://nn/o' select md5(a) as h from s where b = 1";
  const json events = json::parse(
      OpenLineageJson(testing::Lineage(kSql, R"({"d.s": ["a", "b"]})"), kSql, {.job_name = "job"}));
  ASSERT_EQ(events.size(), 1U);
  const json& event = events[0];
  EXPECT_EQ(event["job"]["name"], "job.2");
  EXPECT_EQ(event["inputs"][0]["name"], "d.s");
  const json& output = event["outputs"][0];
  EXPECT_EQ(output["namespace"], "hdfs://nn");
  EXPECT_EQ(output["name"], "/o");
  const json& facet = output["facets"]["columnLineage"];
  const json& input = facet["fields"]["h"]["inputFields"][0];
  EXPECT_EQ(input["field"], "a");
  EXPECT_EQ(input["transformations"][0]["subtype"], "TRANSFORMATION");
  EXPECT_EQ(input["transformations"][0]["masking"], true);
  EXPECT_EQ(facet["dataset"][0]["field"], "b");
  EXPECT_EQ(facet["dataset"][0]["transformations"][0]["subtype"], "FILTER");
}

}  // namespace
}  // namespace tarn::lineage
