#include <gtest/gtest.h>

#include "tests/unit/sql/parse_fixture.h"

namespace tarn::sql {
namespace {

using tree::As;

const tree::Call& FirstCall(const ParsedScript& script) {
  const auto* const call = As<tree::Call>(OnlySelect(script).items[0]->expression);
  if (call == nullptr) std::abort();
  return *call;
}

TEST(CallParser, ReadsAggregates) {
  const ParsedScript script =
      Read("SELECT array_agg(DISTINCT a ORDER BY b DESC NULLS LAST) FILTER (WHERE c > 0) FROM t",
           TrinoDialect());
  const tree::Call& call = FirstCall(script);
  EXPECT_EQ(call.quantifier, "DISTINCT");
  ASSERT_EQ(call.order_by.size(), 1u);
  EXPECT_EQ(call.order_by[0]->nulls, "LAST");
  EXPECT_NE(call.filter, nullptr);
  ExpectRoundTrip(
      "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY x), first(x) IGNORE NULLS OVER w,"
      " last(x IGNORE NULLS) FROM t WINDOW w AS (PARTITION BY a)");
}

TEST(CallParser, ReadsWindows) {
  const ParsedScript script = Read(
      "SELECT sum(x) OVER (w PARTITION BY a, b ORDER BY c ROWS BETWEEN 1 PRECEDING AND CURRENT ROW "
      "EXCLUDE TIES) FROM t");
  const tree::Window& window = *FirstCall(script).over;
  EXPECT_EQ(window.base.text, "w");
  EXPECT_EQ(window.partition_by.size(), 2u);
  EXPECT_EQ(window.frame_start, "PRECEDING");
  EXPECT_EQ(window.frame_end, "CURRENT ROW");
  EXPECT_EQ(window.exclude, "TIES");
  EXPECT_FALSE(FirstCall(Read("SELECT sum(x) OVER w FROM t")).over->parenthesized);
}

TEST(CallParser, KeepsUnitsApartFromColumns) {
  const ParsedScript script = Read("SELECT extract(YEAR FROM d)");
  const tree::Call& call = FirstCall(script);
  ASSERT_EQ(call.arguments.size(), 2u);
  EXPECT_EQ(As<tree::Argument>(call.arguments[0])->keyword, "YEAR");
  EXPECT_EQ(As<tree::Argument>(call.arguments[0])->value, nullptr);
  EXPECT_EQ(As<tree::Argument>(call.arguments[1])->keyword, "FROM");
  const ParsedScript add = Read("SELECT dateadd(DAY, 1, d)");
  EXPECT_EQ(As<tree::Argument>(FirstCall(add).arguments[0])->keyword, "DAY");
}

TEST(CallParser, ReadsTheOldestFunctions) {
  EXPECT_EQ(
      Line("SELECT trim(BOTH 'x' FROM y), substring(a FROM 1 FOR 2), overlay(a PLACING b FROM 1)",
           TrinoDialect()),
      "SELECT trim(BOTH 'x' FROM y), substring(a FROM 1 FOR 2), overlay(a PLACING b FROM 1)");
  ExpectRoundTrip("SELECT position('a' IN b), floor(x TO DAY), f(a => 1, b := 2), current_date");
}

TEST(CallParser, ReadsTablesAsArguments) {
  const ParsedScript script =
      Read("SELECT * FROM TABLE(f(input => TABLE(t) PARTITION BY a ORDER BY b, n => 3)) x",
           TrinoDialect());
  const auto* const function = As<tree::Function>(OnlySelect(script).from[0]);
  ASSERT_NE(function, nullptr);
  const tree::Call& call = *function->calls[0];
  ASSERT_EQ(call.arguments.size(), 2u);
  const auto* const table = As<tree::TableArgument>(As<tree::Argument>(call.arguments[0])->value);
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table->partition_by.size(), 1u);
  EXPECT_EQ(table->order_by.size(), 1u);
}

}  // namespace
}  // namespace tarn::sql
