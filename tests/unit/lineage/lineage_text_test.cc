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
