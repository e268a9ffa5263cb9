#include "tarn/engine/engine.h"

#include <filesystem>
#include <fstream>

#include "tests/unit/engine/engine_fixture.h"

namespace tarn {
namespace {

using testing::EngineTest;

TEST_F(EngineTest, WritesAndReadsBatches) {
  ASSERT_OK(Write("t", {{1, "a"}, {2, "b"}, {3, "b"}}, {.partition_by = {"day"}}));
  ASSERT_OK_AND_ASSIGN(int64_t count, Count(engine_->Read("t")));
  EXPECT_EQ(count, 3);
  ASSERT_OK_AND_ASSIGN(count, Count(engine_->Read("default.t").Option("day", "b")));
  EXPECT_EQ(count, 2);
  ASSERT_OK_AND_ASSIGN(
      count, Count(engine_->Read("t").Option("day", "b").Where("id > 2").Columns({"id"})));
  EXPECT_EQ(count, 1);
  ASSERT_OK(Write("t", {{4, "c"}}));
  ASSERT_OK_AND_ASSIGN(count, Count(engine_->Read("t").AsOf(0)));
  EXPECT_EQ(count, 3);
  ASSERT_OK(Write("t", {{9, "b"}}, {.mode = IngestMode::kOverwritePartitions}));
  ASSERT_OK_AND_ASSIGN(count, Count(engine_->Read("t")));
  EXPECT_EQ(count, 3);
  ASSERT_OK(Write("t", {{9, "b"}}, {.mode = IngestMode::kOverwrite}));
  ASSERT_OK_AND_ASSIGN(count, Count(engine_->Read("t")));
  EXPECT_EQ(count, 1);
}

TEST_F(EngineTest, ATableByPathBelowTheLakeGetsAName) {
  ASSERT_OK(Write(lake_ + "/events", {{1, "a"}}));
  ASSERT_OK_AND_ASSIGN(const auto names, engine_->resolver().List(std::nullopt));
  EXPECT_EQ(names, std::vector<std::string>{"default.events"});
  ASSERT_OK_AND_ASSIGN(const int64_t count, Count(engine_->Read("events")));
  EXPECT_EQ(count, 1);
}

TEST_F(EngineTest, WorksWithoutALake) {
  ASSERT_OK_AND_ASSIGN(const auto engine, Engine::Open(runtime(), {}));
  testing::ListStream rows({testing::Days({{1, "a"}})});
  const std::string path = folder_.path() + "/alone";
  ASSERT_OK(engine->Write(path, rows, {}));
  ASSERT_OK_AND_ASSIGN(const int64_t count, Count(engine->Read(path)));
  EXPECT_EQ(count, 1);
  const auto named = engine->Read("t").Batches();
  EXPECT_ERROR(named, ErrorCode::kNotFound);
  EXPECT_NE(named.error().message.find("--lake"), std::string::npos) << named.error().message;
}

TEST_F(EngineTest, IngestsAndPlans) {
  std::ofstream(folder_.path() + "/a.jsonl")
      << "{\"id\": 1, \"day\": \"x\"}\n{\"id\": 2, \"day\": \"y\"}\n";
  Pipeline pipeline;
  pipeline.paths = {folder_.path() + "/a.jsonl"};
  pipeline.into = "t";
  ASSERT_OK_AND_ASSIGN(const IngestPlan plan, engine_->Plan(pipeline));
  EXPECT_EQ(plan.files.size(), 1u);
  ASSERT_OK_AND_ASSIGN(auto names, engine_->resolver().List(std::nullopt));
  EXPECT_TRUE(names.empty());  // a plan leaves no trace
  ASSERT_OK_AND_ASSIGN(IngestSummary summary, engine_->Ingest(pipeline, nullptr));
  EXPECT_EQ(summary.rows, 2);
  ASSERT_OK_AND_ASSIGN(summary, engine_->Ingest(pipeline, nullptr));
  EXPECT_EQ(summary.rows, 0);
  EXPECT_EQ(summary.files_skipped, 1);
  ASSERT_OK_AND_ASSIGN(const int64_t count, Count(engine_->Read("t")));
  EXPECT_EQ(count, 2);
}

TEST_F(EngineTest, FindsTheLakeAbove) {
  std::filesystem::create_directories(lake_ + "/a/b");
  EXPECT_EQ(Engine::FindLake(lake_ + "/a/b"), lake_);
  EXPECT_EQ(Engine::FindLake("/"), "");
  EXPECT_ERROR(Engine::Open(runtime(), {.lake = folder_.path()}), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace tarn
