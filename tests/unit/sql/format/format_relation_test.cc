#include <gtest/gtest.h>

#include "tests/unit/sql/parse_fixture.h"

namespace tarn::sql {
namespace {

TEST(FormatRelation, WritesCanonicalText) {
  EXPECT_EQ(
      Line("select*from a x left outer join(select 1)y using(k)lateral view explode(z)w as v"),
      "SELECT * FROM a AS x LEFT OUTER JOIN (SELECT 1) AS y USING (k) LATERAL VIEW explode(z) w "
      "AS v");
  EXPECT_EQ(Line("select*from t tablesample(10 percent)s"),
            "SELECT * FROM t TABLESAMPLE (10 percent) AS s");
  EXPECT_EQ(Line("select*from t pivot(sum(a)for b in(1 as c,2))"),
            "SELECT * FROM t PIVOT (sum(a) FOR b IN (1 AS c, 2))");
}

}  // namespace
}  // namespace tarn::sql
