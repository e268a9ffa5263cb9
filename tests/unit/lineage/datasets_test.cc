#include <gtest/gtest.h>

#include "tests/unit/lineage/reading.h"

namespace tarn::lineage {
namespace {

using testing::Statement;
using testing::Texts;
using testing::Warnings;

TEST(Datasets, OneOfEachName) {
  const StatementLineage read = Statement(
      "insert into d.t select x.a from d.t x join D.T y on x.a = y.a", R"({"d.t": ["a"]})");
  ASSERT_EQ(read.datasets.size(), 1U);
  EXPECT_EQ(read.inputs, read.outputs);
  EXPECT_TRUE(read.datasets[0].known);
  EXPECT_EQ(read.columns.size(), 1U);
}

TEST(Datasets, KindsAndKnowledge) {
  const StatementLineage read = Statement("insert overwrite directory '/o' select a from d.s");
  EXPECT_EQ(read.dataset(read.inputs.at(0)).kind, DatasetKind::kTable);
  EXPECT_FALSE(read.dataset(read.inputs.at(0)).known);
  EXPECT_EQ(read.dataset(read.outputs.at(0)).kind, DatasetKind::kDirectory);
}

TEST(Datasets, AWarningIsSaidOnce) {
  EXPECT_EQ(Warnings("select a from d.s union all select b from d.s"), Texts({"unknown_table"}));
}

}  // namespace
}  // namespace tarn::lineage
