#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/unit/cli/cli_fixture.h"

namespace tarn::cli {
namespace {

using nlohmann::json;
using testing::Outcome;
using testing::RunTest;
using testing::Tarn;

TEST_F(RunTest, LsListsTables) {
  Outcome outcome = Tarn({"ls", "--lake", lake_});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, "");
  Load();
  outcome = Tarn({"ls", "--lake", lake_, "--json"});
  const json listed = json::parse(outcome.out);
  EXPECT_EQ(listed["tables"][0]["name"], "default.events");
  EXPECT_EQ(listed["tables"][0]["format"], "delta");
  EXPECT_EQ(listed["namespaces"], json({"default"}));
  EXPECT_EQ(Tarn({"ls", "none", "--lake", lake_}).code, 1);
  EXPECT_EQ(Tarn({"ls", "--lake", folder_.path()}).code, 1);
}

}  // namespace
}  // namespace tarn::cli
