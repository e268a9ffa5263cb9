#include "tarn/format/iceberg/delete_index.h"

#include <gtest/gtest.h>

namespace tarn::iceberg {
namespace {

LiveDelete Delete(DeleteKind kind, const std::string& name, int64_t sequence,
                  const std::string& partition, const std::string& data_file = "") {
  LiveDelete one;
  one.file.kind = kind;
  one.file.location = name;
  one.sequence_number = sequence;
  one.partition = partition;
  one.data_file = data_file;
  return one;
}

std::vector<std::string> Found(const DeleteIndex& index, const std::string& path,
                               const std::string& partition, int64_t sequence) {
  std::vector<DeleteFile> files;
  index.Find(path, 0, partition, sequence, files);
  std::vector<std::string> names;
  for (const DeleteFile& file : files) names.push_back(file.location);
  return names;
}

using Names = std::vector<std::string>;

// Specification, "Scan Planning".
TEST(DeleteIndexTest, PositionDeletesReachDataOfTheirOwnCommit) {
  DeleteIndex index;
  index.Add(Delete(DeleteKind::kPositionDeletes, "p", 5, "A"));
  EXPECT_EQ(Found(index, "x", "A", 5), Names{"p"});
  EXPECT_EQ(Found(index, "x", "A", 6), Names{});
  EXPECT_EQ(Found(index, "x", "B", 5), Names{});
}

TEST(DeleteIndexTest, EqualityDeletesReachOlderDataOnly) {
  DeleteIndex index;
  index.Add(Delete(DeleteKind::kEqualityDeletes, "e", 5, "A"));
  index.Add(Delete(DeleteKind::kEqualityDeletes, "everywhere", 7, ""));
  EXPECT_EQ(Found(index, "x", "A", 4), (Names{"everywhere", "e"}));
  EXPECT_EQ(Found(index, "x", "A", 5), Names{"everywhere"});
  EXPECT_EQ(Found(index, "x", "B", 6), Names{"everywhere"});
  EXPECT_EQ(Found(index, "x", "B", 7), Names{});
}

TEST(DeleteIndexTest, AVectorStandsForThePositionDeletesOfItsFile) {
  DeleteIndex index;
  index.Add(Delete(DeleteKind::kPositionDeletes, "p", 5, "A", "x"));
  index.Add(Delete(DeleteKind::kDeletionVector, "old", 6, "A", "x"));
  index.Add(Delete(DeleteKind::kDeletionVector, "new", 7, "A", "x"));
  EXPECT_EQ(Found(index, "x", "A", 1), Names{"new"});
  EXPECT_EQ(Found(index, "y", "A", 1), Names{});
}

TEST(DeleteIndexTest, PartitionsAreEqualByValue) {
  ValueColumn text = ValueColumn::Of(Type::Of(TypeKind::kString));
  ValueColumn number = ValueColumn::Of(Type::Of(TypeKind::kInt64));
  for (const auto& [a, b] : std::vector<std::pair<Value, Value>>{{Value("x"), Value(int64_t{1})},
                                                                 {Value("x"), Value()},
                                                                 {Value(), Value(int64_t{1})},
                                                                 {Value("x"), Value(int64_t{1})}}) {
    text.Append(a);
    number.Append(b);
  }
  std::vector<std::string> keys(4);
  for (int64_t row = 0; row < 4; ++row) {
    AppendPartitionKey({text, number}, row, keys[static_cast<size_t>(row)]);
  }
  EXPECT_EQ(keys[0], keys[3]);
  EXPECT_NE(keys[0], keys[1]);
  EXPECT_NE(keys[1], keys[2]);
}

}  // namespace
}  // namespace tarn::iceberg
