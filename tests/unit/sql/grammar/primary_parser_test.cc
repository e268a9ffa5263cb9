#include <gtest/gtest.h>

#include "tests/unit/sql/parse_fixture.h"

namespace tarn::sql {
namespace {

using tree::As;

const tree::Node* Item(const ParsedScript& script, size_t at = 0) {
  return OnlySelect(script).items[at]->expression;
}

TEST(PrimaryParser, ReadsLiterals) {
  const ParsedScript script =
      Read("SELECT 1.5BD, 'a' 'b', null, True, date'2024-01-01', timestamp '2024-01-01 00:00:00'");
  EXPECT_EQ(As<tree::Literal>(Item(script, 0))->tokens[0], "1.5BD");
  EXPECT_EQ(As<tree::Literal>(Item(script, 1))->tokens.size(), 2u);
  EXPECT_EQ(As<tree::Literal>(Item(script, 2))->what, tree::Literal::Class::kNull);
  EXPECT_EQ(As<tree::Literal>(Item(script, 3))->what, tree::Literal::Class::kBoolean);
  EXPECT_EQ(As<tree::Literal>(Item(script, 4))->type, "DATE");
  EXPECT_EQ(As<tree::Literal>(Item(script, 5))->what, tree::Literal::Class::kTyped);
}

TEST(PrimaryParser, WordsWithASyntaxOfTheirOwnMayBeNames) {
  const ParsedScript script =
      Read("SELECT date, interval, t.case, array, map, exists, cast, row FROM t");
  for (size_t i = 0; i < 8; ++i) EXPECT_NE(As<tree::Column>(Item(script, i)), nullptr) << i;
}

TEST(PrimaryParser, ReadsIntervals) {
  EXPECT_EQ(Line("SELECT interval '1' day + INTERVAL 1 day 2 hours, interval '1-2' year to month"),
            "SELECT INTERVAL '1' DAY + INTERVAL 1 DAY 2 HOURS, INTERVAL '1-2' YEAR TO MONTH");
  EXPECT_NE(As<tree::Interval>(Item(Read("SELECT interval (a + 1) day"))), nullptr);
  EXPECT_NE(As<tree::Interval>(Item(Read("SELECT interval -3 days"))), nullptr);
}

TEST(PrimaryParser, TellsBracketsApart) {
  const ParsedScript script = Read(
      "SELECT (a), (a, b), (SELECT 1), ((SELECT 1) UNION (SELECT 2)), ((SELECT 1) + 1), (x, y) -> "
      "x");
  EXPECT_EQ(Item(script, 0)->kind, tree::NodeKind::kParenthesized);
  EXPECT_EQ(Item(script, 1)->kind, tree::NodeKind::kRow);
  EXPECT_EQ(Item(script, 2)->kind, tree::NodeKind::kSubquery);
  EXPECT_EQ(Item(script, 3)->kind, tree::NodeKind::kSubquery);
  EXPECT_EQ(Item(script, 4)->kind, tree::NodeKind::kParenthesized);
  EXPECT_EQ(As<tree::Lambda>(Item(script, 5))->parameters.size(), 2u);
}

TEST(PrimaryParser, AnArrowTakesAFieldWhereItIsNoLambda) {
  EXPECT_EQ(Item(Read("SELECT f(x -> x + 1)", TrinoDialect()))->kind, tree::NodeKind::kCall);
  EXPECT_EQ(Item(Read("SELECT x -> 'a'", DuckDbDialect()))->kind, tree::NodeKind::kBinary);
  EXPECT_EQ(Item(Read("SELECT x -> y", PostgresDialect()))->kind, tree::NodeKind::kBinary);
}

TEST(PrimaryParser, ReadsStars) {
  const ParsedScript script = Read(
      "SELECT *, t.*, a.b.* EXCEPT (c, d), * REPLACE (x + 1 AS x) RENAME (y AS z), f(x).*, "
      "count(*)");
  EXPECT_TRUE(As<tree::Star>(Item(script, 0))->qualifier.empty());
  EXPECT_EQ(tree::NameText(As<tree::Star>(Item(script, 1))->qualifier), "t");
  EXPECT_EQ(As<tree::Star>(Item(script, 2))->except.size(), 2u);
  EXPECT_EQ(As<tree::Star>(Item(script, 3))->replace.size(), 1u);
  EXPECT_EQ(As<tree::Star>(Item(script, 3))->rename.size(), 1u);
  EXPECT_NE(As<tree::Star>(Item(script, 4))->base, nullptr);
  EXPECT_TRUE(As<tree::Call>(Item(script, 5))->star);
}

TEST(PrimaryParser, AcceptsTemplatesAndParameters) {
  const ParsedScript script =
      Read("SELECT ${hivevar:x}, :name, ?, {{ ds }}, ${db}.t.c FROM ${db}.t_${env}");
  EXPECT_EQ(As<tree::Parameter>(Item(script, 0))->text, "${hivevar:x}");
  EXPECT_EQ(As<tree::Parameter>(Item(script, 1))->text, ":name");
  EXPECT_EQ(As<tree::Parameter>(Item(script, 3))->text, "{{ ds }}");
  EXPECT_EQ(As<tree::Column>(Item(script, 4))->name.parts.size(), 3u);
  EXPECT_EQ(tree::NameText(As<tree::Table>(OnlySelect(script).from[0])->name), "${db}.t_${env}");
}

TEST(PrimaryParser, ReadsNestedValues) {
  ExpectRoundTrip("SELECT [1, 2], {'a': 1, b: {'c': 2}}, MAP {'k': v}, [x + 1 FOR x IN l IF x > 0]",
                  DuckDbDialect());
  ExpectRoundTrip(
      "SELECT ARRAY[1], ROW(1, 'a'), CASE a WHEN 1 THEN 2 ELSE 3 END, TRY_CAST(a AS int)",
      TrinoDialect());
  EXPECT_EQ(ErrorOf("SELECT CASE WHEN a THEN b"),
            "line 1, column 26: expected 'END', found the end");
}

}  // namespace
}  // namespace tarn::sql
