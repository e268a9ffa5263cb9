#include "tarn/sql/tree_text.h"

#include <gtest/gtest.h>

#include "tests/unit/sql/parse_fixture.h"

namespace tarn::sql {
namespace {

TEST(TreeText, IsALinePerNode) {
  EXPECT_EQ(Trees(Read("select a.b, 1 + x as y from t as u where c is not null")),
            "Query\n"
            "  body: Select select_said\n"
            "    items: Alias\n"
            "      expression: Column name=a.b\n"
            "    items: Alias name=y\n"
            "      expression: Binary symbol=+\n"
            "        operands: Literal tokens=[1]\n"
            "        operands: Column name=x\n"
            "    from: Table name=t alias=u\n"
            "    where: Is negated test=NULL\n"
            "      operand: Column name=c\n");
}

TEST(TreeText, DoesNotDependOnLayout) {
  EXPECT_EQ(Trees(Read("SELECT a,b FROM t")), Trees(Read("select  a ,\n b /* x */ from t ;")));
  EXPECT_NE(Trees(Read("SELECT a FROM t")), Trees(Read("SELECT a AS a FROM t")));
}

}  // namespace
}  // namespace tarn::sql
