#include "tarn/ingest/transform/transform.h"

#include "tests/unit/ingest/transform/transform_fixture.h"

namespace tarn {
namespace {

using testing::Lines;

class TransformChainTest : public testing::TransformFixture {};

TEST_F(TransformChainTest, RowsAreKnownThroughAllSteps) {
  const Lines lines = Run("a string, b bigint", R"([["1",1],["x",2],["3",3],["y",4],["5",5]])",
                          {{.kind = "filter", .options = {{"sql", "b > 1"}}},
                           {.kind = "cast", .pairs = {{"a", "int"}}},
                           {.kind = "filter", .options = {{"sql", "b > 3"}}}});
  EXPECT_EQ(lines, (Lines{"a: int32, b: int64", "5|5", "bad 1 a: expected int32, got string \"x\"",
                          "bad 3 a: expected int32, got string \"y\""}));
  EXPECT_EQ(from_rows, std::vector<int32_t>{4});
}

TEST_F(TransformChainTest, KnowsWhereUnchangedValuesComeFrom) {
  Run("userId bigint, o struct<inner: struct<x: bigint>>, t string", "[]",
      {{.kind = "flatten"},
       {.kind = "snake_case"},
       {.kind = "rename", .pairs = {{"user_id", "who"}}},
       {.kind = "cast", .pairs = {{"t", "date"}}}});
  EXPECT_EQ(chain.IdentitySource("who"), ColumnPath{"userId"});
  EXPECT_EQ(chain.IdentitySource("o_inner_x"), (ColumnPath{"o", "inner", "x"}));
  EXPECT_EQ(chain.IdentitySource("t"), ColumnPath{});
  EXPECT_EQ(chain.IdentitySource("none"), ColumnPath{});
}

TEST_F(TransformChainTest, ErrorsNameTheStepAndItsLine) {
  EXPECT_EQ(Run("a bigint", "[]", {{.kind = "select", .names = {"b"}, .place = "p.yaml:7"}}),
            Lines{"error: p.yaml:7: select: no column 'b'; did you mean 'a'?"});
  EXPECT_EQ(Run("a bigint", "[]", {{.kind = "flaten"}}),
            Lines{"error: no 'flaten' here; did you mean 'flatten'?"});
}

}  // namespace
}  // namespace tarn
