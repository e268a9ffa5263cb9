#include "tarn/sql/tokenizer.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tarn/sql/keyword.h"

namespace tarn::sql {
namespace {

std::vector<Token> Tokens(std::string_view sql) {
  auto tokens = Tokenize(sql);
  EXPECT_TRUE(tokens.ok()) << sql;
  return tokens.ok() ? std::move(tokens).value() : std::vector<Token>{Token{}};
}

std::string Cut(std::string_view sql) {
  std::string cut;
  for (const Token& token : Tokens(sql)) {
    if (token.kind == TokenKind::kEnd) break;
    if (!cut.empty()) cut += '|';
    cut += token.text;
  }
  return cut;
}

TEST(Tokenizer, CutsWordsNumbersAndOperators) {
  EXPECT_EQ(Cut("SELECT a.b,1.5e-3 FROM t WHERE x<=>2"),
            "SELECT|a|.|b|,|1.5e-3|FROM|t|WHERE|x|<=>|2");
  EXPECT_EQ(Cut("a==b a<>b a!=b a||b a::int a->>'x' a->'y' f(x=>1) y:=2"),
            "a|==|b|a|<>|b|a|!=|b|a||||b|a|::|int|a|->>|'x'|a|->|'y'|f|(|x|=>|1|)|y|:=|2");
  EXPECT_EQ(Cut("x[1:2] ?1 ? $1 $name #1 .5 1. 0xFF 1_000"),
            "x|[|1|:|2|]|?1|?|$1|$name|#|1|.5|1.|0xFF|1_000");
  EXPECT_EQ(Cut("MAP<STRING,ARRAY<INT>>"), "MAP|<|STRING|,|ARRAY|<|INT|>>");
  EXPECT_EQ(Cut("a=-1"), "a|=|-|1");
}

TEST(Tokenizer, SkipsSpaceAndComments) {
  EXPECT_EQ(Cut("a -- b `c\n d /* e /* f */ 'g */ h"), "a|d|h");
  EXPECT_EQ(Cut("a\xC2\xA0"
                "b\xE3\x80\x80"
                "c"),
            "a|b|c");
  EXPECT_EQ(Cut(""), "");
  EXPECT_EQ(Cut("-- only"), "");
  EXPECT_EQ(Cut("über straße"), "über|straße");
}

TEST(Tokenizer, ReadsQuotes) {
  const auto tokens =
      Tokens(R"('it''s' "a ""b""" `c``d` E'\n\x41\u00e9\'' X'0AFF' $$a'b$$ $t$x$$y$t$ n'z')");
  ASSERT_EQ(tokens.size(), 9u);
  EXPECT_EQ(tokens[0].Value(), "it's");
  EXPECT_EQ(tokens[1].Value(), "a \"b\"");
  EXPECT_EQ(tokens[1].kind, TokenKind::kQuotedIdentifier);
  EXPECT_EQ(tokens[2].Value(), "c`d");
  EXPECT_EQ(tokens[3].Value(), "\nAé'");
  EXPECT_EQ(tokens[4].Value(), "0AFF");
  EXPECT_EQ(tokens[5].Value(), "a'b");
  EXPECT_EQ(tokens[6].Value(), "x$$y");
  EXPECT_EQ(tokens[7].Value(), "z");
  for (size_t i = 3; i < 8; ++i) EXPECT_EQ(tokens[i].kind, TokenKind::kString);
}

TEST(Tokenizer, SpansAreOffsetsAndTheEndIsATokenToo) {
  const auto tokens = Tokens("ab  'c'");
  ASSERT_EQ(tokens.size(), 3u);
  EXPECT_EQ(tokens[0].span, (SourceSpan{0, 2}));
  EXPECT_EQ(tokens[1].span, (SourceSpan{4, 7}));
  EXPECT_EQ(tokens[2].span, (SourceSpan{7, 7}));
  EXPECT_EQ(tokens[2].kind, TokenKind::kEnd);
}

TEST(Tokenizer, NamesWhereAQuoteWasOpened) {
  const auto message = [](std::string_view sql) {
    const auto tokens = Tokenize(sql);
    EXPECT_FALSE(tokens.ok());
    return tokens.ok() ? "" : tokens.error().message;
  };
  EXPECT_EQ(message("a\n 'b"), "sql: line 2, column 2: the string is not closed");
  EXPECT_EQ(message("é \"b"), "sql: line 1, column 3: the identifier in \" is not closed");
  EXPECT_EQ(message("/* a /* b */"), "sql: line 1, column 1: the comment is not closed");
  EXPECT_EQ(message("$a$ b"), "sql: line 1, column 1: the string in $a$ is not closed");
  EXPECT_EQ(message("E'a\\'"), "sql: line 1, column 1: the string is not closed");
}

TEST(Tokenizer, KeywordsIgnoreCaseAndQuotedOnesAreNone) {
  const auto tokens = Tokens("SeLeCt \"select\"");
  EXPECT_TRUE(tokens[0].Is("select"));
  EXPECT_FALSE(tokens[1].Is("select"));
  EXPECT_TRUE(tokens[1].IsIdentifier());
}

TEST(Tokenizer, AnyByteIsTaken) {
  std::string all;
  for (int i = 0; i < 256; ++i) {
    if (i != '\'' && i != '"' && i != '`' && i != '$' && i != '/') all += static_cast<char>(i);
  }
  size_t covered = 0;
  for (const Token& token : Tokens(all)) covered += token.text.size();
  EXPECT_GT(covered, 200u);
}

TEST(Tokenizer, QuotesForOutput) {
  EXPECT_EQ(QuoteName("a\"b"), "\"a\"\"b\"");
  EXPECT_EQ(QuoteString("a'b"), "'a''b'");
}

TEST(Tokenizer, PlacesCountLinesAndCodePoints) {
  EXPECT_EQ(PlaceOf("a\nßb", 4), (SourcePlace{2, 2}));
  EXPECT_EQ(PlaceOf("a", 100), (SourcePlace{1, 2}));
  EXPECT_EQ(PlaceToText({2, 3}), "line 2, column 3");
}

std::string CutScript(std::string_view sql, const TokenRules& rules) {
  std::string cut;
  for (const Token& token : TokenizeScript(sql, rules).tokens) {
    if (token.kind == TokenKind::kEnd) break;
    if (!cut.empty()) cut += '|';
    cut += token.text;
  }
  return cut;
}

constexpr TokenRules kHadoopRules = {.double_quoted_strings = true,
                                     .backslash_escapes = true,
                                     .words_from_digits = true,
                                     .templates = true};

TEST(TokenizeScript, FollowsTheRulesOfAnEngine) {
  EXPECT_EQ(CutScript(R"('a\'b' "c\"d" r'e\')", kHadoopRules), R"('a\'b'|"c\"d"|r'e\')");
  EXPECT_EQ(CutScript("10L 1.5BD 2024_sales 1st 1e5 0xFF t.1a 1_", kHadoopRules),
            "10L|1.5BD|2024_sales|1st|1e5|0xFF|t|.|1a|1_");
  EXPECT_EQ(CutScript("10L 'a\\' \"b\"", {}), "10|L|'a\\'|\"b\"");
}

TEST(TokenizeScript, KeepsTemplatesWhole) {
  EXPECT_EQ(CutScript("${a}.t_${b}_c {{ ref('x') }}d $[yyyy-1] {% if a %} e {# f #}", kHadoopRules),
            "${a}|.|t_${b}_c|{{ ref('x') }}d|$[yyyy-1]|e");
  EXPECT_EQ(CutScript("{{a}}", {}), "{|{|a|}|}");
}

TEST(TokenizeScript, NumbersWordsAndOperators) {
  const TokenizedScript script = TokenizeScript("Select x <= `from`", kHadoopRules);
  EXPECT_EQ(script.tokens[0].keyword, K("SELECT"));
  EXPECT_EQ(script.tokens[1].keyword, 0);
  EXPECT_EQ(script.tokens[2].keyword, K("<="));
  EXPECT_EQ(script.tokens[3].keyword, 0);
  ASSERT_EQ(script.tokens.size(), 4 + TokenizedScript::kPadding);
}

TEST(TokenizeScript, NeverFails) {
  EXPECT_EQ(CutScript("a 'b;\nc; d", {}), "a|'b|;|c|;|d");
  EXPECT_EQ(CutScript("a /* b /* c */ d", {}), "a|d");
  const TokenizedScript script = TokenizeScript("a /* b", {});
  EXPECT_EQ(script.tokens[1].kind, TokenKind::kUnclosed);
  EXPECT_TRUE(script.comments.empty());
}

TEST(TokenizeScript, AfterACommentThatDoesNotNestNoneDoes) {
  EXPECT_EQ(CutScript("a /* /* b */ c */ d", {}), "a|d");
  EXPECT_EQ(CutScript("a /* /* b */ c /* /* d */ e", {}), "a|c|e");
}

// Each would take hours if the end were sought again from every place.
TEST(TokenizeScript, WhatIsNeverClosedIsNotSoughtForEver) {
  const auto many = [](std::string_view text) {
    std::string sql;
    while (sql.size() < 1'000'000) sql += text;
    return sql;
  };
  for (const std::string_view text :
       {"{{ ", "{% ", "{# ", "/* ;\n", "/* /* */ ;\n", "x{{", "${a ", "$[", "a '\\' ;\n"}) {
    EXPECT_GT(TokenizeScript(many(text), kHadoopRules).tokens.size(), 8U) << text;
  }
  std::string tags;
  for (int i = 0; tags.size() < 1'000'000; ++i) tags += fmt::format("$t{}$ ;\n", i);
  EXPECT_GT(TokenizeScript(tags, {}).tokens.size(), 100U);
}

}  // namespace
}  // namespace tarn::sql
