#include "tarn/engine/table_procedure.h"

#include "tests/unit/engine/engine_fixture.h"

namespace tarn {
namespace {

using testing::EngineTest;

TEST_F(EngineTest, ProceduresTakeNamesAndFolders) {
  ASSERT_OK_AND_ASSIGN(const std::string by_name,
                       ProcedureSql(*engine_, "ns.t", "upkeep", {{"dry_run", "true"}}));
  EXPECT_EQ(by_name, R"(CALL system.upkeep(table => '"ns"."t"', dry_run => 'true'))");
  ASSERT_OK_AND_ASSIGN(const std::string by_path, ProcedureSql(*engine_, "./a/t", "upkeep", {}));
  EXPECT_NE(by_path.find("a/t'"), std::string::npos) << by_path;
}

}  // namespace
}  // namespace tarn
