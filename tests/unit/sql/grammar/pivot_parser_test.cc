#include <gtest/gtest.h>

#include "tests/unit/sql/parse_fixture.h"

namespace tarn::sql {
namespace {

using tree::As;

TEST(PivotParser, ReadsPivot) {
  const ParsedScript script = Read(
      "SELECT * FROM t PIVOT (sum(a) AS s, max(b) FOR (q, r) IN (('Q1', 1) AS x, ('Q2', 2))) p");
  const auto* const pivot = As<tree::Pivot>(OnlySelect(script).from[0]);
  ASSERT_NE(pivot, nullptr);
  EXPECT_EQ(pivot->aggregates.size(), 2u);
  EXPECT_EQ(pivot->keys.size(), 2u);
  ASSERT_EQ(pivot->values.size(), 2u);
  EXPECT_EQ(pivot->values[0]->name.text, "x");
  EXPECT_EQ(pivot->alias.name.text, "p");
}

TEST(PivotParser, ReadsUnpivot) {
  const ParsedScript script =
      Read("SELECT * FROM t UNPIVOT INCLUDE NULLS ((v, w) FOR n IN ((a, b) AS ab, (c, d)))");
  const auto* const unpivot = As<tree::Unpivot>(OnlySelect(script).from[0]);
  ASSERT_NE(unpivot, nullptr);
  EXPECT_EQ(unpivot->values.size(), 2u);
  EXPECT_EQ(unpivot->items.size(), 2u);
  EXPECT_NE(unpivot->items[0]->label, nullptr);
}

TEST(PivotParser, ReadsDuckDbsStatements) {
  ExpectRoundTrip("PIVOT t ON y USING sum(p) AS total, max(p) GROUP BY c", DuckDbDialect());
  ExpectRoundTrip("UNPIVOT t ON jan, feb INTO NAME month VALUE sales", DuckDbDialect());
  ExpectRoundTrip("SELECT * FROM (PIVOT t ON y USING sum(p)) x", DuckDbDialect());
}

TEST(PivotParser, ReadsMatchRecognize) {
  const ParsedScript script = Read(
      "SELECT * FROM o MATCH_RECOGNIZE (PARTITION BY c ORDER BY d MEASURES A.p AS s, last(B.p) AS "
      "e "
      "ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (A B+ (C | D)*) "
      "SUBSET U = (A, B) DEFINE B AS B.p < prev(B.p), C AS C.p > 0) AS m",
      TrinoDialect());
  const auto* const match = As<tree::MatchRecognize>(OnlySelect(script).from[0]);
  ASSERT_NE(match, nullptr);
  EXPECT_EQ(match->measures.size(), 2u);
  ASSERT_EQ(match->defines.size(), 2u);
  EXPECT_EQ(match->defines[0]->name.text, "B");
  EXPECT_EQ(match->alias.name.text, "m");
  ExpectRoundTrip(std::string(script.text), TrinoDialect());
}

}  // namespace
}  // namespace tarn::sql
