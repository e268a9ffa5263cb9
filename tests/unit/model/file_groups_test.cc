#include "tarn/model/file_groups.h"

#include <gtest/gtest.h>

#include <string>

namespace tarn {
namespace {

TEST(FileGroupsTest, BySpecAndFormat) {
  TableMetadata metadata;
  metadata.schema.fields = {{1, "p", Type::Of(TypeKind::kInt64)}};
  metadata.specs = {PartitionSpec{.id = 0},
                    PartitionSpec{.id = 1,
                                  .fields = {{.source_id = 1, .field_id = 1000, .name = "p"},
                                             {.source_id = 9, .field_id = 1001, .name = "gone"}}}};
  std::vector<DataFile> files(5);
  files[0] = {.path = "a", .spec_id = 1, .partition = {Value(int64_t{7}), Value()}};
  files[1] = {.path = "b", .format = "orc"};
  files[2] = {.path = "c"};
  files[3] = {.path = "d", .format = "orc"};
  files[4] = {.path = "e", .spec_id = 99};
  std::string shown;
  for (const FileBatch& batch : GroupFiles(metadata, files)) {
    shown += std::to_string(batch.spec_id) + " " + batch.format + ":";
    for (int64_t row = 0; row < batch.size; ++row) shown += " " + batch.At(row).path;
    shown += " (" + std::to_string(batch.partition.size()) + ")\n";
  }
  EXPECT_EQ(shown, "0 orc: b d (0)\n0 parquet: c (0)\n1 parquet: a (2)\n99 parquet: e (0)\n");
}

TEST(FileGroupsTest, OfNoFiles) { EXPECT_TRUE(GroupFiles({}, {}).empty()); }

}  // namespace
}  // namespace tarn
