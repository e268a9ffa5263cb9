#include <gtest/gtest.h>

#include "tests/unit/sql/parse_fixture.h"

namespace tarn::sql {
namespace {

TEST(ParserBase, KeywordsAreNamesWhereTheDialectAllows) {
  const ParsedScript hive =
      Read("SELECT date, t.order, t.`desc`, year, limit FROM values t", HiveDialect());
  EXPECT_EQ(OnlySelect(hive).items.size(), 5u);
  EXPECT_EQ(Read("SELECT values FROM t", SparkDialect()).FirstError(), nullptr);
  EXPECT_NE(Parse("SELECT values FROM t", TrinoDialect()).FirstError(), nullptr);
  EXPECT_EQ(Line("WITH model AS (SELECT 1) SELECT * FROM model"),
            "WITH model AS (SELECT 1) SELECT * FROM model");
}

TEST(ParserBase, AClauseEndsAnItem) {
  const ParsedScript script = Read("SELECT a FROM t sort SORT BY a LIMIT 1");
  EXPECT_EQ(tree::As<tree::Table>(OnlySelect(script).from[0])->alias.name.text, "sort");
  EXPECT_EQ(Only<tree::Query>(script).sort_by.size(), 1u);
}

TEST(ParserBase, NamesKeepTheirParts) {
  const ParsedScript script = Read("SELECT 1 FROM `a.b`.`c``d`.2024_sales");
  const tree::Name& name = tree::As<tree::Table>(OnlySelect(script).from[0])->name;
  ASSERT_EQ(name.parts.size(), 3u);
  EXPECT_EQ(name.parts[0].Value(), "a.b");
  EXPECT_EQ(name.parts[1].Value(), "c`d");
  EXPECT_EQ(name.parts[2].text, "2024_sales");
}

// Also where the text ends with the bracket of something within.
TEST(ParserBase, TokensThatNobodyTakesApartCloseTheirBrackets) {
  for (const char* sql : {"SHOW x (a (b)", "ALTER TABLE t OPTION (a [1]", "GRANT (a; SELECT (1)"}) {
    EXPECT_NE(ErrorOf(sql).find("expected a closing bracket"), std::string::npos)
        << sql << ": " << ErrorOf(sql);
  }
  EXPECT_EQ(ErrorOf("SHOW x (a (b))"), "no error");
}

TEST(ParserBase, AnErrorSaysWhatWasFound) {
  EXPECT_EQ(ErrorOf("SELECT 'a"), "line 1, column 8: the string is not closed");
  EXPECT_EQ(ErrorOf("SELECT 1 /* a"), "line 1, column 10: the comment is not closed");
  EXPECT_EQ(ErrorOf("SELECT (1"), "line 1, column 10: expected ')', found the end");
  EXPECT_EQ(ErrorOf("SELECT 1 2"),
            "line 1, column 10: expected ';' or the end of the statement, found '2'");
}

}  // namespace
}  // namespace tarn::sql
