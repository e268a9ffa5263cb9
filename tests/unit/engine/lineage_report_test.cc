#include "tarn/engine/lineage_report.h"

#include <gtest/gtest.h>

#include <string>

#include <nlohmann/json.hpp>

#include "tests/support/fake_runtime.h"

namespace tarn {
namespace {

class LineageReportTest : public ::testing::Test {
 protected:
  std::string Report(LineageFormat format, std::string schema = R"({"d.s": ["a", "b"]})") {
    LineageRequest request;
    request.scripts = {{.file = "jobs/daily.sql",
                        .sql = "create table d.r as select a, b + 1 as c from d.s where a > 0"}};
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

TEST_F(LineageReportTest, OfSeveralScripts) {
  LineageRequest request;
  request.scripts = {{.file = "m/b.sql", .sql = "select * from a"},
                     {.file = "m/a.sql", .sql = "select x from raw"}};
  request.schema_json = R"({"raw": ["x"]})";
  const auto report = [&](LineageFormat format) {
    request.format = format;
    const auto text = ReportLineage(request, world_.runtime);
    EXPECT_TRUE(text.ok());
    return text.ok() ? *text : "";
  };
  EXPECT_EQ(report(LineageFormat::kTree),
            "== m/b.sql\nline 1: create view → b\n  reads a\n  x\n    ← a.x  IDENTITY\n"
            "\n== m/a.sql\nline 1: create view → a\n  reads raw\n  x\n    ← raw.x  IDENTITY\n");
  const auto json = nlohmann::json::parse(report(LineageFormat::kJson));
  ASSERT_EQ(json.size(), 2U);
  EXPECT_EQ(json[0]["file"], "m/b.sql");
  EXPECT_EQ(json[1]["columns"][0]["output"], "a.x");
  const auto events = nlohmann::json::parse(report(LineageFormat::kOpenLineage));
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[1]["job"]["name"], "a.1");
  // raw -> a -> b in one drawing: each table is one box.
  const std::string drawing = report(LineageFormat::kMermaid);
  EXPECT_EQ(drawing.find("subgraph"), drawing.find("subgraph d0"));
  EXPECT_NE(drawing.find("subgraph d2"), std::string::npos) << drawing;
  EXPECT_EQ(drawing.find("subgraph d3"), std::string::npos) << drawing;
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
