#include <gtest/gtest.h>

#include "tests/unit/lineage/reading.h"

namespace tarn::lineage {
namespace {

using testing::Statement;

TEST(ReadStatements, Operations) {
  EXPECT_EQ(Statement("insert into d.r select 1").operation, Operation::kInsert);
  EXPECT_EQ(Statement("insert overwrite d.r select 1").operation, Operation::kInsertOverwrite);
  EXPECT_EQ(Statement("from d.s insert into d.r select a").operation, Operation::kMultiInsert);
  EXPECT_EQ(Statement("delete from d.r").operation, Operation::kDelete);
  EXPECT_EQ(Statement("select 1").operation, Operation::kQuery);
  EXPECT_EQ(Statement("show tables").operation, Operation::kOther);
}

TEST(ReadStatements, PartitionsAsWritten) {
  const StatementLineage read =
      Statement("insert into d.r partition (dt = date '2024-01-01', hr) select a, h from d.s");
  ASSERT_EQ(read.partitions.size(), 2U);
  EXPECT_EQ(read.partitions[0].value, "date '2024-01-01'");
  EXPECT_EQ(read.partitions[1].value, std::nullopt);
}

}  // namespace
}  // namespace tarn::lineage
