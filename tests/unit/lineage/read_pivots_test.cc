#include <gtest/gtest.h>

#include "tests/unit/lineage/reading.h"

namespace tarn::lineage {
namespace {

using testing::Edges;
using testing::Statement;
using testing::Texts;

TEST(ReadPivots, TheKeyDecidesAboutEachColumn) {
  EXPECT_EQ(
      Edges("select * from d.s pivot (max(v) for k in (1 as one))", R"({"d.s": ["g", "k", "v"]})"),
      Texts({"g <- d.s.g IDENTITY", "one <- d.s.v AGGREGATION", "one <- d.s.k CONDITIONAL",
             "* <- d.s.g GROUP_BY"}));
}

TEST(ReadPivots, NamesAreConstants) {
  const StatementLineage read =
      Statement("select m from d.s unpivot (v for m in (a, b))", R"({"d.s": ["a", "b"]})");
  EXPECT_EQ(read.output_columns.size(), 1U);
  EXPECT_TRUE(read.edges.empty());
}

}  // namespace
}  // namespace tarn::lineage
