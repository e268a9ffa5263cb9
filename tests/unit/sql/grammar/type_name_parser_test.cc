#include <gtest/gtest.h>

#include "tests/unit/sql/parse_fixture.h"

namespace tarn::sql {
namespace {

std::string TypeText(const std::string& type, const Dialect& dialect = SparkDialect()) {
  const std::string line = Line("SELECT CAST(x AS " + type + ")", dialect);
  constexpr std::string_view kBefore = "SELECT CAST(x AS ";
  return line.substr(kBefore.size(), line.size() - kBefore.size() - 1);
}

TEST(TypeNameParser, ReadsTypesOfAllDialects) {
  EXPECT_EQ(TypeText("decimal(10,2)"), "DECIMAL(10, 2)");
  EXPECT_EQ(TypeText("timestamp(3) with time zone", TrinoDialect()), "TIMESTAMP(3) WITH TIME ZONE");
  EXPECT_EQ(TypeText("timestamp with local time zone"), "TIMESTAMP WITH LOCAL TIME ZONE");
  EXPECT_EQ(TypeText("double precision", PostgresDialect()), "DOUBLE PRECISION");
  EXPECT_EQ(TypeText("row(a int, b array(varchar))", TrinoDialect()),
            "ROW(a INT, b ARRAY(VARCHAR))");
  EXPECT_EQ(TypeText("int[][3]", DuckDbDialect()), "INT[][3]");
}

TEST(TypeNameParser, ClosesTwoBracketsWrittenAsOne) {
  EXPECT_EQ(TypeText("map<string,array<struct<a:int,b:array<int>>>>"),
            "MAP<string, ARRAY<STRUCT<a: INT, b: ARRAY<INT>>>>");
}

TEST(TypeNameParser, ALessThanBehindAPlainTypeCompares) {
  const ParsedScript script = Read(
      "SELECT x::int < y, x::decimal(1, 2) <> y, x::double < f(z) AND x::date<y, x::array<int> < y",
      DuckDbDialect());
  for (const size_t item : {0, 1, 3}) {
    EXPECT_NE(tree::As<tree::Binary>(OnlySelect(script).items[item]->expression), nullptr) << item;
  }
  ExpectRoundTrip("SELECT x::int < y, x::map<string, int> <> y, x::struct<> = y, x::date<>y");
}

TEST(TypeNameParser, SaysWhatItExpected) {
  EXPECT_EQ(ErrorOf("SELECT CAST(x AS array<int)"), "line 1, column 27: expected '>', found ')'");
  EXPECT_EQ(ErrorOf("SELECT CAST(x AS )"), "line 1, column 18: expected a type, found ')'");
}

}  // namespace
}  // namespace tarn::sql
