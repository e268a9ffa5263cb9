#include <gtest/gtest.h>

#include "tests/unit/lineage/reading.h"

namespace tarn::lineage {
namespace {

using testing::Edges;
using testing::Statement;
using testing::Texts;

TEST(Origins, StrongestDirectKindAndEachIndirectOne) {
  EXPECT_EQ(Edges("create table d.r as select if(a > 1, a, sum(a)) as x from d.s group by a",
                  R"({"d.s": ["a"]})"),
            Texts({"x <- d.s.a AGGREGATION", "x <- d.s.a CONDITIONAL", "* <- d.s.a GROUP_BY"}));
}

TEST(Origins, ManyColumnsAreOneSetEach) {
  std::string columns;
  std::string sum;
  for (int index = 0; index < 100; ++index) {
    const std::string name = "c" + std::to_string(index);
    columns += (index > 0 ? ", \"" : "\"") + name + "\"";
    sum += (index > 0 ? " + " : "") + name + " + " + name;
  }
  const StatementLineage read = Statement("create table d.r as select " + sum + " as x from d.s",
                                          "{\"d.s\": [" + columns + "]}");
  EXPECT_EQ(read.edges.size(), 100U);
}

}  // namespace
}  // namespace tarn::lineage
