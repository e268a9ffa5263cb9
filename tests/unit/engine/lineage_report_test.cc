#include "tarn/engine/lineage_report.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/fake_runtime.h"

namespace tarn {
namespace {

class LineageReportTest : public ::testing::Test {
 protected:
  std::string Report(LineageFormat format, std::string schema = R"({"d.s": ["a", "b"]})") {
    LineageRequest request;
    request.sql = "create table d.r as select a, b + 1 as c from d.s where a > 0";
    request.dialect = "spark";
    request.schema_json = std::move(schema);
    request.format = format;
    const auto report = ReportLineage(request, world_.runtime);
    return report.ok() ? *report : report.error().message;
  }

  testing::FakeRuntime world_;
};

TEST_F(LineageReportTest, EveryFormat) {
  EXPECT_EQ(Report(LineageFormat::kTree).rfind("line 1: create table as select", 0), 0U);
  EXPECT_EQ(Report(LineageFormat::kJson).rfind("{", 0), 0U);
  EXPECT_EQ(Report(LineageFormat::kOpenLineage).rfind("[", 0), 0U);
  EXPECT_EQ(Report(LineageFormat::kDot).rfind("digraph", 0), 0U);
  EXPECT_EQ(Report(LineageFormat::kMermaid).rfind("flowchart LR", 0), 0U);
}

TEST_F(LineageReportTest, ViewsAreShownBothWays) {
  const std::string json = Report(
      LineageFormat::kJson,
      R"({"schema": {"d.s": ["a", "b"]}, "views": {"d.s": "select x as a, y as b from d.t"}})");
  EXPECT_NE(json.find("\"expanded\""), std::string::npos) << json;
  EXPECT_NE(json.find("\"d.t.x\""), std::string::npos) << json;
}

TEST_F(LineageReportTest, Refusals) {
  EXPECT_NE(Report(LineageFormat::kTree, "[").find("schema"), std::string::npos);
  LineageRequest request;
  request.dialect = "klingon";
  EXPECT_EQ(ReportLineage(request, world_.runtime).error().code, ErrorCode::kInvalid);
  EXPECT_FALSE(ParseLineageFormat("poster").ok());
  EXPECT_TRUE(ParseLineageFormat("JSON").ok());
}

}  // namespace
}  // namespace tarn
