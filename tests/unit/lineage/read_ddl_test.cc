#include <gtest/gtest.h>

#include "tests/unit/lineage/reading.h"

namespace tarn::lineage {
namespace {

using testing::Edges;
using testing::Statement;
using testing::Texts;

TEST(ReadDdl, Operations) {
  EXPECT_EQ(Statement("create table d.r (a int)").operation, Operation::kCreateTable);
  EXPECT_EQ(Statement("create table d.r like d.s").operation, Operation::kCreateTableLike);
  EXPECT_EQ(Statement("alter table d.r rename to d.q").operation, Operation::kRename);
  EXPECT_EQ(Statement("drop table d.r").operation, Operation::kDrop);
  EXPECT_EQ(Statement("vacuum d.r").operation, Operation::kMaintenance);
}

TEST(ReadDdl, AViewKnowsItsColumnsAfterwards) {
  const ScriptLineage script = testing::Lineage(
      "create view d.v (p) as select a from d.s; select * from d.v", R"({"d.s": ["a"]})");
  EXPECT_EQ(Edges(script.statements[1]), Texts({"p <- d.v.p IDENTITY"}));
  EXPECT_TRUE(script.statements[1].through_views);
}

TEST(ReadDdl, ADroppedTableIsUnknown) {
  const ScriptLineage script =
      testing::Lineage("drop table d.s; select * from d.s", R"({"d.s": ["a"]})");
  EXPECT_FALSE(script.statements[1].datasets[0].known);
}

}  // namespace
}  // namespace tarn::lineage
