#include "tarn/lineage/analyze.h"

#include <gtest/gtest.h>

#include "tests/unit/lineage/reading.h"

namespace tarn::lineage {
namespace {

TEST(Analyze, OneStatementThatCannotBeRead) {
  const ScriptLineage script = testing::Lineage("select 1; selec x frm; select 2");
  ASSERT_EQ(script.statements.size(), 3U);
  ASSERT_EQ(script.statements[1].warnings.size(), 1U);
  EXPECT_EQ(script.statements[1].warnings[0].code, WarningCode::kSyntax);
  EXPECT_EQ(script.statements[2].operation, Operation::kQuery);
}

TEST(Analyze, BlocksAreTheirStatements) {
  const ScriptLineage script = testing::Lineage(
      "begin if 1 = 1 then insert into d.r select a from d.s; else delete from d.r; end if; end");
  ASSERT_EQ(script.statements.size(), 2U);
  EXPECT_EQ(script.statements[0].operation, Operation::kInsert);
  EXPECT_EQ(script.statements[1].operation, Operation::kDelete);
}

TEST(Analyze, NothingAndNonsense) {
  EXPECT_TRUE(testing::Lineage("").statements.empty());
  EXPECT_TRUE(testing::Lineage(" ;; -- no").statements.empty());
  EXPECT_FALSE(testing::Lineage("\x01\xff)(").statements.empty());
}

}  // namespace
}  // namespace tarn::lineage
