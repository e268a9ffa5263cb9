#include <gtest/gtest.h>

#include "tests/unit/cli/cli_fixture.h"

namespace tarn::cli {
namespace {

using testing::Outcome;
using testing::RunTest;
using testing::Tarn;

TEST_F(RunTest, SqlPrintsRowsAndSaysWhatItDid) {
  Load();
  Outcome outcome = Sql("SELECT id, day, x FROM events ORDER BY id");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "id,day,x\n1,2026-01-01,1.5\n2,2026-01-02,\n");
  EXPECT_EQ(outcome.err, "");
  outcome =
      Sql("INSERT INTO events VALUES (3, DATE '2026-01-03', 0.5); SELECT count(*) AS n FROM events",
          "jsonl");
  EXPECT_EQ(outcome.out, "{\"n\":3}\n");
  EXPECT_NE(outcome.err, "");  // what was inserted
  outcome = Tarn({"sql", "--lake", lake_, "--quiet", "--no-skipping", "FROM events WHERE id = 1"});
  EXPECT_NE(outcome.out.find("1 row"), std::string::npos) << outcome.out;
}

TEST_F(RunTest, SqlNamesThePlaceOfAnError) {
  const Outcome outcome = Sql("SELECT 1;\nSELEC 2");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("error: "), std::string::npos) << outcome.err;
  EXPECT_EQ(Sql("FROM none").code, 1);
}

}  // namespace
}  // namespace tarn::cli
