#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/unit/cli/cli_fixture.h"

namespace tarn::cli {
namespace {

using testing::Outcome;
using testing::RunTest;
using testing::Tarn;

std::string Written(const std::string& text) {
  const std::string path = ::testing::TempDir() + "sql_text_test.sql";
  std::ofstream(path) << text;
  return path;
}

TEST_F(RunTest, SqlFmtLaysOutAFile) {
  const std::string path = Written("select a from t where b=\"c\"");
  const Outcome outcome = Tarn({"sql", "fmt", path, "--dialect", "hive"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "SELECT a FROM t WHERE b = \"c\";\n");
}

TEST_F(RunTest, SqlParsePrintsTreesAndNamesErrors) {
  const std::string path = Written("use d; use");
  Outcome outcome = Tarn({"sql", "parse", "--tree", path, "--dialect", "spark"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.out.find("Use name=d\n"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.err.find("line 1, column 11: expected a name"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(Tarn({"sql", "parse", Written("use d")}).code, 0);
  EXPECT_NE(Tarn({"sql", "fmt", path + ".none"}).code, 0);
  EXPECT_NE(Tarn({"sql", "fmt", path, "--dialect", "sparc"}).code, 0);
  EXPECT_NE(Tarn({"sql", "fmt"}).code, 0);
}

}  // namespace
}  // namespace tarn::cli
