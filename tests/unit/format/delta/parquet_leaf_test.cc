#include "tarn/format/delta/parquet_leaf.h"

#include <gtest/gtest.h>

#include "tests/unit/format/delta/log_fixture.h"

namespace tarn::delta {
namespace {

class ParquetLeafTest : public LogFixture {
 protected:
  void SetUp() override {
    PutFirst();
    PutCommit(1, {AddLine("f1", "y", 10), AddLine("f2", "z", 20)});
    Result<Snapshot> snapshot = Load();
    ASSERT_OK(snapshot);
    TableProperties properties;
    properties.stats_as_struct = true;
    PutCheckpoint(*snapshot, properties);
    ASSERT_OK_AND_ASSIGN(bytes_, storage_->Read(ClassicCheckpointPath(home_.root, 1)));
    ASSERT_OK_AND_ASSIGN(file_, Open(bytes_));
  }
  Result<std::unique_ptr<CheckpointParquet>> Open(const Bytes& bytes) {
    const Path path = home_.root / "copy.parquet";
    TARN_RETURN_IF_ERROR(storage_->Put(path, bytes));
    TARN_ASSIGN_OR_RETURN(std::unique_ptr<ObjectReader> object, storage_->OpenReader(path));
    return CheckpointParquet::Open(std::move(object), "copy");
  }
  LeafCursor CursorOf(std::initializer_list<std::string_view> path) {
    Result<LeafCursor> cursor = file_->Cursor(0, file_->Leaf(path));
    EXPECT_OK(cursor);
    return *std::move(cursor);
  }

  Bytes bytes_;
  std::unique_ptr<CheckpointParquet> file_;
};

TEST_F(ParquetLeafTest, FindsLeavesByPath) {
  EXPECT_GE(file_->Leaf({"add", "path"}), 0);
  EXPECT_EQ(file_->Leaf({"add"}), -1);
  EXPECT_EQ(file_->Leaf({"add", "nothing"}), -1);
  EXPECT_EQ(file_->LeavesBelow({"add", "partitionValues"}).size(), 2U);
  EXPECT_EQ(file_->PathOf(file_->Leaf({"add", "path"})), (Names{"add", "path"}));
  EXPECT_TRUE(file_->AllNull(0, file_->Leaf({"remove", "path"})));
  EXPECT_FALSE(file_->AllNull(0, file_->Leaf({"add", "path"})));
}

TEST_F(ParquetLeafTest, WalksLevelsAndValues) {
  LeafCursor paths = CursorOf({"add", "path"});
  int64_t rows = 0;
  Names found;
  while (paths.Next()) {
    ++rows;
    EXPECT_EQ(paths.repetition(), 0);
    if (paths.has_value()) found.emplace_back(paths.bytes());
  }
  EXPECT_OK(paths.status());
  EXPECT_EQ(rows, file_->rows(0));
  EXPECT_EQ(found.size(), 3U);

  LeafCursor keys = CursorOf({"add", "path"});
  keys.SkipRows(rows - 1);
  ASSERT_TRUE(keys.Next());
  EXPECT_EQ(keys.has_value() ? std::string(keys.bytes()) : "", found.back());
  EXPECT_FALSE(keys.Next());
}

TEST_F(ParquetLeafTest, ValuesAreWidenedOrUnknown) {
  LeafCursor lower = CursorOf({"add", "stats_parsed", "minValues", "a"});
  while (lower.Next() && !lower.has_value()) {
  }
  ASSERT_TRUE(lower.has_value());
  const int64_t number = lower.integer();
  EXPECT_TRUE(lower.ValueAs(Type::Of(TypeKind::kInt64)) == Value(number));
  EXPECT_TRUE(lower.ValueAs(Type::Decimal(20, 2)) == Value(Int128{number} * 100));
  EXPECT_TRUE(IsNull(lower.ValueAs(Type::Of(TypeKind::kString))));
  EXPECT_TRUE(IsNull(lower.ValueAs(Type::Of(TypeKind::kDate))));
}

TEST_F(ParquetLeafTest, ACutFileIsCorrupt) {
  for (const size_t length : {size_t{0}, size_t{3}, bytes_.size() / 2, bytes_.size() - 1}) {
    EXPECT_ERROR(Open(bytes_.substr(0, length)), ErrorCode::kCorrupt);
  }
}

}  // namespace
}  // namespace tarn::delta
