#include "tarn/engine/table_facts.h"

#include "tests/unit/engine/engine_fixture.h"

namespace tarn {
namespace {

using testing::EngineTest;

TEST_F(EngineTest, FactsCountFilesByPartition) {
  ASSERT_OK(Write("t", {{1, "a"}, {2, "b"}, {3, "b"}}, {.partition_by = {"day"}}));
  ASSERT_OK(Write("t", {{4, "b"}}));
  ASSERT_OK_AND_ASSIGN(const auto table, engine_->OpenTable("t"));
  ASSERT_OK_AND_ASSIGN(const TableFacts facts, ReadTableFacts(*table, Newest{}, FileBounds::kYes));
  EXPECT_EQ(facts.name, "default.t");
  EXPECT_EQ(facts.format, "delta");
  EXPECT_EQ(facts.location, "file://" + lake_ + "/default/t");
  EXPECT_EQ(facts.totals.files, 3);
  EXPECT_EQ(facts.totals.rows, 4);
  EXPECT_GT(facts.totals.bytes, 0);
  ASSERT_EQ(facts.partitions.size(), 2u);
  EXPECT_EQ(facts.partitions[0].values[0], "a");
  EXPECT_EQ(facts.partitions[1].totals.files, 2);
  EXPECT_FALSE(facts.partitions[0].files[0].statistics.empty());
  ASSERT_OK_AND_ASSIGN(const TableFacts before,
                       ReadTableFacts(*table, AtVersion{"0"}, FileBounds::kNo));
  EXPECT_EQ(before.totals.rows, 3);
  EXPECT_ERROR(ReadTableFacts(*table, AtVersion{"7"}, FileBounds::kNo), ErrorCode::kNotFound);
}

TEST_F(EngineTest, HistoryIsNewestFirst) {
  for (int i = 0; i < 3; ++i) ASSERT_OK(Write("t", {{i, "a"}}));
  ASSERT_OK_AND_ASSIGN(const auto table, engine_->OpenTable("t"));
  ASSERT_OK_AND_ASSIGN(auto commits, ReadHistory(*table, 0));
  ASSERT_EQ(commits.size(), 3u);
  EXPECT_EQ(commits[0].version.text, "2");
  EXPECT_GT(commits[0].timestamp_ms, commits[1].timestamp_ms);
  ASSERT_OK_AND_ASSIGN(commits, ReadHistory(*table, 1));
  EXPECT_EQ(commits.size(), 1u);
}

TEST(PartitionToText, IsWrittenLikeAFolder) {
  PartitionSpec spec;
  spec.fields = {PartitionField{.name = "a"}, PartitionField{.name = "b"}};
  EXPECT_EQ(PartitionToText(spec, {"1", std::nullopt}), "a=1/b=NULL");
  EXPECT_EQ(PartitionToText(PartitionSpec{}, {}), "");
}

}  // namespace
}  // namespace tarn
