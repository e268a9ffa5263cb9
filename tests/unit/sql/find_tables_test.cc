#include <string>

#include <gtest/gtest.h>

#include "tarn/base/text.h"
#include "tarn/sql/rewrite.h"

namespace tarn::sql {
namespace {

// "ns.t@3 AS x, range(10)": name, @version or @@time, arguments, alias, in order.
std::string Found(std::string_view sql, TextKind kind = TextKind::kQuery) {
  const auto uses = FindTables(sql, kind);
  EXPECT_TRUE(uses.ok()) << sql;
  if (!uses.ok()) return uses.error().message;
  std::vector<std::string> shown;
  for (const TableUse& use : uses.value()) {
    std::string one = use.name.ToText();
    if (use.arguments) one += "(" + Join(*use.arguments, ";") + ")";
    if (use.as_of) {
      one += use.as_of->kind == TimeTravel::Kind::kVersion ? "@" : "@@";
      one += use.as_of->literal.value_or("<" + use.as_of->expression.text + ">");
    }
    if (!use.alias.empty()) one += " AS " + use.alias;
    shown.push_back(one);
  }
  return Join(shown, ", ");
}

TEST(FindTables, InFromJoinAndCommaLists) {
  EXPECT_EQ(Found("SELECT * FROM a"), "a");
  EXPECT_EQ(Found("SELECT a, b FROM t, u x JOIN ns.v AS y ON x.a = y.b, w WHERE a IN (1, 2)"),
            "t, u AS x, ns.v AS y, w");
  EXPECT_EQ(Found("FROM t SELECT a, b"), "t");
  EXPECT_EQ(
      Found("SELECT 1 FROM a LEFT JOIN b USING (x) CROSS JOIN c NATURAL JOIN d ASOF JOIN e ON x"),
      "a, b, c, d, e");
  EXPECT_EQ(Found("SELECT * FROM (a JOIN b ON x) JOIN (c)"), "a, b, c");
  EXPECT_EQ(Found("SELECT * FROM a, LATERAL (SELECT * FROM b) z, c"), "a, b, c");
  EXPECT_EQ(Found("SELECT a FROM t ORDER BY a, b LIMIT 3"), "t");
}

TEST(FindTables, InSubqueriesEverywhere) {
  EXPECT_EQ(Found("SELECT (SELECT max(x) FROM a), [y for y in (SELECT z FROM b)] FROM c "
                  "WHERE EXISTS (SELECT 1 FROM d WHERE e IN (FROM f)) UNION ALL (SELECT 1 FROM g)"),
            "a, b, c, d, f, g");
  EXPECT_EQ(Found("x IN (SELECT y FROM a) AND z", TextKind::kExpression), "a");
  EXPECT_EQ(Found("extract(year FROM ts) = 3", TextKind::kExpression), "");
}

TEST(FindTables, FromThatNamesNoTable) {
  EXPECT_EQ(Found("SELECT extract(day FROM x), substring(a FROM 1 FOR 2), trim(BOTH ' ' FROM b), "
                  "trim(FROM c) FROM t WHERE a IS DISTINCT FROM b AND c IS NOT DISTINCT FROM d"),
            "t");
  EXPECT_EQ(Found("SELECT 'FROM a', \"from\" /* FROM b */ FROM t -- FROM c"), "t");
}

TEST(FindTables, CommonTablesShadow) {
  EXPECT_EQ(Found("WITH a AS (SELECT * FROM b), c(x) AS MATERIALIZED (SELECT * FROM A) "
                  "SELECT * FROM a, c, d"),
            "b, d");
  EXPECT_EQ(Found("WITH t AS (SELECT * FROM t) SELECT * FROM t"), "t");
  EXPECT_EQ(Found("WITH RECURSIVE t AS (SELECT 1 UNION SELECT * FROM t) SELECT * FROM t"), "");
  EXPECT_EQ(Found("SELECT * FROM (WITH a AS (SELECT 1) SELECT * FROM a) x, a"), "a");
  EXPECT_EQ(Found("WITH a AS (SELECT 1) SELECT (SELECT 1 FROM a) FROM ns.a"), "ns.a");
  EXPECT_EQ(Found("WITH a AS (SELECT 1) SELECT * FROM a VERSION AS OF 1"), "a@1");
}

TEST(FindTables, PathsFormatsAndMetadata) {
  EXPECT_EQ(Found("FROM 'some/folder'"), "'some/folder'");
  EXPECT_EQ(Found("SELECT * FROM delta.`a/b` x JOIN \"c/d\" ON 1"), "delta.`a/b` AS x, 'c/d'");
  EXPECT_EQ(Found("FROM t.history, 'a/b'.files"), "t.history, 'a/b'.files");
  EXPECT_EQ(Found("FROM ns.t.changes(1, (2)) c, range(10), unnest([1, 2]) u(x)"),
            "ns.t.changes(1;(2)) AS c, range(10), unnest([1, 2]) AS u");
  EXPECT_EQ(Found("FROM f(SELECT 1, 2)"), "f(SELECT 1;2)");
}

TEST(FindTables, TimeTravel) {
  EXPECT_EQ(Found("SELECT * FROM t VERSION AS OF 3 AS x, u TIMESTAMP AS OF '2026-01-01' WHERE 1"),
            "t@3 AS x, u@@2026-01-01");
  EXPECT_EQ(Found("FROM 'a/b' AT (VERSION => 3) z JOIN t FOR SYSTEM_TIME AS OF now() y ON 1"),
            "'a/b'@3 AS z, t@@<now()> AS y");
  EXPECT_EQ(Found("SELECT version FROM t version"), "t AS version");
}

TEST(FindTables, OtherPlaces) {
  EXPECT_EQ(Found("TABLE t"), "t");
  EXPECT_EQ(Found("SUMMARIZE ns.t"), "ns.t");
  EXPECT_EQ(Found("PIVOT t ON a, b USING sum(c)"), "t");
  EXPECT_EQ(Found("SELECT * FROM (DESCRIBE t)"), "t");
  EXPECT_EQ(Found("FROM x : t"), "t AS x");
  EXPECT_EQ(Found("SELECT * FROM t TABLESAMPLE (10%)"), "t");
}

TEST(FindTables, SpansCoverNameTravelAndArguments) {
  const std::string sql = "SELECT * FROM ns.t VERSION AS OF 3 AS x, f(1) y";
  const auto uses = FindTables(sql).value();
  ASSERT_EQ(uses.size(), 2u);
  EXPECT_EQ(sql.substr(uses[0].span.begin, uses[0].span.size()), "ns.t VERSION AS OF 3");
  EXPECT_EQ(sql.substr(uses[1].span.begin, uses[1].span.size()), "f(1)");
}

TEST(FindTables, SurvivesBrokenText) {
  for (const char* sql : {"FROM", "FROM (", "FROM )", "WITH", "WITH a", "WITH a AS", "WITH a AS (",
                          "FROM a.", "FROM t VERSION AS OF", "JOIN", "(((", ")))", "FROM f(",
                          "FROM a AS", "WITH RECURSIVE", "FROM x :", "FROM t AT (VERSION =>"}) {
    EXPECT_TRUE(FindTables(sql).ok()) << sql;
    EXPECT_TRUE(FindTables(sql, TextKind::kExpression).ok()) << sql;
  }
  EXPECT_FALSE(FindTables(std::string(5000, '(')).ok());
}

// What is too deep is refused at once, however much of it there is: no level looks through all
// brackets behind it.
TEST(FindTables, AMillionBracketsAreRefused) {
  constexpr size_t kMany = 1'000'000;
  for (const std::string& sql :
       {std::string(kMany, '('), "SELECT " + std::string(kMany, '('),
        "FROM " + std::string(kMany, '(') + "SELECT 1" + std::string(kMany, ')')}) {
    EXPECT_FALSE(FindTables(sql).ok());
    EXPECT_FALSE(FindTables(sql, TextKind::kExpression).ok());
  }
}

}  // namespace
}  // namespace tarn::sql
