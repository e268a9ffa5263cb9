#include <gtest/gtest.h>

#include "tests/unit/lineage/reading.h"

namespace tarn::lineage {
namespace {

using testing::Edges;
using testing::Texts;

TEST(ReadPipes, StepsOneByOne) {
  constexpr const char* kSchema = R"({"d.s": ["a", "b", "c"]})";
  EXPECT_EQ(
      Edges("from d.s |> drop c |> set b = a + b |> rename a as k", kSchema),
      Texts({"k <- d.s.a IDENTITY", "b <- d.s.a TRANSFORMATION", "b <- d.s.b TRANSFORMATION"}));
  EXPECT_EQ(Edges("from d.s |> where a > 1 |> select b", kSchema),
            Texts({"b <- d.s.b IDENTITY", "* <- d.s.a FILTER"}));
}

}  // namespace
}  // namespace tarn::lineage
