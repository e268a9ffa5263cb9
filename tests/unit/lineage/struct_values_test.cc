#include <gtest/gtest.h>

#include "tests/unit/lineage/reading.h"

namespace tarn::lineage {
namespace {

using testing::Edges;
using testing::Texts;

TEST(StructValues, FieldsKeepTheirOwnOrigins) {
  constexpr const char* kSchema = R"({"d.s": ["a", "b"]})";
  EXPECT_EQ(Edges("select named_struct('x', a, 'y', b).y as y from d.s", kSchema),
            Texts({"y <- d.s.b IDENTITY"}));
  EXPECT_EQ(
      Edges("select q.st.x from (select {'x': a, 'y': b} as st from d.s) q", kSchema, "duckdb"),
      Texts({"x <- d.s.a IDENTITY"}));
}

TEST(StructValues, StructsWithinStructs) {
  std::string built = "a";
  std::string path;
  for (int depth = 0; depth < 60; ++depth) {
    built = "named_struct('f', " + built + ")";
    path += ".f";
  }
  EXPECT_EQ(Edges("select " + built + " as x from d.s", R"({"d.s": ["a"]})"),
            Texts({"x <- d.s.a TRANSFORMATION"}));
}

}  // namespace
}  // namespace tarn::lineage
