#include "tarn/sql/parser.h"

#include <string>

#include <gtest/gtest.h>

#include "tests/unit/sql/parse_fixture.h"

namespace tarn::sql {
namespace {

TEST(Parser, OneBadStatementDoesNotStopTheScript) {
  const ParsedScript script =
      Parse("SELECT 1;\nSELECT FROM WHERE;\n;\nSELECT (2;\nINSERT INTO t SELECT 3", SparkDialect());
  ASSERT_EQ(script.statements.size(), 4u);
  EXPECT_NE(script.statements[0].root, nullptr);
  EXPECT_EQ(script.statements[1].root, nullptr);
  ASSERT_TRUE(script.statements[1].error.has_value());
  EXPECT_EQ(script.statements[1].error->place, (SourcePlace{2, 8}));
  EXPECT_EQ(script.statements[2].error->message, "line 4, column 10: expected ')', found ';'");
  EXPECT_NE(script.statements[3].root, nullptr);
  EXPECT_EQ(script.FirstError(), &*script.statements[1].error);
}

TEST(Parser, AQuoteThatIsNotClosedEndsWithItsStatement) {
  const ParsedScript script = Parse("SELECT 'a;\nSELECT 2;\n", SparkDialect());
  ASSERT_EQ(script.statements.size(), 2u);
  EXPECT_EQ(script.statements[0].root, nullptr);
  EXPECT_NE(script.statements[1].root, nullptr);
}

TEST(Parser, SpansAndTextSurviveAMove) {
  ParsedScript made = Parse("  SELECT a ;  SELECT bb", SparkDialect());
  const ParsedScript script = std::move(made);
  EXPECT_EQ(tree::TextOf(script.text, script.statements[0].span), "SELECT a");
  EXPECT_EQ(tree::TextOf(script.text, script.statements[1].span), "SELECT bb");
  EXPECT_EQ(tree::TextOf(script.text, script.statements[1].root->span), "SELECT bb");
}

TEST(Parser, KeepsComments) {
  const ParsedScript script =
      Parse("-- a\nSELECT /*+ b */ 1 /* c */; {# d #} SELECT 2 {% e %}", SparkDialect());
  ASSERT_EQ(script.comments.size(), 5u);
  EXPECT_TRUE(script.comments[1].hint);
  EXPECT_EQ(tree::TextOf(script.text, script.comments[2].span), "/* c */");
}

TEST(Parser, ATemplateBeforeAStatementIsAComment) {
  const ParsedScript script =
      Parse("{{ config(materialized='table') }}\nselect * from {{ ref('a') }}", GenericDialect());
  ASSERT_EQ(script.statements.size(), 1u);
  EXPECT_NE(script.statements[0].root, nullptr);
  EXPECT_EQ(script.comments.size(), 1u);
}

// A million levels of whatever can nest are refused, and nothing overflows.
TEST(Parser, RefusesWhatIsTooDeep) {
  constexpr int kLevels = 1000000;
  const auto deep = [](std::string_view before, std::string_view middle, std::string_view after) {
    std::string sql;
    for (int i = 0; i < kLevels; ++i) sql += before;
    sql += middle;
    for (int i = 0; i < kLevels; ++i) sql += after;
    return sql;
  };
  const auto expect_refused = [](const std::string& sql) {
    const std::string error = ErrorOf(sql, DuckDbDialect());
    EXPECT_NE(error.find("nested deeper than 1000 levels"), std::string::npos)
        << sql.substr(0, 40) << ": " << error;
  };
  expect_refused("SELECT " + deep("(", "1", ")"));
  expect_refused("SELECT " + deep("f(", "1", ")"));
  expect_refused("SELECT " + deep("- ", "1", ""));
  expect_refused("SELECT " + deep("NOT ", "1", ""));
  expect_refused("SELECT " + deep("[", "1", "]"));
  expect_refused("SELECT " + deep("CASE WHEN ", "1", " THEN 1 END"));
  expect_refused("SELECT x" + deep("", "", "[1]"));
  expect_refused("SELECT x" + deep("", "", "::int"));
  expect_refused("SELECT 1" + deep("", "", " = 1 <> 1"));
  expect_refused("SELECT CAST(x AS " + deep("ARRAY<", "INT", ">") + ")");
  expect_refused(deep("(", "SELECT 1", ")"));
  expect_refused(deep("SELECT * FROM (", "SELECT 1", ")"));
  expect_refused("SELECT * FROM " + deep("(", "a JOIN b ON c", ")"));
  expect_refused("SELECT * FROM a" + deep("", "", " JOIN a"));
  expect_refused("SELECT 1" + deep("", "", " UNION SELECT 1 EXCEPT SELECT 1"));
  expect_refused(deep("WITH a AS (", "SELECT 1", ") SELECT 1"));
  expect_refused(deep("BEGIN ", "SELECT 1;", " END;"));
  expect_refused(deep("EXPLAIN ", "SELECT 1", ""));
}

TEST(Parser, LongChainsAreNotDeep) {
  const auto chain = [](std::string_view first, std::string_view more) {
    std::string sql(first);
    for (int i = 0; i < 100000; ++i) sql += more;
    return sql;
  };
  EXPECT_EQ(ErrorOf(chain("SELECT 1", " + 1")), "no error");
  EXPECT_EQ(ErrorOf(chain("SELECT 1", " + a - b")), "no error");
  EXPECT_EQ(ErrorOf(chain("SELECT 1", " * a / b % c")), "no error");
  EXPECT_EQ(ErrorOf(chain("SELECT 1 FROM t WHERE a = 0", " OR a = 1 AND b = 2")), "no error");
  EXPECT_EQ(ErrorOf(chain("SELECT 1", " UNION ALL SELECT 1")), "no error");
  EXPECT_EQ(ErrorOf(chain("SELECT 1", ", 1")), "no error");
}

TEST(Parser, AnEmptyTextHasNoStatements) {
  EXPECT_TRUE(Parse("", SparkDialect()).statements.empty());
  EXPECT_TRUE(Parse(" ;; -- x", SparkDialect()).statements.empty());
}

}  // namespace
}  // namespace tarn::sql
