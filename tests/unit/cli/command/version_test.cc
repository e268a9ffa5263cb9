#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/unit/cli/cli_fixture.h"

namespace tarn::cli {
namespace {

using nlohmann::json;
using testing::Tarn;

TEST(Version, AsTextAndJson) {
  EXPECT_TRUE(Tarn({"version"}).out.starts_with("tarn "));
  EXPECT_TRUE(json::parse(Tarn({"version", "--json"}).out)["version"].is_string());
}

}  // namespace
}  // namespace tarn::cli
