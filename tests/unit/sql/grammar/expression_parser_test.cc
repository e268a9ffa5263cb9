#include <gtest/gtest.h>

#include "tests/unit/sql/parse_fixture.h"

namespace tarn::sql {
namespace {

using tree::As;

const tree::Node* Item(const ParsedScript& script, size_t at = 0) {
  return OnlySelect(script).items[at]->expression;
}

TEST(ExpressionParser, BindsByPrecedence) {
  const ParsedScript script = Read("SELECT a + b * c = d OR NOT e AND f");
  const auto* const top = As<tree::Binary>(Item(script));
  ASSERT_NE(top, nullptr);
  EXPECT_EQ(top->symbol, "OR");
  const auto* const equal = As<tree::Binary>(top->operands[0]);
  ASSERT_NE(equal, nullptr);
  EXPECT_EQ(equal->symbol, "=");
  const auto* const sum = As<tree::Binary>(equal->operands[0]);
  ASSERT_NE(sum, nullptr);
  EXPECT_EQ(sum->symbol, "+");
  EXPECT_EQ(As<tree::Binary>(sum->operands[1])->symbol, "*");
  const auto* const conjunction = As<tree::Binary>(top->operands[1]);
  ASSERT_NE(conjunction, nullptr);
  EXPECT_EQ(conjunction->symbol, "AND");
  EXPECT_EQ(As<tree::Unary>(conjunction->operands[0])->symbol, "NOT");
}

TEST(ExpressionParser, AChainOfOperatorsThatBindAlikeIsOneNode) {
  const ParsedScript script =
      Read("SELECT a - b - c, a - b + c || d, a * b DIV c MOD d, a & b << c");
  const auto* const same = As<tree::Binary>(Item(script));
  EXPECT_EQ(same->operands.size(), 3u);
  EXPECT_TRUE(same->more_symbols.empty());
  const auto* const sum = As<tree::Binary>(Item(script, 1));
  ASSERT_EQ(sum->operands.size(), 4u);
  EXPECT_EQ(sum->SymbolBefore(1), "-");
  EXPECT_EQ(sum->SymbolBefore(2), "+");
  EXPECT_EQ(sum->SymbolBefore(3), "||");
  const auto* const product = As<tree::Binary>(Item(script, 2));
  ASSERT_EQ(product->operands.size(), 4u);
  EXPECT_EQ(product->SymbolBefore(2), "DIV");
  EXPECT_EQ(product->SymbolBefore(3), "MOD");
  EXPECT_EQ(As<tree::Binary>(Item(script, 3))->SymbolBefore(2), "<<");
  ExpectRoundTrip(
      "SELECT a - b + c || d - (e - f), a * b / c % d, a - b * c + d, a + b mod FROM t");
}

TEST(ExpressionParser, AComparisonOfAComparisonIsNoChain) {
  const ParsedScript script = Read("SELECT a = b <> c");
  const auto* const outer = As<tree::Binary>(Item(script));
  EXPECT_EQ(outer->symbol, "<>");
  EXPECT_EQ(As<tree::Binary>(outer->operands[0])->symbol, "=");
}

TEST(ExpressionParser, AChainMayBeLong) {
  std::string sql = "SELECT 1";
  for (int i = 0; i < 100000; ++i) sql += " OR x = 1";
  EXPECT_EQ(As<tree::Binary>(Item(Read(sql)))->operands.size(), 100001u);
}

TEST(ExpressionParser, ReadsPredicates) {
  const ParsedScript script = Read(
      "SELECT a NOT BETWEEN 1 AND 2 AND b, c NOT IN (1, 2), d IN (SELECT e FROM f), g IS NOT "
      "DISTINCT FROM h, i NOT LIKE 'x' ESCAPE '!', j > ALL (SELECT k FROM l), m LIKE ANY ('a', "
      "'b')");
  const auto* const both = As<tree::Binary>(Item(script, 0));
  EXPECT_EQ(both->symbol, "AND");
  EXPECT_TRUE(As<tree::Between>(both->operands[0])->negated);
  EXPECT_EQ(As<tree::In>(Item(script, 1))->values.size(), 2u);
  EXPECT_NE(As<tree::In>(Item(script, 2))->query, nullptr);
  EXPECT_EQ(As<tree::Is>(Item(script, 3))->test, "DISTINCT FROM");
  EXPECT_NE(As<tree::Like>(Item(script, 4))->escape, nullptr);
  EXPECT_EQ(As<tree::Quantified>(Item(script, 5))->quantifier, "ALL");
  EXPECT_EQ(As<tree::Like>(Item(script, 6))->quantifier, "ANY");
}

TEST(ExpressionParser, ReadsWhatBindsMostTightly) {
  const ParsedScript script =
      Read("SELECT f(x).a.b, m['k'][1], a[1:2], x::int[], -x::int, v:a.b", SparkDialect());
  EXPECT_EQ(As<tree::Field>(Item(script, 0))->field.text, "b");
  EXPECT_NE(As<tree::Subscript>(Item(script, 1)), nullptr);
  EXPECT_TRUE(As<tree::Subscript>(Item(script, 2))->slice);
  EXPECT_EQ(As<tree::Cast>(Item(script, 3))->type->name, "[]");
  EXPECT_EQ(As<tree::Unary>(Item(script, 4))->operand->kind, tree::NodeKind::kCast);
  const auto* const inner = As<tree::Field>(As<tree::Field>(Item(script, 5))->base);
  EXPECT_EQ(inner->path_operator, ":");
}

TEST(ExpressionParser, KnowsOperatorsOfAllDialects) {
  ExpectRoundTrip("SELECT a <=> b, a RLIKE 'x', NOT a, !a, a DIV b, a % b, ~a & b | c ^ d");
  ExpectRoundTrip(
      "SELECT a -> 'x' ->> 'y', a @> b, a AT TIME ZONE 'UTC', a COLLATE \"C\", a ISNULL",
      PostgresDialect());
  ExpectRoundTrip("SELECT a // b, a ** b, x IN l, x[1:], x.upper(), - - x", DuckDbDialect());
}

TEST(ExpressionParser, SaysWhatItExpected) {
  EXPECT_EQ(ErrorOf("SELECT a +"), "line 1, column 11: expected an expression, found the end");
  EXPECT_EQ(ErrorOf("SELECT a BETWEEN 1"), "line 1, column 19: expected 'AND', found the end");
  EXPECT_EQ(ErrorOf("SELECT a IS b"),
            "line 1, column 13: expected NULL, TRUE, FALSE or DISTINCT FROM, found 'b'");
}

}  // namespace
}  // namespace tarn::sql
