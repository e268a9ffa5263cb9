#include <gtest/gtest.h>

#include "tests/unit/sql/parse_fixture.h"

namespace tarn::sql {
namespace {

TEST(PipeParser, ReadsEveryStep) {
  const std::string sql =
      "FROM t |> SELECT a, b AS c |> EXTEND a + 1 AS d |> SET c = 2, d = 3 |> DROP a |> AS u "
      "|> WHERE d > 1 |> JOIN v ON u.c = v.c |> AGGREGATE sum(d) AS s GROUP BY c AS k "
      "|> ORDER BY s DESC |> LIMIT 3 OFFSET 1 |> UNION ALL (SELECT 1, 2)";
  const ParsedScript script = Read(sql);
  const auto& pipes = Only<tree::Query>(script).pipes;
  ASSERT_EQ(pipes.size(), 11u);
  EXPECT_EQ(pipes[0]->step, "SELECT");
  EXPECT_EQ(pipes[0]->items.size(), 2u);
  EXPECT_EQ(pipes[2]->items[0]->name.text, "c");
  EXPECT_EQ(pipes[6]->step, "JOIN");
  const auto* const join = tree::As<tree::Join>(pipes[6]->relation);
  ASSERT_NE(join, nullptr);
  EXPECT_EQ(join->left, nullptr);
  EXPECT_EQ(pipes[7]->group_by[0]->name.text, "k");
  EXPECT_NE(pipes[10]->set_operation, nullptr);
  ExpectRoundTrip(sql);
}

TEST(PipeParser, SaysWhatItExpected) {
  EXPECT_EQ(ErrorOf("FROM t |> 1"), "line 1, column 11: expected a step after '|>', found '1'");
}

}  // namespace
}  // namespace tarn::sql
