#include "tarn/lineage/lineage_text.h"

#include <gtest/gtest.h>

#include "tests/unit/lineage/reading.h"

namespace tarn::lineage {
namespace {

TEST(LineageText, TheReferenceExample) {
  constexpr const char* kSql =
      "create table temp.lineage_test as select coalesce(name, count(id)) lineage_name from "
      "default.dual group by id, name";
  const std::string tree =
      LineageTree(testing::Lineage(kSql, R"({"default.dual": ["id", "name"]})", "hive"), kSql);
  EXPECT_EQ(tree,
            "line 1: create table as select → temp.lineage_test\n"
            "  reads default.dual\n"
            "  lineage_name = coalesce(name, count(id))\n"
            "    ← default.dual.name  TRANSFORMATION\n"
            "    ← default.dual.id    AGGREGATION\n"
            "  every row\n"
            "    ← default.dual.id    GROUP_BY  id\n"
            "    ← default.dual.name  GROUP_BY  name\n");
}

TEST(LineageText, WhatMovesNoDataIsOneLine) {
  constexpr const char* kSql = "set a=1;\nuse d;\n\nshow tables;\nselect * from s;\nset b=2";
  EXPECT_EQ(LineageTree(testing::Lineage(kSql, R"({"d.s": ["x"]})", "hive"), kSql),
            "lines 1–4: 3 statements that move no data\n"
            "\n"
            "line 5: query\n"
            "  reads d.s\n"
            "  x\n"
            "    ← d.s.x  IDENTITY\n"
            "\n"
            "line 6: session\n");
}

TEST(LineageText, PartitionsSayWhoseTheyAre) {
  constexpr const char* kSql =
      "from d.s insert into d.p partition (k = 1) select x insert into d.q partition (k) select x, "
      "y";
  const std::string tree =
      LineageTree(testing::Lineage(
                      kSql, R"({"d.s": ["x", "y"], "d.p": ["a", "k"], "d.q": ["a", "k"]})", "hive"),
                  kSql);
  EXPECT_NE(tree.find("  partition d.p.k = 1\n  partition d.q.k = (dynamic)\n"), std::string::npos)
      << tree;
}

TEST(LineageText, WarningsHavePlaces) {
  constexpr const char* kSql = "select a\nfrom d.s";
  const std::string tree = LineageTree(testing::Lineage(kSql), kSql);
  EXPECT_NE(tree.find("warning: line 2, column 6: '"
                      "d.s'"),
            std::string::npos)
      << tree;
}

}  // namespace
}  // namespace tarn::lineage
