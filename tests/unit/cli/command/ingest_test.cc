#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/unit/cli/cli_fixture.h"

namespace tarn::cli {
namespace {

using nlohmann::json;
using testing::Outcome;
using testing::RunTest;
using testing::Tarn;

TEST_F(RunTest, IngestLoadsEachFileOnce) {
  const std::string file = Events();
  Outcome outcome = Tarn(
      {"ingest", file, "--lake", lake_, "--into", "events", "--partition-by", "day", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  json summary = json::parse(outcome.out);
  EXPECT_EQ(summary["rows"], 2);
  EXPECT_EQ(summary["version"], 0);
  outcome = Tarn({"ingest", file, "--lake", lake_, "--into", "events", "--once"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("1 known already"), std::string::npos) << outcome.out;
}

TEST_F(RunTest, IngestPlansWithoutDoing) {
  const std::string file = Events();
  Outcome outcome = Tarn({"ingest", file, "--lake", lake_, "--into", "events", "--plan"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("1 file to load"), std::string::npos) << outcome.out;
  outcome = Tarn({"ingest", file, "--lake", lake_, "--into", "events", "--plan", "--json"});
  EXPECT_EQ(json::parse(outcome.out)["columns"].size(), 3u);
  EXPECT_EQ(Tarn({"table", "show", "events", "--lake", lake_}).code, 1);
}

TEST_F(RunTest, IngestOverwritesThePartitionsItTouches) {
  Load();
  const std::string file = folder_.path() + "/b.jsonl";
  std::ofstream(file) << "{\"id\": 9, \"day\": \"2026-01-01\"}\n";
  const Outcome outcome =
      Tarn({"ingest", file, "--lake", lake_, "--into", "events", "--mode", "overwrite"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(Sql("SELECT id FROM events ORDER BY id").out, "id\n2\n9\n");
}

}  // namespace
}  // namespace tarn::cli
