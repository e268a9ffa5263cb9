#include <gtest/gtest.h>

#include "tests/unit/lineage/reading.h"

namespace tarn::lineage {
namespace {

using testing::Edges;
using testing::Texts;
using testing::Wheres;

TEST(ReadJoins, EachConjunctHasItsPlace) {
  EXPECT_EQ(Wheres("select 1 from d.a join d.b on a.k = b.k and a.v > b.v",
                   R"({"d.a": ["k", "v"], "d.b": ["k", "v"]})"),
            Texts({"a.k = b.k", "a.k = b.k", "a.v > b.v", "a.v > b.v"}));
}

TEST(ReadJoins, OnLooksAtItsOwnSidesFirst) {
  EXPECT_EQ(Edges("select 1 from d.z, d.a join d.b on p = q",
                  R"({"d.z": ["p"], "d.a": ["p"], "d.b": ["q"]})"),
            Texts({"* <- d.a.p JOIN", "* <- d.b.q JOIN"}));
}

}  // namespace
}  // namespace tarn::lineage
