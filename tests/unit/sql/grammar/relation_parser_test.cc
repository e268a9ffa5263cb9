#include <gtest/gtest.h>

#include "tests/unit/sql/parse_fixture.h"

namespace tarn::sql {
namespace {

using tree::As;

const tree::Node* From(const ParsedScript& script, size_t at = 0) {
  return OnlySelect(script).from[at];
}

TEST(RelationParser, ReadsJoins) {
  const ParsedScript script = Read(
      "SELECT 1 FROM a LEFT SEMI JOIN b ON a.x = b.x NATURAL FULL OUTER JOIN c JOIN d USING (x, "
      "y)");
  const auto* const last = As<tree::Join>(From(script));
  ASSERT_NE(last, nullptr);
  EXPECT_EQ(last->using_columns.size(), 2u);
  const auto* const middle = As<tree::Join>(last->left);
  EXPECT_TRUE(middle->natural);
  EXPECT_EQ(middle->join, tree::JoinKind::kFull);
  EXPECT_EQ(As<tree::Join>(middle->left)->join, tree::JoinKind::kLeftSemi);
}

TEST(RelationParser, AConditionBelongsToTheLastOpenJoin) {
  const ParsedScript script = Read("SELECT 1 FROM a JOIN b JOIN c ON b.x = c.x ON a.x = b.x");
  const auto* const outer = As<tree::Join>(From(script));
  ASSERT_NE(outer, nullptr);
  EXPECT_EQ(As<tree::Table>(outer->left)->name.parts[0].text, "a");
  ASSERT_NE(As<tree::Join>(outer->right), nullptr);
  EXPECT_NE(outer->on, nullptr);
}

TEST(RelationParser, ReadsLateralViews) {
  const ParsedScript script = Read(
      "SELECT 1 FROM t LATERAL VIEW OUTER explode(a) x AS y, z LATERAL VIEW posexplode(y) AS p, q "
      "WHERE p > 0");
  const auto* const second = As<tree::LateralView>(From(script));
  ASSERT_NE(second, nullptr);
  EXPECT_TRUE(second->table_alias.empty());
  EXPECT_EQ(second->columns.size(), 2u);
  const auto* const first = As<tree::LateralView>(second->input);
  ASSERT_NE(first, nullptr);
  EXPECT_TRUE(first->outer);
  EXPECT_EQ(first->table_alias.text, "x");
  EXPECT_EQ(first->columns.size(), 2u);
}

TEST(RelationParser, ARelationAfterALateralViewIsNoColumnOfIt) {
  for (const char* sql : {"SELECT 1 FROM t LATERAL VIEW explode(a) e AS y, UNNEST(b) u",
                          "SELECT 1 FROM t LATERAL VIEW explode(a) e AS y, f(1) u",
                          "SELECT 1 FROM t LATERAL VIEW explode(a) e AS y, s TABLESAMPLE (10 ROWS)",
                          "SELECT 1 FROM t LATERAL VIEW explode(a) e AS y, d.s"}) {
    EXPECT_EQ(OnlySelect(Read(sql)).from.size(), 2U) << sql;
    ExpectRoundTrip(sql);
  }
}

TEST(RelationParser, ReadsFunctions) {
  const ParsedScript script = Read(
      "SELECT 1 FROM UNNEST(a, b) WITH ORDINALITY AS t (x, y, n), LATERAL f(t.x) AS g, range(10) r",
      TrinoDialect());
  const auto* const unnest = As<tree::Function>(From(script, 0));
  ASSERT_NE(unnest, nullptr);
  EXPECT_EQ(unnest->with, "WITH ORDINALITY");
  EXPECT_EQ(unnest->alias.columns.size(), 3u);
  EXPECT_TRUE(As<tree::Function>(From(script, 1))->lateral);
  EXPECT_EQ(As<tree::Function>(From(script, 2))->alias.name.text, "r");
}

TEST(RelationParser, TellsBracketsApart) {
  const ParsedScript script = Read(
      "SELECT 1 FROM (SELECT 1) a, ((SELECT 1) UNION (SELECT 2)) b, (c JOIN d ON x) e, "
      "(VALUES (1), (2)) AS f (g), VALUES (1) AS h (i)");
  EXPECT_NE(As<tree::Derived>(From(script, 0)), nullptr);
  EXPECT_NE(As<tree::Derived>(From(script, 1)), nullptr);
  EXPECT_NE(As<tree::Nested>(From(script, 2)), nullptr);
  EXPECT_EQ(As<tree::Derived>(From(script, 3))->alias.columns.size(), 1u);
  EXPECT_TRUE(As<tree::Derived>(From(script, 4))->bare);
}

TEST(RelationParser, ReadsWhatMayFollowAName) {
  const ParsedScript script = Read(
      "SELECT 1 FROM a TABLESAMPLE (BUCKET 1 OUT OF 4 ON x) s, b FOR VERSION AS OF 3 t, "
      "parquet.`/x/y.parquet` p, c TIMESTAMP AS OF '2024-01-01'");
  const auto* const sampled = As<tree::Table>(From(script, 0));
  ASSERT_NE(sampled->sample, nullptr);
  EXPECT_EQ(sampled->sample->on.size(), 1u);
  EXPECT_EQ(sampled->alias.name.text, "s");
  EXPECT_EQ(As<tree::Table>(From(script, 1))->as_of->words, "FOR VERSION AS OF");
  EXPECT_EQ(As<tree::Table>(From(script, 2))->name.parts[1].Value(), "/x/y.parquet");
  EXPECT_NE(As<tree::Table>(From(script, 3))->as_of, nullptr);
}

TEST(RelationParser, RoundTripsWhatIsRare) {
  ExpectRoundTrip("SELECT * FROM {{ ref('a') }} x JOIN {{ source('b', 'c') }} ON x.d = e");
  ExpectRoundTrip("SELECT * FROM noop(ON t PARTITION BY a ORDER BY b) x", HiveDialect());
  ExpectRoundTrip("SELECT * FROM a ASOF LEFT JOIN b ON x >= y POSITIONAL JOIN c", DuckDbDialect());
  ExpectRoundTrip("SELECT * FROM ROWS FROM (f(1), g(2)) AS t (a INT, b TEXT)", PostgresDialect());
  ExpectRoundTrip("SELECT * FROM a, LATERAL (SELECT a.x) b CROSS JOIN LATERAL f(y) c",
                  PostgresDialect());
}

}  // namespace
}  // namespace tarn::sql
