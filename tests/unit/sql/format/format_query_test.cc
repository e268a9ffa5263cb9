#include <gtest/gtest.h>

#include "tests/unit/sql/parse_fixture.h"

namespace tarn::sql {
namespace {

TEST(FormatQuery, WritesCanonicalText) {
  EXPECT_EQ(Line("with a(x) as(select 1)select*from a union all select 2 order by 1 limit 3"),
            "WITH a (x) AS (SELECT 1) SELECT * FROM a UNION ALL SELECT 2 ORDER BY 1 LIMIT 3");
  EXPECT_EQ(Line("select a from t group by a,b with rollup having c qualify d"),
            "SELECT a FROM t GROUP BY a, b WITH ROLLUP HAVING c QUALIFY d");
}

TEST(FormatQuery, GivesCommonTablesLinesOfTheirOwn) {
  const ParsedScript script = Read("WITH aa AS (SELECT 1), bb AS (SELECT 2) SELECT * FROM aa, bb");
  EXPECT_EQ(Format(script, {.width = 30}),
            "WITH\n"
            "  aa AS (SELECT 1),\n"
            "  bb AS (SELECT 2)\n"
            "SELECT *\n"
            "FROM aa, bb;\n");
}

}  // namespace
}  // namespace tarn::sql
