#include "tarn/query/call_sql.h"

#include <gtest/gtest.h>

namespace tarn {
namespace {

TEST(CallSql, NamesAndPathsAsCallTakesThem) {
  EXPECT_EQ(CallSql("upkeep", {.parts = {"ns", "a.b"}}),
            R"(CALL system.upkeep(table => '"ns"."a.b"'))");
  EXPECT_EQ(CallSql("upkeep", {.path = "lake/t"}), "CALL system.upkeep(table => 'lake/t')");
  EXPECT_EQ(CallSql("remove_orphan_files", {.path = "it's"}, {{"dry_run", "false"}}),
            "CALL system.remove_orphan_files(table => './it''s', dry_run => 'false')");
}

}  // namespace
}  // namespace tarn
