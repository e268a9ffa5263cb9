#include "tarn/engine/table_restore.h"

#include <filesystem>

#include "tarn/engine/table_facts.h"
#include "tests/unit/engine/engine_fixture.h"

namespace tarn {
namespace {

using testing::EngineTest;

TEST_F(EngineTest, RestoreMakesTheTableAsItWas) {
  ASSERT_OK(Write("t", {{1, "a"}, {2, "b"}}));
  ASSERT_OK(Write("t", {{3, "c"}}, {.mode = IngestMode::kOverwrite}));
  ASSERT_OK_AND_ASSIGN(const auto table, engine_->OpenTable("t"));
  ASSERT_OK_AND_ASSIGN(RestoreSummary summary, RestoreTable(runtime(), *table, "0"));
  EXPECT_EQ(summary.version.text, "2");
  EXPECT_EQ(summary.files_removed, 1);
  ASSERT_OK_AND_ASSIGN(const int64_t count, Count(engine_->Read("t")));
  EXPECT_EQ(count, 2);
  ASSERT_OK_AND_ASSIGN(summary, RestoreTable(runtime(), *table, "2"));
  EXPECT_EQ(summary.version.text, "2");  // nothing to do
  ASSERT_OK_AND_ASSIGN(const auto commits, ReadHistory(*table, 1));
  EXPECT_EQ(commits[0].operation.name, "RESTORE");
  EXPECT_ERROR(RestoreTable(runtime(), *table, "9"), ErrorCode::kNotFound);
}

TEST_F(EngineTest, RestoreIsRefusedWhenFilesAreGone) {
  ASSERT_OK(Write("t", {{1, "a"}}));
  ASSERT_OK(Write("t", {{3, "c"}}, {.mode = IngestMode::kOverwrite}));
  ASSERT_OK_AND_ASSIGN(const auto table, engine_->OpenTable("t"));
  ASSERT_OK_AND_ASSIGN(const TableFacts then,
                       ReadTableFacts(*table, AtVersion{"0"}, FileBounds::kNo));
  const std::string& gone = then.partitions[0].files[0].path;
  std::filesystem::remove(lake_ + "/default/t/" + gone);
  const auto refused = RestoreTable(runtime(), *table, "0");
  EXPECT_ERROR(refused, ErrorCode::kInvalid);
  EXPECT_NE(refused.error().message.find(gone), std::string::npos);
}

TEST_F(EngineTest, CheckpointsOnDemand) {
  ASSERT_OK(Write("t", {{1, "a"}}));
  ASSERT_OK_AND_ASSIGN(const auto table, engine_->OpenTable("t"));
  ASSERT_OK_AND_ASSIGN(const Version version, CheckpointTable(*table));
  EXPECT_EQ(version.text, "0");
  EXPECT_TRUE(std::filesystem::exists(lake_ + "/default/t/_delta_log/_last_checkpoint"));
}

}  // namespace
}  // namespace tarn
