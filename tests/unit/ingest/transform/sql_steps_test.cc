#include "tarn/ingest/transform/sql_steps.h"

#include "tests/unit/ingest/transform/transform_fixture.h"

namespace tarn {
namespace {

using testing::Lines;

class SqlStepsTest : public testing::TransformFixture {};

TEST_F(SqlStepsTest, FilterKeepsWhatIsTrue) {
  EXPECT_EQ(Run("a bigint, s string", R"([[1,"x"],[null,"y"],[3,"z"]])",
                {{.kind = "filter", .options = {{"sql", "a > 1"}}}}),
            (Lines{"a: int64, s: string", "3|z"}));
  EXPECT_EQ(from_rows, std::vector<int32_t>{2});
  EXPECT_NE(Run("a bigint", "[]", {{.kind = "filter", .options = {{"sql", "a + 1"}}}})[0].find(
                "is no condition"),
            std::string::npos);
  EXPECT_EQ(
      Run("a bigint", "[]", {{.kind = "filter", .options = {{"sql", "b > 1"}}}})[0].substr(0, 14),
      "error: filter:");
}

TEST_F(SqlStepsTest, ComputeAddsAndReplaces) {
  EXPECT_EQ(Run("a bigint, s string", R"([[2,"x"],[null,"y"]])",
                {{.kind = "compute", .pairs = {{"b", "a * 2"}, {"S", "upper(s)"}}}}),
            (Lines{"a: int64, s: string, b: int64", "2|X|4", "NULL|Y|NULL"}));
}

}  // namespace
}  // namespace tarn
