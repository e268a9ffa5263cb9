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

}  // namespace
}  // namespace tarn::cli
