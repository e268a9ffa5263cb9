#include "tarn/catalog/iceberg_tables.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tarn/catalog/sqlite_database.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_folder.h"

namespace tarn {
namespace {

class IcebergTablesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(database_, SqliteDatabase::Open(folder_.path() + "/catalog.db",
                                                         SqliteDatabase::Create::kYes));
    tables_ = std::make_unique<IcebergTables>(*database_);
  }

  void MakeV0() {
    ASSERT_OK(database_->Execute(
        "CREATE TABLE iceberg_tables (catalog_name TEXT, table_namespace TEXT, table_name TEXT, "
        "metadata_location TEXT, previous_metadata_location TEXT, "
        "PRIMARY KEY (catalog_name, table_namespace, table_name))",
        {}));
  }

  std::string Cell(const std::string& sql) { return database_->Query(sql, {}).value()[0][0]; }

  testing::TempFolder folder_;
  std::unique_ptr<SqliteDatabase> database_;
  std::unique_ptr<IcebergTables> tables_;
  const PointerKey key_{"c", "ns", "t"};
};

TEST_F(IcebergTablesTest, WithoutThemThereIsNothing) {
  EXPECT_EQ(tables_->FindLayout().value(), IcebergTables::Layout::kNone);
  EXPECT_TRUE(tables_->List("c", std::nullopt).value().empty());
  EXPECT_FALSE(tables_->Find(key_).value());
  EXPECT_FALSE(tables_->IsTaken(key_).value());
  EXPECT_TRUE(tables_->Namespaces("c").value().empty());
  EXPECT_EQ(tables_->CatalogName("").value(), "tarn");
}

TEST_F(IcebergTablesTest, APointerIsSwappedOnlyIfItIsAsExpected) {
  EXPECT_TRUE(tables_->Insert(key_, "one").value());
  EXPECT_FALSE(tables_->Insert(key_, "other").value());
  EXPECT_EQ(Cell("SELECT iceberg_type FROM iceberg_tables"), "TABLE");
  EXPECT_TRUE(tables_->Swap(key_, "one", "two").value());
  EXPECT_FALSE(tables_->Swap(key_, "one", "three").value());
  EXPECT_EQ(tables_->Find(key_).value()->metadata_location, "two");
  EXPECT_EQ(Cell("SELECT previous_metadata_location FROM iceberg_tables"), "one");
  EXPECT_FALSE(tables_->Swap({"d", "ns", "t"}, "two", "three").value());
}

TEST_F(IcebergTablesTest, AnOldLayoutIsUsedAsItIs) {
  MakeV0();
  EXPECT_EQ(tables_->FindLayout().value(), IcebergTables::Layout::kV0);
  const std::string layout = Cell("SELECT sql FROM sqlite_master WHERE name = 'iceberg_tables'");
  EXPECT_TRUE(tables_->Insert(key_, "one").value());
  EXPECT_TRUE(tables_->Swap(key_, "one", "two").value());
  EXPECT_TRUE(tables_->Rename(key_, {"c", "ns", "u"}).value());
  EXPECT_EQ(tables_->List("c", std::nullopt).value().size(), 1U);
  EXPECT_TRUE(tables_->Delete({"c", "ns", "u"}).value());
  EXPECT_EQ(Cell("SELECT sql FROM sqlite_master WHERE name = 'iceberg_tables'"), layout);
}

TEST_F(IcebergTablesTest, ViewsAreNoTablesButTakeTheirName) {
  ASSERT_OK(tables_->Make());
  ASSERT_OK(database_->Execute(
      "INSERT INTO iceberg_tables VALUES ('c', 'ns', 'v', 'x', NULL, 'VIEW'), "
      "('c', 'ns', 'untyped', 'y', NULL, NULL), ('c', 'ns', 'empty', NULL, NULL, 'TABLE')",
      {}));
  const PointerKey view{"c", "ns", "v"};
  EXPECT_FALSE(tables_->Find(view).value());
  EXPECT_TRUE(tables_->IsTaken(view).value());
  EXPECT_FALSE(tables_->Swap(view, "x", "z").value());
  EXPECT_FALSE(tables_->Delete(view).value());
  const auto listed = tables_->List("c", "NS").value();
  ASSERT_EQ(listed.size(), 1U);
  EXPECT_EQ(listed[0].key.table_name, "untyped");
  EXPECT_TRUE(tables_->Swap(listed[0].key, "y", "z").value());
}

TEST_F(IcebergTablesTest, NamesAreFoundInAnyCaseTheExactOneFirst) {
  ASSERT_TRUE(tables_->Insert({"c", "Sales", "Orders"}, "one").value());
  EXPECT_EQ(tables_->Find({"c", "sales", "ORDERS"}).value()->key.table_name, "Orders");
  EXPECT_TRUE(tables_->IsTaken({"c", "sales", "orders"}).value());
  ASSERT_TRUE(tables_->Insert({"c", "Sales", "orders"}, "two").value());
  EXPECT_EQ(tables_->Find({"c", "Sales", "orders"}).value()->metadata_location, "two");
  const auto both = tables_->Find({"c", "sales", "ORDERS"});
  EXPECT_ERROR(both, ErrorCode::kInvalid);
  EXPECT_NE(both.error().message.find("'Sales.Orders' or 'Sales.orders'"), std::string::npos);
}

TEST_F(IcebergTablesTest, TheOnlyNameInTheFileIsMeant) {
  ASSERT_OK(tables_->Make());
  ASSERT_OK(tables_->AddNamespace("lake", "ns"));
  EXPECT_EQ(tables_->CatalogName("").value(), "lake");
  ASSERT_TRUE(tables_->Insert({"one", "ns", "t"}, "x").value());
  EXPECT_EQ(tables_->CatalogName("").value(), "one");
  ASSERT_TRUE(tables_->Insert({"two", "ns", "t"}, "x").value());
  EXPECT_EQ(tables_->CatalogName("").value(), "tarn");
  EXPECT_EQ(tables_->CatalogName("two").value(), "two");
}

TEST_F(IcebergTablesTest, ANamespaceIsThereWithATableOrAProperty) {
  ASSERT_OK(tables_->Make());
  ASSERT_OK(tables_->AddNamespace("c", "empty"));
  ASSERT_OK(tables_->AddNamespace("c", "empty"));
  ASSERT_TRUE(tables_->Insert({"c", "a.b.c", "t"}, "x").value());
  const std::vector<std::string> all = {"a", "a.b", "a.b.c", "empty"};
  EXPECT_EQ(tables_->Namespaces("c").value(), all);
  EXPECT_TRUE(tables_->Namespaces("d").value().empty());
  ASSERT_OK(tables_->DropNamespace("c", "EMPTY"));
  EXPECT_EQ(tables_->Namespaces("c").value().size(), 3U);
}

}  // namespace
}  // namespace tarn
