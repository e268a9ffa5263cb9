#include "tests/unit/query/query_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tarn {
namespace {

using ::testing::HasSubstr;
using testing::QueryWorld;

// What procedures do to a table with branches: tests/python/test_iceberg_branches.py.
TEST(RunCallTest, AFormatWithoutBranchesIsRefused) {
  QueryWorld world;
  world.Message("CREATE TABLE ns.t (a INT)");
  world.Message("INSERT INTO ns.t VALUES (1)");
  for (const char* call :
       {"rollback_to_snapshot('ns.t', 1)", "rollback_to_timestamp('ns.t', now())",
        "set_current_snapshot('ns.t', 1)", "cherrypick_snapshot('ns.t', 1)",
        "fast_forward('ns.t', 'a', 'b')", "expire_snapshots('ns.t')", "remove_orphan_files('ns.t')",
        "rewrite_manifests('ns.t')"}) {
    EXPECT_THAT(world.Message(std::string("CALL system.") + call), HasSubstr("no branches"))
        << call;
  }
}

TEST(RunCallTest, UnknownProceduresAreNamedWithWhatIsNear) {
  QueryWorld world;
  EXPECT_THAT(world.Message("CALL system.expire_snapshot('ns.t')"), HasSubstr("expire_snapshots"));
}

}  // namespace
}  // namespace tarn
