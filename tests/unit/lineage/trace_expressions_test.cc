#include <gtest/gtest.h>

#include "tests/unit/lineage/reading.h"

namespace tarn::lineage {
namespace {

using testing::Statement;
using testing::Texts;
using testing::Wheres;

TEST(TraceExpressions, EveryFormNamesItsColumns) {
  constexpr const char* kSchema = R"({"d.s": ["a", "b", "c"]})";
  const auto of = [&](const std::string& expression) {
    Texts inputs;
    const StatementLineage read = Statement("select " + expression + " as x from d.s", kSchema);
    for (const Edge& edge : read.edges) {
      inputs.push_back(read.column(edge.input).name + " " + std::string(EdgeKindName(edge.kind)));
    }
    return inputs;
  };
  EXPECT_EQ(of("a between b and c"),
            Texts({"a TRANSFORMATION", "b TRANSFORMATION", "c TRANSFORMATION"}));
  EXPECT_EQ(of("a in (b, 1)"), Texts({"a TRANSFORMATION", "b TRANSFORMATION"}));
  EXPECT_EQ(of("a like b"), Texts({"a TRANSFORMATION", "b TRANSFORMATION"}));
  EXPECT_EQ(of("a is not null"), Texts({"a TRANSFORMATION"}));
  EXPECT_EQ(of("a[b]"), Texts({"a TRANSFORMATION", "b TRANSFORMATION"}));
  EXPECT_EQ(of("-a"), Texts({"a TRANSFORMATION"}));
  EXPECT_EQ(of("(a)"), Texts({"a IDENTITY"}));
  EXPECT_EQ(of("decode(a, 1, b, c)"),
            Texts({"b TRANSFORMATION", "c TRANSFORMATION", "a CONDITIONAL"}));
  EXPECT_EQ(of("max_by(a, b)"), Texts({"a AGGREGATION", "b AGGREGATION"}));
  EXPECT_EQ(of("first(a)"), Texts({"a AGGREGATION"}));
  EXPECT_EQ(of("grouping(a)"), Texts({}));
}

TEST(TraceExpressions, TheWholeItemIsTheExpression) {
  EXPECT_EQ(Wheres("select coalesce(a, b) as x from d.s", R"({"d.s": ["a", "b"]})"),
            Texts({"coalesce(a, b)", "coalesce(a, b)"}));
}

}  // namespace
}  // namespace tarn::lineage
