#include "tarn/lineage/lineage.h"

#include <gtest/gtest.h>

#include "tests/unit/lineage/reading.h"

namespace tarn::lineage {
namespace {

using testing::Statement;

TEST(Lineage, NamesOfEnums) {
  EXPECT_EQ(EdgeKindName(EdgeKind::kGroupBy), "GROUP_BY");
  EXPECT_EQ(EdgeKindName(EdgeKind::kConditional), "CONDITIONAL");
  EXPECT_EQ(OperationName(Operation::kCreateTableAsSelect), "create table as select");
  EXPECT_EQ(OperationName(Operation::kOther), "other");
  EXPECT_EQ(WarningCodeName(WarningCode::kTooDeep), "too_deep");
}

TEST(Lineage, EdgesIntoOneColumn) {
  const StatementLineage read =
      Statement("create table d.r as select a + b as x, c from d.s where e = 1",
                R"({"d.s": ["a", "b", "c", "e"]})");
  ASSERT_EQ(read.output_columns.size(), 2U);
  const DatasetId target = read.outputs.at(0);
  EXPECT_EQ(EdgesInto(read, target, read.output_columns[0].column).size(), 2U);
  EXPECT_EQ(EdgesInto(read, target, read.output_columns[1].column).size(), 1U);
  const auto rows = EdgesInto(read, target, kEveryColumn);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(QualifiedName(read, rows[0].input), "d.s.e");
  EXPECT_TRUE(EdgesInto(read, read.inputs.at(0), kEveryColumn).empty());
}

}  // namespace
}  // namespace tarn::lineage
