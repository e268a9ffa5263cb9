#include "tarn/model/file_batch.h"

#include <gtest/gtest.h>

namespace tarn {
namespace {

DataFile File(std::string path, int64_t part, int64_t lower) {
  DataFile file;
  file.path = std::move(path);
  file.size_bytes = 10;
  file.record_count = 3;
  file.partition = {Value(part)};
  file.statistics = {{.field_id = 2, .null_count = 0, .lower = Value(lower)}};
  return file;
}

FileBatch Batch() {
  FileBatch batch;
  batch.partition.push_back(ValueColumn::Of(Type::Of(TypeKind::kInt64)));
  batch.bounds.push_back({2,
                          ValueColumn::Of(Type::Of(TypeKind::kInt64)),
                          ValueColumn::Of(Type::Of(TypeKind::kInt64)),
                          {},
                          {}});
  AppendFile(batch, File("a", 1, 7));
  DataFile renamed = File("b c", 2, 8);
  renamed.location = "b%20c";
  renamed.deletes = {{.location = "u1", .row_count = 1}, {.location = "u2", .row_count = 1}};
  AppendFile(batch, renamed);
  AppendFile(batch, File("d", 3, 9));
  return batch;
}

TEST(FileBatchTest, FilesComeBackAsTheyWere) {
  const FileBatch batch = Batch();
  EXPECT_EQ(batch.size, 3);
  EXPECT_EQ(batch.At(0).location, "a");
  EXPECT_TRUE(batch.At(0).deletes.empty());
  EXPECT_EQ(batch.At(1).path, "b c");
  EXPECT_EQ(batch.At(1).location, "b%20c");
  EXPECT_EQ(batch.At(1).deletes.size(), 2u);
  EXPECT_EQ(batch.At(2).partition[0], Value(int64_t{3}));
  EXPECT_EQ(batch.At(2).statistics[0].lower, Value(int64_t{9}));
  EXPECT_EQ(batch.At(2).statistics[0].upper, std::nullopt);
}

TEST(FileBatchTest, FilterKeepsDeletesWithTheirFile) {
  const FileBatch kept = Batch().Filter({0, 1, 1});
  EXPECT_EQ(kept.size, 2);
  EXPECT_EQ(kept.At(0).location, "b%20c");
  EXPECT_EQ(kept.At(0).deletes[1].location, "u2");
  EXPECT_EQ(kept.At(1).path, "d");
  EXPECT_TRUE(kept.At(1).deletes.empty());
  EXPECT_EQ(Batch().Filter({0, 0, 0}).size, 0);
}

TEST(FileBatchTest, BoundsAreFoundById) {
  const FileBatch batch = Batch();
  EXPECT_NE(batch.BoundsOf(2), nullptr);
  EXPECT_EQ(batch.BoundsOf(1), nullptr);
  EXPECT_EQ(batch.BoundsOf(3), nullptr);
}

}  // namespace
}  // namespace tarn
