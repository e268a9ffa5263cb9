#include <gtest/gtest.h>

#include "tests/unit/lineage/reading.h"

namespace tarn::lineage {
namespace {

using testing::Edges;
using testing::Statement;
using testing::Texts;
using testing::Wheres;

TEST(ReadQueries, BranchesOfAUnionKeepTheirExpressions) {
  EXPECT_EQ(Wheres("create table d.r as select a + 1 from d.s union all select b from d.s",
                   R"({"d.s": ["a", "b"]})"),
            Texts({"a + 1", "b"}));
}

TEST(ReadQueries, NamesOfUnnamedItems) {
  const auto name = [](const char* dialect) {
    const StatementLineage read = Statement("select 1, max(a) from d.s", "{}", dialect);
    return read.column(read.output_columns.at(1).column).name;
  };
  EXPECT_EQ(name("hive"), "_c1");
  EXPECT_EQ(name("trino"), "_col1");
  EXPECT_EQ(name("postgres"), "max");
  EXPECT_EQ(name("spark"), "max(a)");
}

TEST(ReadQueries, AThousandLevels) {
  std::string sql = "select a from d.s";
  for (int depth = 0; depth < 200; ++depth) {
    sql = "select a from (" + sql + ") q" + std::to_string(depth);
  }
  EXPECT_EQ(Edges(sql, R"({"d.s": ["a"]})"), Texts({"a <- d.s.a IDENTITY"}));
}

}  // namespace
}  // namespace tarn::lineage
