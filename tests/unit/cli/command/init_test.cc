#include <gtest/gtest.h>

#include "tests/unit/cli/cli_fixture.h"

namespace tarn::cli {
namespace {

using testing::Outcome;
using testing::RunTest;
using testing::Tarn;

TEST_F(RunTest, InitMakesALakeOnce) {
  const Outcome outcome = Tarn({"init", lake_});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(outcome.err.starts_with("error: ")) << outcome.err;
  EXPECT_NE(outcome.err.find("is a lake already"), std::string::npos);
  EXPECT_EQ(Tarn({"init", folder_.path() + "/deep/er"}).code, 0);
}

}  // namespace
}  // namespace tarn::cli
