#include "tarn/sql/token_cursor.h"

#include <string>

#include <gtest/gtest.h>

#include "tarn/sql/tokenizer.h"

namespace tarn::sql {
namespace {

struct Text {
  explicit Text(std::string_view text) : sql(text), tokens(Tokenize(sql).value()) {}
  std::string sql;
  std::vector<Token> tokens;
  TokenCursor cursor() const { return {sql, tokens}; }
};

TEST(TokenCursor, LooksTakesAndSaysWhatItFound) {
  const Text text("IF NOT EXISTS t (");
  TokenCursor cursor = text.cursor();
  EXPECT_TRUE(cursor.LooksAt({"if", "not"}));
  EXPECT_FALSE(cursor.Accept({"if", "exists"}));
  EXPECT_TRUE(cursor.Accept({"if", "not", "exists"}));
  EXPECT_EQ(cursor.ExpectIdentifier("a name").value(), "t");
  EXPECT_EQ(cursor.Expect("using").error().message,
            "sql: line 1, column 17: expected using, found '('");
  cursor.Skip();
  EXPECT_TRUE(cursor.AtEnd());
  EXPECT_EQ(cursor.Expect("using").error().message,
            "sql: line 1, column 18: expected using, found the end");
}

TEST(TokenCursor, MatchesBrackets) {
  const Text text("( a [ ( ) ] { } ) b ( c");
  TokenCursor cursor = text.cursor();
  EXPECT_EQ(cursor.MatchingBracket(), 8u);
  cursor.MoveTo(10);
  EXPECT_EQ(cursor.MatchingBracket(), cursor.end());
}

TEST(TokenCursor, FindsOutsideBrackets) {
  const Text text("f(a, b), c");
  EXPECT_EQ(
      text.cursor().FindOutsideBrackets([](const Token& token) { return token.IsOperator(","); }),
      6u);
}

TableName Name(std::string_view sql) {
  const Text text(sql);
  TokenCursor cursor = text.cursor();
  auto name = ParseTableName(cursor);
  EXPECT_TRUE(name.ok()) << sql;
  EXPECT_TRUE(cursor.AtEnd()) << sql;
  return name.ok() ? name.value() : TableName{};
}

TEST(TableName, ReadsNamesAndPaths) {
  using Parts = std::vector<std::string>;
  EXPECT_EQ(Name("t").parts, Parts{"t"});
  EXPECT_EQ(Name("default.\"a b\".`c`").parts, (Parts{"default", "a b", "c"}));
  EXPECT_EQ(Name("'some/folder'").path, "some/folder");
  EXPECT_EQ(Name("\"some/folder\"").path, "some/folder");
  EXPECT_EQ(Name("`./x`").path, "./x");
  // Without a '/' it is a name; who knows the formats may take it for a path.
  EXPECT_EQ(Name("delta.`events`").parts, (Parts{"delta", "events"}));
  EXPECT_EQ(Name("DELTA.`/a/b`").format, "delta");
  EXPECT_EQ(Name("iceberg.\"a/b\"").format, "iceberg");
  EXPECT_EQ(Name("delta.\"events\"").parts, (Parts{"delta", "events"}));
  EXPECT_EQ(Name("delta.events").parts, (Parts{"delta", "events"}));
  EXPECT_EQ(Name("'a/b'.history").suffix, Parts{"history"});
  EXPECT_EQ(Name("delta.`a/b`.files").suffix, Parts{"files"});
  EXPECT_EQ(Name("ns.t").span, (SourceSpan{0, 4}));
}

TEST(TableName, RefusesWhatIsNone) {
  for (const char* sql : {"", "1", "(", "a.", "a..b", "''", "\"\"", "a.1"}) {
    const Text text(sql);
    TokenCursor cursor = text.cursor();
    const auto name = ParseTableName(cursor);
    EXPECT_TRUE(!name.ok() || !cursor.AtEnd()) << sql;
  }
}

TEST(TableName, WritesItself) {
  EXPECT_EQ(Name("default.`a b`.c").ToText(), "default.\"a b\".c");
  EXPECT_EQ(Name("'a/b'.history").ToText(), "'a/b'.history");
  EXPECT_EQ(Name("delta.`a/b`").ToText(), "delta.`a/b`");
}

TEST(ColumnPath, IsSpelledAsTheSchemaReadsIt) {
  const Text text("a.\"b.c\".element");
  TokenCursor cursor = text.cursor();
  EXPECT_EQ(ParseColumnPath(cursor).value(), "a.`b.c`.element");
}

std::optional<TimeTravel> Travel(std::string_view sql, std::string_view rest = "") {
  const Text text(sql);
  TokenCursor cursor = text.cursor();
  auto travel = ParseTimeTravel(cursor);
  EXPECT_TRUE(travel.ok()) << sql << ": " << (travel.ok() ? "" : travel.error().message);
  EXPECT_EQ(cursor.TextOf(cursor.position(), cursor.end()).text, rest) << sql;
  return travel.ok() ? travel.value() : std::nullopt;
}

TEST(TimeTravel, ReadsEveryForm) {
  using Kind = TimeTravel::Kind;
  EXPECT_EQ(Travel("VERSION AS OF 3")->literal, "3");
  EXPECT_EQ(Travel("version as of '12'")->literal, "12");
  EXPECT_EQ(Travel("VERSION AS OF main x", "x")->literal, "main");
  EXPECT_EQ(Travel("FOR VERSION AS OF 3 AS x", "AS x")->literal, "3");
  EXPECT_EQ(Travel("FOR SYSTEM_VERSION AS OF 3")->kind, Kind::kVersion);
  EXPECT_EQ(Travel("TIMESTAMP AS OF '2026-11-30 10:00:00' t", "t")->literal, "2026-11-30 10:00:00");
  EXPECT_EQ(Travel("TIMESTAMP AS OF TIMESTAMP '2026-11-30'")->literal, "2026-11-30");
  EXPECT_EQ(Travel("FOR SYSTEM_TIME AS OF '2026-11-30'")->kind, Kind::kTimestamp);
  EXPECT_EQ(Travel("AT (VERSION => 3) y", "y")->literal, "3");
  EXPECT_EQ(Travel("AT (TIMESTAMP => '2026-11-30')")->kind, Kind::kTimestamp);
  EXPECT_EQ(Travel("AT (VERSION => 3) y", "y")->span, (SourceSpan{0, 17}));
}

TEST(TimeTravel, TakesExpressionsAndStopsBeforeTheAlias) {
  const auto travel = Travel("TIMESTAMP AS OF now() - INTERVAL 1 DAY t WHERE x", "t WHERE x");
  EXPECT_FALSE(travel->literal);
  EXPECT_EQ(travel->expression.text, "now() - INTERVAL 1 DAY");
  EXPECT_EQ(
      Travel("TIMESTAMP AS OF current_timestamp - INTERVAL '1' HOUR AS t", "AS t")->expression.text,
      "current_timestamp - INTERVAL '1' HOUR");
  EXPECT_EQ(Travel("TIMESTAMP AS OF '2026-01-01'::TIMESTAMP t", "t")->expression.text,
            "'2026-01-01'::TIMESTAMP");
}

TEST(TimeTravel, IsNotEveryWordOfThatName) {
  EXPECT_FALSE(Travel("version WHERE a", "version WHERE a"));
  EXPECT_FALSE(Travel("AS version", "AS version"));
  EXPECT_FALSE(Travel("at", "at"));
  const Text text("VERSION AS OF )");
  TokenCursor cursor = text.cursor();
  EXPECT_EQ(ParseTimeTravel(cursor).error().message,
            "sql: line 1, column 15: expected a version, found ')'");
}

}  // namespace
}  // namespace tarn::sql
