#include <gtest/gtest.h>

#include "tests/unit/sql/parse_fixture.h"

namespace tarn::sql {
namespace {

using tree::As;

TEST(QueryParser, ReadsEveryClause) {
  const ParsedScript script = Read(
      "SELECT DISTINCT a AS x, b y FROM t WHERE c GROUP BY a, b HAVING d QUALIFY e WINDOW w AS () "
      "ORDER BY f LIMIT 1 OFFSET 2");
  const auto& query = Only<tree::Query>(script);
  const tree::Select& select = OnlySelect(script);
  EXPECT_EQ(select.quantifier, "DISTINCT");
  EXPECT_EQ(select.items[0]->name.text, "x");
  EXPECT_EQ(select.items[1]->name.text, "y");
  EXPECT_NE(select.where, nullptr);
  EXPECT_EQ(select.group_by.size(), 2u);
  EXPECT_NE(select.having, nullptr);
  EXPECT_NE(select.qualify, nullptr);
  EXPECT_EQ(select.windows.size(), 1u);
  EXPECT_EQ(query.order_by.size(), 1u);
  EXPECT_NE(query.limit, nullptr);
  EXPECT_NE(query.offset, nullptr);
}

TEST(QueryParser, SpansAreWhatWasWritten) {
  const std::string sql = "select  coalesce( name , count(id) ) n, (a+b) from t";
  const ParsedScript script = Read(sql);
  const tree::Select& select = OnlySelect(script);
  EXPECT_EQ(tree::TextOf(script.text, select.items[0]->expression->span),
            "coalesce( name , count(id) )");
  EXPECT_EQ(tree::TextOf(script.text, select.items[0]->span), "coalesce( name , count(id) ) n");
  EXPECT_EQ(tree::TextOf(script.text, select.items[1]->span), "(a+b)");
}

TEST(QueryParser, SetOperationsBindAsTheStandardSays) {
  const ParsedScript script = Read("SELECT 1 UNION SELECT 2 INTERSECT SELECT 3 UNION SELECT 4");
  const auto* const operation = As<tree::SetOperation>(Only<tree::Query>(script).body);
  ASSERT_NE(operation, nullptr);
  EXPECT_EQ(operation->word, "UNION");
  ASSERT_EQ(operation->operands.size(), 3u);
  EXPECT_EQ(As<tree::SetOperation>(operation->operands[1])->word, "INTERSECT");
  const ParsedScript mixed = Read("SELECT 1 UNION ALL SELECT 2 UNION SELECT 3");
  const auto* const outer = As<tree::SetOperation>(Only<tree::Query>(mixed).body);
  EXPECT_EQ(outer->quantifier, "");
  EXPECT_EQ(As<tree::SetOperation>(outer->operands[0])->quantifier, "ALL");
}

TEST(QueryParser, ReadsWith) {
  const ParsedScript script =
      Read("WITH RECURSIVE a (x, y) AS (SELECT 1, 2), raw AS (VALUES (1)) SELECT * FROM a, raw");
  const tree::With& with = *Only<tree::Query>(script).with;
  EXPECT_TRUE(with.recursive);
  ASSERT_EQ(with.ctes.size(), 2u);
  EXPECT_EQ(with.ctes[0]->columns.size(), 2u);
  EXPECT_EQ(with.ctes[1]->name.text, "raw");
}

TEST(QueryParser, ReadsGroupings) {
  const ParsedScript hive =
      Read("SELECT 1 FROM t GROUP BY a, b GROUPING SETS ((a, b), a, ())", HiveDialect());
  ASSERT_NE(OnlySelect(hive).grouping_sets, nullptr);
  EXPECT_EQ(OnlySelect(hive).grouping_sets->elements.size(), 3u);
  const ParsedScript trino =
      Read("SELECT 1 FROM t GROUP BY ROLLUP (a, b), CUBE (c), ()", TrinoDialect());
  EXPECT_EQ(OnlySelect(trino).group_by.size(), 3u);
  EXPECT_TRUE(OnlySelect(Read("SELECT a FROM t GROUP BY ALL")).group_by_all);
  EXPECT_EQ(OnlySelect(Read("SELECT a FROM t GROUP BY a WITH CUBE")).group_by_with, "CUBE");
}

TEST(QueryParser, ReadsTransform) {
  const ParsedScript script = Read(
      "SELECT TRANSFORM(a, b) ROW FORMAT SERDE 'x' USING 'python m.py' AS (k string, v int) FROM t",
      HiveDialect());
  const tree::Transform& transform = *OnlySelect(script).transform;
  EXPECT_EQ(transform.arguments.size(), 2u);
  EXPECT_EQ(transform.columns.size(), 2u);
  EXPECT_EQ(transform.input_format.size(), 4u);
  const ParsedScript map = Read("FROM t MAP a, b USING 'x' AS c, d CLUSTER BY c", HiveDialect());
  EXPECT_EQ(OnlySelect(map).transform->word, "MAP");
  // A function and a column of these names stay such.
  EXPECT_EQ(OnlySelect(Read("SELECT transform(a, x -> x), map FROM t")).items.size(), 2u);
}

TEST(QueryParser, KeepsHints) {
  const ParsedScript script = Read("SELECT /*+ BROADCAST(b) */ a /* no hint */ FROM t");
  ASSERT_EQ(OnlySelect(script).hints.size(), 1u);
  EXPECT_EQ(OnlySelect(script).hints[0], "/*+ BROADCAST(b) */");
}

TEST(QueryParser, RoundTripsWhatIsRare) {
  ExpectRoundTrip("FROM t |> WHERE a > 1 |> AGGREGATE sum(b) AS s GROUP BY c |> ORDER BY s DESC");
  ExpectRoundTrip("(SELECT 1) UNION (SELECT 2 LIMIT 1) ORDER BY 1");
  ExpectRoundTrip("SELECT a FROM t ORDER BY a OFFSET 2 ROWS FETCH FIRST 3 ROWS WITH TIES",
                  TrinoDialect());
  ExpectRoundTrip("SELECT a FROM t OFFSET 1 LIMIT 2", TrinoDialect());
  ExpectRoundTrip("SELECT a FROM t LIMIT 2, 5", HiveDialect());
  ExpectRoundTrip("FROM t SELECT a, b WHERE c DISTRIBUTE BY a SORT BY b", HiveDialect());
  ExpectRoundTrip("SELECT DISTINCT ON (a) b FROM t", PostgresDialect());
}

TEST(QueryParser, SaysWhatItExpected) {
  EXPECT_EQ(ErrorOf("SELECT a FROM"), "line 1, column 14: expected a relation, found the end");
  EXPECT_EQ(ErrorOf("SELECT a FROM t WHERE"),
            "line 1, column 22: expected an expression, found the end");
  EXPECT_EQ(ErrorOf("WITH a AS SELECT 1"), "line 1, column 11: expected '(', found 'SELECT'");
}

}  // namespace
}  // namespace tarn::sql
