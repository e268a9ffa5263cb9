#include "tarn/ingest/transform/columns.h"

#include "tests/unit/ingest/transform/transform_fixture.h"

namespace tarn {
namespace {

using testing::Lines;

class ColumnsTest : public testing::TransformFixture {};

TEST_F(ColumnsTest, SelectsDropsAndRenames) {
  EXPECT_EQ(Run("a bigint, b string", R"([[1,"x"]])", {{.kind = "select", .names = {"b", "A"}}}),
            (Lines{"b: string, a: int64", "x|1"}));
  EXPECT_EQ(Run("a bigint, b string", R"([[1,"x"]])", {{.kind = "drop", .names = {"a"}}}),
            (Lines{"b: string", "x"}));
  EXPECT_EQ(Run("a bigint, b string", R"([[1,"x"]])",
                {{.kind = "rename", .pairs = {{"a", "b"}, {"b", "a"}}}}),
            (Lines{"b: int64, a: string", "1|x"}));
}

TEST_F(ColumnsTest, RefusesWhatCannotBe) {
  EXPECT_EQ(Run("a bigint, b string", "[]", {{.kind = "rename", .pairs = {{"a", "B"}}}}),
            Lines{"error: rename: column 'b' exists"});
  EXPECT_EQ(Run("a bigint", "[]", {{.kind = "drop", .names = {"a"}}}),
            Lines{"error: drop: no column is left"});
  EXPECT_EQ(Run("a bigint", "[]", {{.kind = "select", .names = {"a", "a"}}}),
            Lines{"error: select: column 'a' stands twice"});
}

}  // namespace
}  // namespace tarn
