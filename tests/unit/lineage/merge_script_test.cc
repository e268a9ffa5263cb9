#include "tarn/lineage/merge_script.h"

#include <gtest/gtest.h>

#include "tests/unit/lineage/reading.h"

namespace tarn::lineage {
namespace {

using testing::Texts;

TEST(MergeScript, ATableWrittenAndRenamedGoesByItsNewName) {
  const MergedLineage merged = MergeScript(
      testing::Lineage("create table d.x as select a from d.s; alter table d.x rename to d.y; "
                       "create table d.z as select a from d.y",
                       R"({"d.s": ["a"]})"));
  EXPECT_EQ(merged.inputs, Texts({"d.s", "d.y"}));
  EXPECT_EQ(merged.outputs, Texts({"d.y", "d.z"}));
  ASSERT_EQ(merged.columns.size(), 2U);
  EXPECT_EQ(merged.columns[0].output, "d.y.a");
  EXPECT_EQ(merged.columns[1].sources.at(0).column, "d.y.a");
}

TEST(MergeScript, TwoWritersOfOneColumn) {
  const MergedLineage merged = MergeScript(
      testing::Lineage("insert into d.r select a from d.s; insert into d.r select sum(a) "
                       "from d.s",
                       R"({"d.s": ["a"], "d.r": ["x"]})"));
  ASSERT_EQ(merged.columns.size(), 1U);
  ASSERT_EQ(merged.columns[0].sources.size(), 1U);
  EXPECT_EQ(merged.columns[0].sources[0].kind, EdgeKind::kAggregation);
}

}  // namespace
}  // namespace tarn::lineage
