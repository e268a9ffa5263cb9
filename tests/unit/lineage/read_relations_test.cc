#include <gtest/gtest.h>

#include "tests/unit/lineage/reading.h"

namespace tarn::lineage {
namespace {

using testing::Edges;
using testing::Texts;

TEST(ReadRelations, ViewsKeptOrExpanded) {
  constexpr const char* kSchema =
      R"({"schema": {"d.s": ["a", "b"], "d.v": ["x"]}, "views": {"d.v": "select a + b from d.s where b > 0"}})";
  constexpr const char* kSql = "create table d.r as select x from d.v";
  const StatementLineage kept = testing::Lineage(kSql, kSchema).statements[0];
  EXPECT_EQ(Edges(kept), Texts({"x <- d.v.x IDENTITY"}));
  EXPECT_EQ(kept.dataset(kept.inputs.at(0)).kind, DatasetKind::kView);
  EXPECT_TRUE(kept.through_views);
  const StatementLineage expanded =
      testing::Lineage(kSql, kSchema, "spark", {.views = Views::kExpanded}).statements[0];
  EXPECT_EQ(Edges(expanded),
            Texts({"x <- d.s.a TRANSFORMATION", "x <- d.s.b TRANSFORMATION", "* <- d.s.b FILTER"}));
  // What the view filters by is said where the view is named.
  EXPECT_EQ(expanded.edges.back().where.begin, std::string_view(kSql).find("d.v"));
}

TEST(ReadRelations, AViewOfItselfEnds) {
  const ScriptLineage script = testing::Lineage(
      "select x from d.v", R"({"schema": {"d.v": ["x"]}, "views": {"d.v": "select x from d.v"}})",
      "spark", {.views = Views::kExpanded});
  ASSERT_FALSE(script.statements[0].warnings.empty());
  EXPECT_EQ(script.statements[0].warnings[0].code, WarningCode::kTooDeep);
}

TEST(ReadRelations, CtesAreReadOnce) {
  // Each level reads the one before twice: without memory this would take 2^60 steps.
  std::string sql = "with c0 as (select a from d.s)";
  for (int level = 1; level <= 60; ++level) {
    const std::string before = "c" + std::to_string(level - 1);
    sql += ", c" + std::to_string(level) + " as (select x.a from " + before + " x join " + before +
           " y on x.a = y.a)";
  }
  EXPECT_EQ(Edges(sql + " select a from c60", R"({"d.s": ["a"]})"),
            Texts({"a <- d.s.a IDENTITY", "* <- d.s.a JOIN"}));
}

}  // namespace
}  // namespace tarn::lineage
