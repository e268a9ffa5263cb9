#include <gtest/gtest.h>

#include "tests/unit/lineage/reading.h"

namespace tarn::lineage {
namespace {

TEST(Session, StatementsSeeWhatCameBefore) {
  const ScriptLineage script = testing::Lineage(
      "create table d.t as select 1 as a, 2 as b; alter table d.t rename to d.u; select * from "
      "d.u; "
      "select * from d.t");
  EXPECT_EQ(script.statements[2].output_columns.size(), 2U);
  EXPECT_EQ(script.statements[3].warnings.at(0).code, WarningCode::kUnknownTable);
}

TEST(Session, SwapExchangesColumns) {
  const ScriptLineage script = testing::Lineage(
      "create table d.t as select 1 as a; create table d.u as select 1 as b; "
      "alter table d.t swap with d.u; select * from d.t");
  const StatementLineage& last = script.statements.back();
  ASSERT_EQ(last.output_columns.size(), 1U);
  EXPECT_EQ(last.column(last.output_columns[0].column).name, "b");
}

}  // namespace
}  // namespace tarn::lineage
