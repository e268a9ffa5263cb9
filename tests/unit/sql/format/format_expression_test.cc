#include <gtest/gtest.h>

#include "tests/unit/sql/parse_fixture.h"

namespace tarn::sql {
namespace {

TEST(FormatExpression, WritesCanonicalText) {
  EXPECT_EQ(
      Line("select a||b,not c,-d,e between 1 and 2,f in(1,2),case when g then h else i end"),
      "SELECT a || b, NOT c, -d, e BETWEEN 1 AND 2, f IN (1, 2), CASE WHEN g THEN h ELSE i END");
  EXPECT_EQ(Line("select cast(a as int),b::string,c[1],d.e,x->x+1,exists(select 1)"),
            "SELECT CAST(a AS INT), b::string, c[1], d.e, x -> x + 1, EXISTS (SELECT 1)");
  EXPECT_EQ(Line("select sum(distinct a) filter(where b) over(partition by c order by d desc)"),
            "SELECT sum(DISTINCT a) FILTER (WHERE b) OVER (PARTITION BY c ORDER BY d DESC)");
}

TEST(FormatExpression, BreaksLongCases) {
  const ParsedScript script =
      Read("SELECT CASE WHEN aaaaaaaa THEN bbbbbbbb ELSE cccccccc END AS d");
  EXPECT_EQ(Format(script, {.width = 32}),
            "SELECT CASE\n"
            "    WHEN aaaaaaaa THEN bbbbbbbb\n"
            "    ELSE cccccccc\n"
            "  END AS d;\n");
}

}  // namespace
}  // namespace tarn::sql
