#include "tarn/cli/run.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/temp_folder.h"
#include "tests/unit/cli/test_console.h"

namespace tarn::cli {
namespace {

struct Outcome {
  int code = 0;
  std::string out;
  std::string err;
};

Outcome Tarn(const std::vector<std::string>& arguments) {
  testing::TestConsole test;
  Outcome outcome;
  outcome.code = Run(arguments, test.console);
  outcome.out = test.out;
  outcome.err = test.err;
  return outcome;
}

class RunTest : public ::testing::Test {
 protected:
  void SetUp() override {
    lake_ = folder_.path() + "/lake";
    ASSERT_EQ(Tarn({"init", lake_}).code, 0);
  }
  Outcome Sql(const std::string& sql, const std::string& format = "csv") {
    return Tarn({"sql", "--lake", lake_, "--yes", "--format", format, sql});
  }
  tarn::testing::TempFolder folder_;
  std::string lake_;
};

TEST(Usage, MistakesExitWithTwoAndANearWord) {
  Outcome outcome = Tarn({"ingset"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("did you mean 'ingest'"), std::string::npos) << outcome.err;
  outcome = Tarn({"sql", "--fromat", "csv", "SELECT 1"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("did you mean '--format'"), std::string::npos) << outcome.err;
  outcome = Tarn({"sql", "--format", "cvs", "SELECT 1"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("did you mean 'csv'"), std::string::npos) << outcome.err;
  EXPECT_EQ(Tarn({"table", "shwo", "t"}).code, 2);
  EXPECT_EQ(Tarn({"table", "show"}).code, 2);
  EXPECT_EQ(Tarn({"table"}).code, 2);
  EXPECT_EQ(Tarn({}).code, 2);
  EXPECT_EQ(Tarn({"ls", "--memory-limit", "12"}).code, 2);
  EXPECT_EQ(Tarn({"ls", "--relocate", "x"}).code, 2);
  EXPECT_EQ(Tarn({"ls", "--log-format", "xml"}).code, 2);
  EXPECT_EQ(Tarn({"sql", "SELECT", "1"}).code, 2);
  EXPECT_EQ(Tarn({"ingest", "a.jsonl"}).code, 2);
  EXPECT_EQ(Tarn({"table", "show", "t", "u"}).code, 2);
}

TEST(Usage, HelpAndVersion) {
  Outcome outcome = Tarn({"--help"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.out.find("ingest"), std::string::npos);
  outcome = Tarn({"table", "diff", "--help"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.out.find("FROM"), std::string::npos);
  EXPECT_TRUE(Tarn({"version"}).out.starts_with("tarn "));
  EXPECT_TRUE(Tarn({"--version"}).out.starts_with("tarn "));
}

TEST(Usage, ReservedWordsOfSql) {
  const Outcome outcome = Tarn({"sql", "fmt", "x.sql"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("reserved"), std::string::npos);
}

TEST_F(RunTest, InitTwiceIsRefused) {
  const Outcome outcome = Tarn({"init", lake_});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("error: "), std::string::npos);
  EXPECT_NE(outcome.err.find("is a lake already"), std::string::npos);
}

TEST_F(RunTest, MessagesAsJsonLines) {
  const Outcome outcome = Tarn({"sql", "--log-format", "json", "--lake", lake_, "FROM none"});
  EXPECT_EQ(outcome.code, 1);
  const auto message = nlohmann::json::parse(outcome.err);
  EXPECT_EQ(message["level"], "error");
  EXPECT_EQ(message["code"], "not found");
}

TEST_F(RunTest, FromAFileToRowsAndReports) {
  const std::string file = folder_.path() + "/a.jsonl";
  std::ofstream(file) << "{\"id\": 1, \"day\": \"2026-01-01\", \"x\": 1.5}\n{\"id\": 2, \"day\": \"2026-01-02\"}\n";
  Outcome outcome = Tarn({"ingest", file, "--lake", lake_, "--into", "events", "--partition-by", "day", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["rows"], 2);
  EXPECT_EQ(json["version"], 0);
  outcome = Sql("SELECT id, day, x FROM events ORDER BY id");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "id,day,x\n1,2026-01-01,1.5\n2,2026-01-02,\n");

  outcome = Tarn({"ls", "--lake", lake_, "--json"});
  json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["tables"][0]["name"], "default.events");
  outcome = Tarn({"table", "show", "events", "--lake", lake_, "--json"});
  json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["rows"], 2);
  EXPECT_EQ(json["partitions"].size(), 2u);
  outcome = Tarn({"table", "show", "events", "--lake", lake_});
  EXPECT_NE(outcome.out.find("2 files, 2 rows"), std::string::npos) << outcome.out;
  ASSERT_EQ(Sql("DELETE FROM events WHERE id = 1").code, 0);
  outcome = Tarn({"table", "diff", "events", "0", "1", "--lake", lake_, "--json"});
  json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["files_removed"].size(), 1u) << outcome.out << outcome.err;
  ASSERT_EQ(Tarn({"table", "restore", "events", "0", "--lake", lake_}).code, 0);
  EXPECT_EQ(Sql("SELECT count(*) AS n FROM events").out, "n\n2\n");
  outcome = Tarn({"table", "history", "events", "--lake", lake_, "--json"});
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["commits"].size(), 3u);
  EXPECT_EQ(Tarn({"table", "checkpoint", "events", "--lake", lake_}).code, 0);
  EXPECT_EQ(Tarn({"table", "files", "events", "--lake", lake_}).code, 0);
  EXPECT_EQ(Tarn({"table", "schema", "events", "--lake", lake_}).code, 0);
}

TEST_F(RunTest, RefusalsExitWithOneAndLeaveNothing) {
  const std::string file = folder_.path() + "/bad.jsonl";
  std::ofstream(file) << "{\"id\": 1}\n{\"id\": \n";
  Outcome outcome = Tarn({"ingest", file, "--lake", lake_, "--into", "t"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("bad.jsonl"), std::string::npos) << outcome.err;
  EXPECT_EQ(Sql("FROM t").code, 1);
  EXPECT_EQ(Tarn({"ingest", file, "--lake", lake_, "--into", "t", "--mode", "upsert"}).code, 1);
  EXPECT_EQ(Tarn({"table", "show", "none", "--lake", lake_}).code, 1);
}

}  // namespace
}  // namespace tarn::cli
