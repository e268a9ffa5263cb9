#include "tarn/format/iceberg/file_relations.h"

#include <algorithm>

#include <arrow/api.h>

#include "tests/unit/format/iceberg/iceberg_world.h"

namespace tarn::iceberg {
namespace {

using tarn::testing::FileOf;

class FileRelationsTest : public testing::IcebergWorld {
 protected:
  std::shared_ptr<arrow::RecordBatch> Read(const std::string& relation) {
    Result<Relation> rows = format->ReadRelation(home, Load(), relation);
    EXPECT_OK(rows);
    return rows.ok() ? rows->batches.at(0) : nullptr;
  }
  static std::string Cell(const arrow::RecordBatch& batch, const std::string& column, int64_t row) {
    return (*batch.GetColumnByName(column)->GetScalar(row))->ToString();
  }
};

TEST_F(FileRelationsTest, EntriesKeepWhatWasRemovedAndFilesDoNot) {
  ASSERT_OK(Create());
  ASSERT_OK(Append("c1", {FileOf("1", "a", 3), FileOf("2", "b", 4)}));
  Commit removal;
  removal.id = "c2";
  removal.operation.kind = OperationKind::kDelete;
  removal.removed = {Files(Load()).at(0)};
  ASSERT_OK(Publish(removal));
  const auto entries = Read("entries");
  ASSERT_EQ(entries->num_rows(), 2);
  std::vector<std::string> statuses = {Cell(*entries, "status", 0), Cell(*entries, "status", 1)};
  std::sort(statuses.begin(), statuses.end());
  EXPECT_EQ(statuses, (std::vector<std::string>{"0", "2"}));
  const auto files = Read("files");
  ASSERT_EQ(files->num_rows(), 1);
  EXPECT_EQ(Cell(*files, "record_count", 0), "4");
  EXPECT_EQ(Cell(*files, "spec_id", 0), "0");
  EXPECT_EQ(Read("delete_files")->num_rows(), 0);
  EXPECT_EQ(Read("data_files")->num_rows(), 1);
}

TEST_F(FileRelationsTest, PartitionsAreSummedUp) {
  ASSERT_OK(Create());
  ASSERT_OK(Append("c1", {FileOf("1", "a", 3), FileOf("1", "b", 4), FileOf("2", "c", 5)}));
  const auto rows = Read("partitions");
  ASSERT_EQ(rows->num_rows(), 2);
  EXPECT_EQ(Cell(*rows, "record_count", 0), "7");
  EXPECT_EQ(Cell(*rows, "file_count", 0), "2");
  EXPECT_EQ(Cell(*rows, "record_count", 1), "5");
  EXPECT_EQ(Cell(*rows, "equality_delete_file_count", 1), "0");
}

}  // namespace
}  // namespace tarn::iceberg
