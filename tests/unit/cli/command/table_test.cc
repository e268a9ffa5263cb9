#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/unit/cli/cli_fixture.h"

namespace tarn::cli {
namespace {

using nlohmann::json;
using testing::Outcome;
using testing::RunTest;

TEST_F(RunTest, TableShowFilesSchema) {
  Load();
  Outcome outcome = Table({"show", "events", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json shown = json::parse(outcome.out);
  EXPECT_EQ(shown["rows"], 2);
  EXPECT_EQ(shown["partitions"].size(), 2u);
  EXPECT_NE(Table({"show", "events"}).out.find("2 files, 2 rows"), std::string::npos);
  outcome = Table({"files", "events", "--json"});
  EXPECT_EQ(json::parse(outcome.out)["files"].size(), 2u);
  EXPECT_NE(Table({"files", "events"}).out.find(".parquet"), std::string::npos);
  outcome = Table({"schema", "events", "--json"});
  EXPECT_EQ(json::parse(outcome.out)["columns"][0]["id"], 1);
  EXPECT_NE(Table({"schema", "events"}).out.find("day"), std::string::npos);
  EXPECT_EQ(Table({"show", "none"}).code, 1);
  EXPECT_EQ(Table({"show", "events", "--version", "9"}).code, 1);
}

TEST_F(RunTest, TableHistoryDiffRestore) {
  Load();
  ASSERT_EQ(Sql("DELETE FROM events WHERE id = 1").code, 0);
  Outcome outcome = Table({"diff", "events", "0", "1", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(json::parse(outcome.out)["files_removed"].size(), 1u);
  EXPECT_NE(Table({"diff", "events", "0", "1"}).out.find("- day=2026-01-01"), std::string::npos);
  ASSERT_EQ(Table({"restore", "events", "0"}).code, 0);
  EXPECT_EQ(Sql("SELECT count(*) AS n FROM events").out, "n\n2\n");
  outcome = Table({"restore", "events", "1", "--json"});
  EXPECT_EQ(json::parse(outcome.out)["files_removed"], 1);
  outcome = Table({"history", "events", "--json"});
  EXPECT_EQ(json::parse(outcome.out)["commits"].size(), 4u);
  outcome = Table({"history", "events", "--limit", "1"});
  EXPECT_NE(outcome.out.find("RESTORE"), std::string::npos);
  EXPECT_EQ(Table({"restore", "events", "77"}).code, 1);
}

TEST_F(RunTest, TableCheckpoint) {
  Load();
  EXPECT_NE(Table({"checkpoint", "events"}).out.find("version 0"), std::string::npos);
  EXPECT_EQ(json::parse(Table({"checkpoint", "events", "--json"}).out)["version"], 0);
}

TEST_F(RunTest, TableOptimizeAndVacuum) {
  ASSERT_EQ(Sql("CREATE TABLE small (n INT) USING iceberg").code, 0);
  for (int n = 0; n < 6; ++n) {
    ASSERT_EQ(Sql("INSERT INTO small VALUES (" + std::to_string(n) + ")").code, 0);
  }
  Outcome outcome = Table({"optimize", "small", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(json::parse(outcome.out)[0]["rewritten_data_files_count"], 6);
  EXPECT_EQ(Sql("SELECT count(*) AS n FROM small").out, "n\n6\n");
  outcome = Table({"vacuum", "small"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("--apply"), std::string::npos);
  EXPECT_EQ(json::parse(Table({"vacuum", "small", "--json", "--apply"}).out).size(), 0u);
  outcome = Table({"vacuum", "small", "--older-than", "2999-01-01"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("less than a day ago"), std::string::npos);
}

}  // namespace
}  // namespace tarn::cli
