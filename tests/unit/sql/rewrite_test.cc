#include "tarn/sql/rewrite.h"

#include <string>

#include <gtest/gtest.h>

namespace tarn::sql {
namespace {

std::string Spelled(std::string_view sql) {
  auto edits = SpellingEdits(sql);
  EXPECT_TRUE(edits.ok()) << sql;
  return edits.ok() ? ApplyEdits(sql, std::move(edits).value()).text : "";
}

TEST(SpellingEdits, LeavesStringsAndCommentsAlone) {
  const std::string sql = "SELECT '`a` == b RLIKE c' /* `a` <=> b */, \"x == y\" -- 10L ==";
  EXPECT_EQ(Spelled(sql), sql);
}

TEST(SpellingEdits, IdentifiersAndOperators) {
  EXPECT_EQ(Spelled("SELECT `a b`, `c``\"d` FROM t WHERE a == b AND c <=> d"),
            "SELECT \"a b\", \"c`\"\"d\" FROM t WHERE a = b AND c IS NOT DISTINCT FROM d");
  EXPECT_EQ(Spelled("SELECT default.t.c FROM default.t"),
            "SELECT \"default\".t.c FROM \"default\".t");
}

TEST(SpellingEdits, RegularMatchesAnywhere) {
  EXPECT_EQ(Spelled("a RLIKE '^x''y'"), "a ~ '(?s:.*)(?:^x''y)(?s:.*)'");
  EXPECT_EQ(Spelled("a NOT RLIKE t.b AND c"), "a !~ ('(?s:.*)(?:' || t.b || ')(?s:.*)') AND c");
  EXPECT_EQ(Spelled("a REGEXP f(b)"), "a ~ ('(?s:.*)(?:' || f(b) || ')(?s:.*)')");
  EXPECT_EQ(Spelled("SELECT rlike, t.rlike"), "SELECT rlike, t.rlike");
}

TEST(SpellingEdits, NumbersWithATypeBehind) {
  EXPECT_EQ(Spelled("10L, 1.5D, 2y, 12.34BD, 1e3"),
            "CAST(10 AS BIGINT), CAST(1.5 AS DOUBLE), CAST(2 AS TINYINT), CAST(12.34 AS DECIMAL(4, "
            "2)), 1e3");
  EXPECT_EQ(Spelled("10 L"), "10 L");
}

TEST(SpellingEdits, TypesInCasts) {
  EXPECT_EQ(Spelled("CAST(x AS ARRAY<MAP<STRING, INT>>)"), "CAST(x AS MAP(VARCHAR, INTEGER)[])");
  EXPECT_EQ(Spelled("x::STRUCT<a: INT>"), "x::STRUCT(\"a\" INTEGER)");
  EXPECT_EQ(Spelled("TRY_CAST(f(a) AS BYTE), x::TIMESTAMP_NTZ, CAST(x AS STRING)"),
            "TRY_CAST(f(a) AS TINYINT), x::TIMESTAMP, CAST(x AS STRING)");
  EXPECT_EQ(Spelled("a::int < b"), "a::int < b");
}

TEST(SpellingEdits, Calls) {
  EXPECT_EQ(Spelled("array(1, 2), array(SELECT 1), explode(x), nvl(a, b), t.array(1)"),
            "list_value(1, 2), array(SELECT 1), unnest(x), coalesce(a, b), t.array(1)");
  EXPECT_EQ(Spelled("to_date(a), to_date(a, 'f'), current_date(), current_timestamp"),
            "CAST(a AS DATE), to_date(a, 'f'), current_date, current_timestamp");
}

TEST(QualifierEdits, ReferencesThroughADottedName) {
  const std::string sql = "SELECT ns.t.a, x.ns.t.b, u.c FROM ns.t JOIN ns.u AS u ON NS.T.a = u.a";
  const auto uses = FindTables(sql).value();
  const auto edits = QualifierEdits(sql, uses).value();
  EXPECT_EQ(ApplyEdits(sql, edits).text,
            "SELECT \"t\".a, x.ns.t.b, u.c FROM ns.t JOIN ns.u AS u ON \"t\".a = u.a");
}

TEST(ApplyEdits, DropsWhatLiesWithinAndFindsTheWayBack) {
  const Rewritten result =
      ApplyEdits("abcdef", {{{1, 4}, "XY"}, {{2, 3}, "no"}, {{5, 5}, "+"}, {{4, 4}, "-"}});
  EXPECT_EQ(result.text, "aXY-e+f");
  EXPECT_EQ(result.OriginalOffset(0), 0u);
  EXPECT_EQ(result.OriginalOffset(2), 1u);
  EXPECT_EQ(result.OriginalOffset(4), 4u);
  EXPECT_EQ(result.OriginalOffset(6), 5u);
  EXPECT_EQ(ApplyEdits("abc", {}).text, "abc");
}

TEST(ApplyEdits, AtOnePlaceInsertionsComeFirst) {
  EXPECT_EQ(ApplyEdits("abc", {{{1, 2}, "B"}, {{1, 1}, "<"}, {{2, 2}, ">"}}).text, "a<B>c");
}

}  // namespace
}  // namespace tarn::sql
