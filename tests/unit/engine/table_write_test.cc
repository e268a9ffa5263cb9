#include "tarn/engine/table_write.h"

#include "tests/unit/engine/engine_fixture.h"

namespace tarn {
namespace {

using testing::EngineTest;

TEST_F(EngineTest, ANewTableTakesItsColumnsAndProperties) {
  ASSERT_OK(Write("t", {{1, "a"}}, {.partition_by = {"day"}, .properties = {{"owner", "me"}}}));
  ASSERT_OK_AND_ASSIGN(const auto table, engine_->OpenTable("t"));
  ASSERT_OK_AND_ASSIGN(const Snapshot snapshot, table->Load());
  EXPECT_EQ(snapshot.metadata.schema.fields.size(), 2u);
  EXPECT_EQ(snapshot.metadata.default_spec().fields.size(), 1u);
  EXPECT_EQ(snapshot.metadata.properties.at("owner"), "me");
}

TEST_F(EngineTest, AnUnknownPartitionColumnIsRefusedBeforeAnythingIsMade) {
  EXPECT_ERROR(Write("t", {{1, "a"}}, {.partition_by = {"dya"}}), ErrorCode::kNotFound);
  EXPECT_ERROR(engine_->OpenTable("t"), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace tarn
