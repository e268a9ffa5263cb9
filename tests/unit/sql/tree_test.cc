#include "tarn/sql/tree.h"

#include <gtest/gtest.h>

#include "tests/unit/sql/parse_fixture.h"

namespace tarn::sql::tree {
namespace {

TEST(Tree, ArenaKeepsWhatItGaveOut) {
  Arena arena;
  std::vector<int64_t*> numbers;
  for (int64_t i = 0; i < 100000; ++i) {
    numbers.push_back(arena.New<int64_t>());
    *numbers.back() = i;
  }
  const std::string_view copy = arena.Copy("abc");
  Arena moved = std::move(arena);
  for (int64_t i = 0; i < 100000; ++i) EXPECT_EQ(*numbers[static_cast<size_t>(i)], i);
  EXPECT_EQ(copy, "abc");
  EXPECT_GE(moved.size_bytes(), 800000u);
}

TEST(Tree, KindsHaveTheirNames) {
  EXPECT_EQ(KindName(NodeKind::kLiteral), "Literal");
  EXPECT_EQ(KindName(NodeKind::kQuery), "Query");
  EXPECT_EQ(KindName(NodeKind::kPartitionSpec), "PartitionSpec");
  EXPECT_EQ(KindName(NodeKind::kDeclare), "Declare");
}

TEST(Tree, IdentifiersAndStringsHaveValues) {
  EXPECT_EQ((Identifier{"`a``b`", {}}).Value(), "a`b");
  EXPECT_EQ((Identifier{"\"a\"\"b\"", {}}).Value(), "a\"b");
  EXPECT_EQ((Identifier{"ab", {}}).Value(), "ab");
  const auto value = [](std::string_view sql, const Dialect& dialect) {
    const ParsedScript script = Read(sql, dialect);
    return StringValue(*As<Literal>(OnlySelect(script).items[0]->expression), dialect);
  };
  EXPECT_EQ(value("SELECT 'it''s'", TrinoDialect()), "it's");
  EXPECT_EQ(value(R"(SELECT 'a\n\'b\%' "c")", HiveDialect()), "a\n'b\\%c");
  EXPECT_EQ(value(R"(SELECT r'a\n')", SparkDialect()), R"(a\n)");
  EXPECT_EQ(value(R"(SELECT 'a\n')", TrinoDialect()), R"(a\n)");
}

TEST(Tree, EveryChildIsWithinItsParent) {
  const ParsedScript script = Read(
      "WITH a AS (SELECT 1) SELECT f(x, y -> y + 1) OVER (PARTITION BY b ORDER BY c), CASE WHEN d "
      "THEN e END, CAST(g AS ARRAY<INT>) FROM a JOIN (SELECT 1) h ON i = j LATERAL VIEW explode(k) "
      "l "
      "AS m WHERE n IN (SELECT 1) GROUP BY ROLLUP (o) ORDER BY p");
  size_t count = 0;
  const auto check = [&](const auto& self, const Node& node) -> void {
    ++count;
    ForEachChild(node, [&](const Node& child) {
      EXPECT_TRUE(node.span.Contains(child.span)) << KindName(node.kind);
      EXPECT_LT(child.height, node.height);
      self(self, child);
    });
  };
  check(check, *script.statements[0].root);
  EXPECT_GT(count, 40u);
}

}  // namespace
}  // namespace tarn::sql::tree
