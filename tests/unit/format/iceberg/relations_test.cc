#include "tarn/format/iceberg/relations.h"

#include <arrow/api.h>

#include "tests/unit/format/iceberg/iceberg_world.h"

namespace tarn::iceberg {
namespace {

using tarn::testing::FileOf;

class RelationsTest : public testing::IcebergWorld {
 protected:
  // Column `name` of a relation, as text.
  std::vector<std::string> Column(const std::string& relation, const std::string& name) {
    std::vector<std::string> texts;
    const Result<Relation> rows = format->ReadRelation(home, Load(), relation);
    EXPECT_OK(rows);
    if (!rows.ok()) return texts;
    for (const auto& batch : rows->batches) {
      const auto column = batch->GetColumnByName(name);
      for (int64_t row = 0; column != nullptr && row < column->length(); ++row) {
        texts.push_back((*column->GetScalar(row))->ToString());
      }
    }
    return texts;
  }
  using Texts = std::vector<std::string>;
};

TEST_F(RelationsTest, EveryNameIsReadAndNoOther) {
  ASSERT_OK(Create());
  for (const bool written : {false, true}) {
    if (written) ASSERT_OK(Append("c1", {FileOf("1", "a", 3)}));
    for (const std::string_view name : format->traits().relations) {
      const Result<Relation> rows = format->ReadRelation(home, Load(), name);
      ASSERT_OK(rows);
      for (const auto& batch : rows->batches) EXPECT_TRUE(batch->ValidateFull().ok()) << name;
    }
  }
  EXPECT_ERROR(format->ReadRelation(home, Load(), "nothing"), ErrorCode::kNotFound);
}

TEST_F(RelationsTest, SnapshotsHistoryAndMetadataLog) {
  ASSERT_OK(Create());
  ASSERT_OK(Append("c1", {FileOf("1", "a", 3)}));
  ASSERT_OK(Append("c2", {FileOf("2", "b", 4)}));
  EXPECT_EQ(Column("snapshots", "operation"), (Texts{"append", "append"}));
  const Texts ids = Column("snapshots", "snapshot_id");
  ASSERT_EQ(ids.size(), 2U);
  EXPECT_EQ(Column("snapshots", "parent_id"), (Texts{"null", ids[0]}));
  EXPECT_EQ(Column("history", "snapshot_id"), ids);
  EXPECT_EQ(Column("history", "is_current_ancestor"), (Texts{"true", "true"}));
  const std::string folder = "memory:/lake/t/metadata/v";
  EXPECT_EQ(
      Column("metadata_log_entries", "file"),
      (Texts{folder + "1.metadata.json", folder + "2.metadata.json", folder + "3.metadata.json"}));
  EXPECT_EQ(Column("metadata_log_entries", "latest_snapshot_id"), (Texts{"null", ids[0], ids[1]}));
  EXPECT_EQ(Column("refs", "name"), (Texts{"main"}));
  EXPECT_EQ(Column("refs", "type"), (Texts{"BRANCH"}));
}

TEST_F(RelationsTest, Manifests) {
  ASSERT_OK(Create());
  ASSERT_OK(Append("c1", {FileOf("1", "a", 3), FileOf("2", "b", 4)}));
  EXPECT_EQ(Column("manifests", "added_data_files_count"), (Texts{"2"}));
  EXPECT_EQ(Column("manifests", "added_delete_files_count"), (Texts{"0"}));
  ASSERT_OK_AND_ASSIGN(const Relation rows, format->ReadRelation(home, Load(), "manifests"));
  const auto summaries = std::static_pointer_cast<arrow::ListArray>(
      rows.batches[0]->GetColumnByName("partition_summaries"));
  ASSERT_EQ(summaries->value_length(0), 1);
  const auto& bounds = static_cast<const arrow::StructArray&>(*summaries->values());
  EXPECT_EQ((*bounds.GetFieldByName("lower_bound")->GetScalar(0))->ToString(), "1");
  EXPECT_EQ((*bounds.GetFieldByName("upper_bound")->GetScalar(0))->ToString(), "2");
}

}  // namespace
}  // namespace tarn::iceberg
