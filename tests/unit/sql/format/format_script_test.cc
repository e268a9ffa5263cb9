#include "tarn/sql/formatter.h"

#include <gtest/gtest.h>

#include "tests/unit/sql/parse_fixture.h"

namespace tarn::sql {
namespace {

std::string Formatted(std::string_view sql, int32_t width = 100) {
  return Format(Parse(sql, SparkDialect()), {.width = width});
}

TEST(Formatter, KeepsAShortStatementOnOneLine) {
  EXPECT_EQ(Formatted("select  a,b from t where c=1"), "SELECT a, b FROM t WHERE c = 1;\n");
}

TEST(Formatter, BreaksTheOutermostFirst) {
  EXPECT_EQ(
      Formatted("insert into t select aaaa, sum(bbbb) from ssss join uuuu on x = y where cccc "
                "and dddd group by aaaa",
                30),
      "INSERT INTO t\n"
      "SELECT aaaa, sum(bbbb)\n"
      "FROM ssss JOIN uuuu ON x = y\n"
      "WHERE cccc AND dddd\n"
      "GROUP BY aaaa;\n");
}

TEST(Formatter, KeepsCommentsAndHints) {
  EXPECT_EQ(Formatted("-- first\nselect /*+ BROADCAST(t) */ a, -- of a\n b from t; -- last\n"),
            "-- first\n"
            "SELECT /*+ BROADCAST(t) */\n"
            "  a,\n"
            "  -- of a\n"
            "  b\n"
            "FROM t;\n"
            "-- last\n");
}

TEST(Formatter, LeavesWhatItCannotReadAsItWas) {
  EXPECT_EQ(Formatted("select 1; selct  /* x */ 2; select 3"),
            "SELECT 1;\nselct  /* x */ 2;\nSELECT 3;\n");
  EXPECT_EQ(Formatted(""), "");
}

TEST(Formatter, NoTwoTokensBecomeOne) {
  ExpectRoundTrip("SELECT - - 1, a - -1, {'x': {'y': 1}}, {{ t }}", DuckDbDialect());
  ExpectRoundTrip("SELECT 1 -- c\n, 2 /* d */ FROM t -- e\n WHERE /* f */ a -- g\n AND b");
}

TEST(Formatter, ANodeIsOneLine) {
  const ParsedScript script = Read("SELECT a,\n b -- x\n FROM t");
  EXPECT_EQ(FormatNode(*script.statements[0].root), "SELECT a, b FROM t");
}

}  // namespace
}  // namespace tarn::sql
