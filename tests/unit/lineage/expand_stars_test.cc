#include <gtest/gtest.h>

#include "tests/unit/lineage/reading.h"

namespace tarn::lineage {
namespace {

using testing::Edges;
using testing::Texts;
using testing::Wheres;

TEST(ExpandStars, TheStarIsTheExpression) {
  EXPECT_EQ(Wheres("create table d.r as select s.* from d.s s", R"({"d.s": ["a", "b"]})"),
            Texts({"s.*", "s.*"}));
}

TEST(ExpandStars, PatternsOfDuckDb) {
  EXPECT_EQ(Edges("create table r as select * like 'b%' from s", R"({"s": ["a1", "b1", "b2"]})",
                  "duckdb"),
            Texts({"b1 <- s.b1 IDENTITY", "b2 <- s.b2 IDENTITY"}));
}

TEST(ExpandStars, FieldsOfAStructOfTheQuery) {
  EXPECT_EQ(
      Edges("create table r as select q.st.* from (select struct(a as x, b as y) st from d.s) q",
            R"({"d.s": ["a", "b"]})"),
      Texts({"x <- d.s.a IDENTITY", "y <- d.s.b IDENTITY"}));
}

}  // namespace
}  // namespace tarn::lineage
