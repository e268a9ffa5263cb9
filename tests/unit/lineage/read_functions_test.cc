#include <gtest/gtest.h>

#include "tests/unit/lineage/reading.h"

namespace tarn::lineage {
namespace {

using testing::Edges;
using testing::Texts;

TEST(ReadFunctions, ColumnsOfCommonFunctions) {
  EXPECT_EQ(Edges("select pos, col from d.s lateral view posexplode(xs)", R"({"d.s": ["xs"]})"),
            Texts({"pos <- d.s.xs TRANSFORMATION", "col <- d.s.xs TRANSFORMATION"}));
  EXPECT_EQ(Edges("select c0 from d.s lateral view json_tuple(j, 'k') t", R"({"d.s": ["j"]})"),
            Texts({"c0 <- d.s.j TRANSFORMATION"}));
}

TEST(ReadFunctions, AnUnknownFunctionMayHaveAnyColumn) {
  EXPECT_EQ(Edges("select f.x from d.s cross join lateral my_rows(d.s.a) f", R"({"d.s": ["a"]})"),
            Texts({"x <- d.s.a TRANSFORMATION"}));
}

}  // namespace
}  // namespace tarn::lineage
