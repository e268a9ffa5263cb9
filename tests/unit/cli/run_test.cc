#include "tarn/cli/run.h"

#include <fstream>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/unit/cli/cli_fixture.h"

namespace tarn::cli {
namespace {

using testing::Outcome;
using testing::RunTest;
using testing::Tarn;

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
  EXPECT_NE(outcome.out.find("Usage: tarn table diff [OPTIONS]"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("FROM"), std::string::npos);
  EXPECT_TRUE(Tarn({"version"}).out.starts_with("tarn "));
  EXPECT_TRUE(Tarn({"--version"}).out.starts_with("tarn "));
}

TEST_F(RunTest, MessagesAsJsonLines) {
  const Outcome outcome = Tarn({"sql", "--log-format", "json", "--lake", lake_, "FROM none"});
  EXPECT_EQ(outcome.code, 1);
  const auto message = nlohmann::json::parse(outcome.err);
  EXPECT_EQ(message["level"], "error");
  EXPECT_EQ(message["code"], "not found");
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
