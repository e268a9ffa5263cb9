#include "tarn/format/iceberg/file_stream.h"

#include <gtest/gtest.h>

#include "tests/unit/format/iceberg/iceberg_world.h"

namespace tarn::iceberg {
namespace {

using tarn::testing::DayIs;
using tarn::testing::FileOf;

class FileStreamTest : public testing::IcebergWorld {};

TEST_F(FileStreamTest, ManifestsAndFilesArePruned) {
  ASSERT_OK(Create());
  ASSERT_OK(Append("c1", {FileOf("1", "a", 3), FileOf("2", "b", 4)}));
  ASSERT_OK(Append("c2", {FileOf("3", "c", 5)}));
  const Snapshot snapshot = Load();
  ASSERT_OK_AND_ASSIGN(const auto stream, format->Files(home, snapshot, {.filter = DayIs("2")}));
  std::vector<std::string> paths;
  while (true) {
    ASSERT_OK_AND_ASSIGN(const auto batch, stream->Next());
    if (!batch) break;
    for (int64_t i = 0; i < batch->size; ++i) {
      paths.emplace_back(batch->path[static_cast<size_t>(i)]);
    }
  }
  EXPECT_EQ(paths, std::vector<std::string>{"day=2/b"});
  EXPECT_EQ(stream->files_seen(), 3) << "those of the pruned manifest, too";
}

TEST_F(FileStreamTest, WhatAFileIs) {
  ASSERT_OK(Create());
  DataFile file = FileOf("1", "a", 3);
  ColumnStatistics id{.field_id = 1};
  id.value_count = 3;
  id.null_count = 1;
  id.lower = Value(int64_t{5});
  id.upper = Value(int64_t{9});
  file.statistics = {id};
  ASSERT_OK(Append("c1", {file}));
  FileRequest request;
  request.all_bounds = true;
  const std::vector<DataFile> files = Files(Load(), request);
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0].location, "memory:/lake/t/day=1/a");
  EXPECT_EQ(files[0].record_count, 3);
  EXPECT_EQ(files[0].size_bytes, 103);
  EXPECT_EQ(files[0].format, "parquet");
  EXPECT_EQ(files[0].partition, std::vector<Value>{Value("1")});
  ASSERT_EQ(files[0].statistics.size(), 2U);
  EXPECT_EQ(files[0].statistics[0].lower, Value(int64_t{5}));
  EXPECT_EQ(files[0].statistics[0].null_count, 1);
  const Expression above = Expression::Compare(Expression::Op::kGreater, 1, Value(int64_t{9}));
  EXPECT_TRUE(Files(Load(), {.filter = above}).empty()) << "by its bounds";
}

TEST_F(FileStreamTest, ATableWithoutSnapshotHasNoFiles) {
  ASSERT_OK(Create());
  EXPECT_TRUE(Files(Load()).empty());
}

}  // namespace
}  // namespace tarn::iceberg
