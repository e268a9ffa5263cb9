#include "tarn/engine/warehouse_tree.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/matchers.h"
#include "tests/support/temp_folder.h"

namespace tarn {
namespace {

class WarehouseTreeTest : public ::testing::Test {
 protected:
  void Put(const std::string& path) {
    const std::filesystem::path file = folder_.path() + "/" + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << "1";
  }
  testing::TempFolder folder_;
};

TEST_F(WarehouseTreeTest, FoldersAreNamespacesOrTables) {
  Put("top/metadata/version-hint.text");
  Put("a/b/t/metadata/v3.metadata.json");
  Put("a/b/t/data/x/y.parquet");
  Put("a/packed/metadata/v1.gz.metadata.json");
  Put("a/of_a_catalog/metadata/00000-x.metadata.json");
  Put("a/delta/_delta_log/0.json");
  Put("empty/file");
  Put(".tarn/catalog.db");
  std::filesystem::create_directory_symlink("..", folder_.path() + "/a/loop");
  ASSERT_OK_AND_ASSIGN(const WarehouseTree tree, ListWarehouse(folder_.path()));
  std::vector<std::string> tables;
  for (const TableName& name : tree.tables) tables.push_back(name.ToText());
  EXPECT_EQ(tables, (std::vector<std::string>{"a.packed", "a.b.t", "default.top"}));
  EXPECT_EQ(tree.namespaces, (std::vector<std::vector<std::string>>{{"a"}, {"a", "b"}, {"empty"}}));
  EXPECT_FALSE(IsWarehouseTable(folder_.path() + "/a/of_a_catalog"));
  EXPECT_FALSE(IsWarehouseTable(folder_.path() + "/none"));
  EXPECT_ERROR(ListWarehouse(folder_.path() + "/none"), ErrorCode::kUnavailable);
}

TEST_F(WarehouseTreeTest, NamesArePlaces) {
  Put("top/metadata/version-hint.text");
  const auto path = [&](const char* name) {
    return WarehousePath(folder_.path(), TableName::Parse(name).value());
  };
  EXPECT_EQ(path("a.b.t"), folder_.path() + "/a/b/t");
  EXPECT_EQ(path("default.top"), folder_.path() + "/top");
  EXPECT_EQ(path("default.other"), folder_.path() + "/default/other");
}

}  // namespace
}  // namespace tarn
