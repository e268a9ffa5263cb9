#include "tarn/engine/table_diff.h"

#include <gtest/gtest.h>

namespace tarn {
namespace {

Field Column(int32_t id, std::string name, TypeKind kind) {
  return Field{.id = id, .name = std::move(name), .type = Type::Of(kind)};
}

TEST(DiffSchemas, GoesByIds) {
  Schema from;
  from.fields = {Column(1, "a", TypeKind::kInt32), Column(2, "b", TypeKind::kString),
                 Column(3, "c", TypeKind::kDate)};
  Schema to;
  to.fields = {Column(1, "a", TypeKind::kInt64), Column(2, "bee", TypeKind::kString),
               Column(4, "c", TypeKind::kDate)};
  to.fields[1].required = true;
  EXPECT_EQ(DiffSchemas(from, to),
            (std::vector<std::string>{"dropped column c: date (id 3)",
                                      "changed type of a from int32 to int64 (id 1)",
                                      "renamed column b to bee (id 2)", "made required: bee (id 2)",
                                      "added column c: date (id 4)"}));
  EXPECT_TRUE(DiffSchemas(to, to).empty());
}

TEST(DiffTables, ComparesFilesPropertiesAndConstraints) {
  const auto file = [](const std::string& path, int64_t rows, int64_t deleted) {
    DataFile data{.path = path, .size_bytes = 10, .record_count = rows};
    if (deleted > 0) data.deletes.push_back(DeleteFile{.location = path, .row_count = deleted});
    return data;
  };
  TableFacts from;
  from.snapshot.version = {"1"};
  from.snapshot.metadata.properties = {{"a", "1"}, {"b", "2"}};
  from.partitions = {PartitionFacts{.files = {file("x", 5, 0), file("y", 7, 0)}}};
  TableFacts to;
  to.snapshot.version = {"2"};
  to.snapshot.metadata.properties = {{"a", "3"}, {"c", "4"}};
  to.snapshot.metadata.constraints = {{"p", "n > 0"}};
  to.partitions = {PartitionFacts{.files = {file("y", 7, 2), file("z", 9, 0)}}};
  const TableDiff diff = DiffTables(from, to);
  EXPECT_EQ(diff.property_changes,
            (std::vector<std::string>{"set a = '3' (was '1')", "set c = '4'", "unset b"}));
  EXPECT_EQ(diff.other_changes, std::vector<std::string>{"added constraint p: n > 0"});
  ASSERT_EQ(diff.files_added.size(), 1u);
  EXPECT_EQ(diff.files_added[0].path, "z");
  EXPECT_EQ(diff.added.rows, 9);
  EXPECT_EQ(diff.removed.rows, 5);
  EXPECT_EQ(diff.files_with_rows_deleted.size(), 1u);
  EXPECT_EQ(diff.rows_deleted_in_files, 2);
}

}  // namespace
}  // namespace tarn
