#include "tarn/lineage/lineage_graph.h"

#include <gtest/gtest.h>

#include "tests/unit/lineage/reading.h"

namespace tarn::lineage {
namespace {

constexpr const char* kSql = "create table d.r as select a, b + 1 as `x\"y` from d.s where c = 1";
constexpr const char* kSchema = R"({"d.s": ["a", "b", "c"]})";

TEST(LineageGraph, Mermaid) {
  EXPECT_EQ(LineageMermaid(testing::Lineage(kSql, kSchema)),
            "flowchart LR\n"
            "  subgraph d0[\"d.s\"]\n"
            "    d0c1[\"a\"]\n"
            "    d0c2[\"b\"]\n"
            "    d0c3[\"c\"]\n"
            "  end\n"
            "  subgraph d1[\"d.r\"]\n"
            "    d1c0([every row])\n"
            "    d1c1[\"a\"]\n"
            "    d1c2[\"x#34;y\"]\n"
            "  end\n"
            "  d0c1 --> d1c1\n"
            "  d0c2 -->|transformation| d1c2\n"
            "  d0c3 -.->|filter| d1c0\n");
}

TEST(LineageGraph, Dot) {
  const std::string dot = LineageDot(testing::Lineage(kSql, kSchema));
  EXPECT_NE(dot.find("d0c1 -> d1c1;"), std::string::npos) << dot;
  EXPECT_NE(dot.find("[label=\"x\\\"y\"]"), std::string::npos) << dot;
  EXPECT_NE(dot.find("d0c3 -> d1c0 [label=\"filter\", style=dashed];"), std::string::npos) << dot;
}

}  // namespace
}  // namespace tarn::lineage
