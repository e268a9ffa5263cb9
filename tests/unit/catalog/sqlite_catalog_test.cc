#include "tarn/catalog/sqlite_catalog.h"

#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "tarn/catalog/iceberg_tables.h"
#include "tarn/catalog/sqlite_database.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_folder.h"

namespace tarn {
namespace {

class SqliteCatalogTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK(CreateSqliteCatalog(file()));
    ASSERT_OK_AND_ASSIGN(catalog_, OpenSqliteCatalog(file()));
  }
  std::string file() const { return folder_.path() + "/catalog.db"; }
  static TableEntry Entry(const std::string& name, const std::string& location = "x") {
    return {TableName::Parse(name).value(), "delta", location, {}};
  }

  testing::TempFolder folder_;
  std::unique_ptr<Catalog> catalog_;
};

TEST_F(SqliteCatalogTest, KeepsTablesAcrossProcesses) {
  TableEntry entry = Entry("default.events", "events");
  entry.properties = {{"a", "1"}};
  ASSERT_OK(catalog_->Register(entry));
  ASSERT_OK_AND_ASSIGN(auto again, OpenSqliteCatalog(file()));
  ASSERT_OK_AND_ASSIGN(const TableEntry found,
                       again->Find(TableName::Parse("default.EVENTS").value()));
  EXPECT_EQ(found.name.ToText(), "default.events");
  EXPECT_EQ(found.format, "delta");
  EXPECT_EQ(found.location, "events");
  EXPECT_EQ(found.properties, entry.properties);
}

TEST_F(SqliteCatalogTest, NamesAreUniqueIgnoringCase) {
  ASSERT_OK(catalog_->Register(Entry("default.t")));
  EXPECT_ERROR(catalog_->Register(Entry("Default.T")), ErrorCode::kAlreadyExists);
  EXPECT_ERROR(catalog_->Register(Entry("none.t")), ErrorCode::kNotFound);
}

TEST_F(SqliteCatalogTest, NamesTheNearestTable) {
  ASSERT_OK(catalog_->Register(Entry("default.events")));
  const auto found = catalog_->Find(TableName::Parse("default.event").value());
  EXPECT_ERROR(found, ErrorCode::kNotFound);
  EXPECT_NE(found.error().message.find("did you mean 'default.events'"), std::string::npos);
  EXPECT_ERROR(catalog_->Unregister(TableName::Parse("default.event").value()),
               ErrorCode::kNotFound);
}

TEST_F(SqliteCatalogTest, Namespaces) {
  EXPECT_ERROR(catalog_->CreateNamespace({"default"}), ErrorCode::kAlreadyExists);
  ASSERT_OK(catalog_->CreateNamespace({"a"}));
  ASSERT_OK(catalog_->CreateNamespace({"a", "b.c"}));
  EXPECT_ERROR(catalog_->CreateNamespace({"x", "y"}), ErrorCode::kNotFound);
  ASSERT_OK_AND_ASSIGN(auto namespaces, catalog_->ListNamespaces());
  EXPECT_EQ(namespaces, (std::vector<std::vector<std::string>>{{"a"}, {"a", "b.c"}, {"default"}}));
  EXPECT_ERROR(catalog_->DropNamespace({"a"}), ErrorCode::kInvalid);  // holds a namespace
  ASSERT_OK(catalog_->DropNamespace({"a", "b.c"}));
  ASSERT_OK(catalog_->Register(Entry("a.t")));
  EXPECT_ERROR(catalog_->DropNamespace({"a"}), ErrorCode::kInvalid);  // holds a table
  ASSERT_OK(catalog_->Unregister(TableName::Parse("a.t").value()));
  ASSERT_OK(catalog_->DropNamespace({"A"}));
  EXPECT_ERROR(catalog_->DropNamespace({"a"}), ErrorCode::kNotFound);
  EXPECT_ERROR(catalog_->DropNamespace({"default"}), ErrorCode::kInvalid);
}

TEST_F(SqliteCatalogTest, ListsSortedAllOrOneNamespace) {
  ASSERT_OK(catalog_->CreateNamespace({"a"}));
  for (const char* name : {"default.z", "default.b", "a.t"})
    ASSERT_OK(catalog_->Register(Entry(name)));
  ASSERT_OK_AND_ASSIGN(auto all, catalog_->List(std::nullopt));
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].name.ToText(), "a.t");
  EXPECT_EQ(all[2].name.ToText(), "default.z");
  ASSERT_OK_AND_ASSIGN(auto some, catalog_->List("default"));
  EXPECT_EQ(some.size(), 2u);
  EXPECT_ERROR(catalog_->List("none"), ErrorCode::kNotFound);
}

TEST_F(SqliteCatalogTest, Renames) {
  TableEntry entry = Entry("default.t");
  entry.properties = {{"k", "v"}};
  ASSERT_OK(catalog_->Register(entry));
  ASSERT_OK(catalog_->Register(Entry("default.u")));
  const auto name = [](const char* text) { return TableName::Parse(text).value(); };
  EXPECT_ERROR(catalog_->Rename(name("default.t"), name("default.u")), ErrorCode::kAlreadyExists);
  EXPECT_ERROR(catalog_->Rename(name("default.x"), name("default.y")), ErrorCode::kNotFound);
  ASSERT_OK(catalog_->Rename(name("default.t"), name("default.T2")));
  ASSERT_OK_AND_ASSIGN(const TableEntry found, catalog_->Find(name("default.t2")));
  EXPECT_EQ(found.properties.at("k"), "v");
}

TEST_F(SqliteCatalogTest, UpdatesAWholeEntry) {
  TableEntry entry = Entry("default.t");
  EXPECT_ERROR(catalog_->Update(entry), ErrorCode::kNotFound);
  entry.properties = {{"k", "v"}};
  ASSERT_OK(catalog_->Register(entry));
  ASSERT_OK(catalog_->Update(Entry("default.T", "elsewhere")));
  ASSERT_OK_AND_ASSIGN(const TableEntry found,
                       catalog_->Find(TableName::Parse("default.t").value()));
  EXPECT_EQ(found.location, "elsewhere");
  EXPECT_TRUE(found.properties.empty());
}

TEST_F(SqliteCatalogTest, SeveralProcessesRegisterAtOnce) {
  constexpr int kProcesses = 3;
  constexpr int kTables = 20;
  for (int process = 0; process < kProcesses; ++process) {
    if (fork() != 0) continue;
    auto catalog = OpenSqliteCatalog(file());
    bool ok = catalog.ok();
    for (int i = 0; ok && i < kTables; ++i) {
      ok = (*catalog)
               ->Register(Entry("default.t" + std::to_string(process) + "_" + std::to_string(i)))
               .ok();
    }
    _exit(ok ? 0 : 1);
  }
  for (int process = 0; process < kProcesses; ++process) {
    int status = 0;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
  ASSERT_OK_AND_ASSIGN(auto all, catalog_->List(std::nullopt));
  EXPECT_EQ(all.size(), static_cast<size_t>(kProcesses * kTables));
}

TEST_F(SqliteCatalogTest, IsMadeOnceAndKnowsItsVersion) {
  EXPECT_ERROR(CreateSqliteCatalog(file()), ErrorCode::kAlreadyExists);
  EXPECT_ERROR(OpenSqliteCatalog(folder_.path() + "/none.db"), ErrorCode::kNotFound);
  std::ofstream(folder_.path() + "/empty.db");
  EXPECT_ERROR(OpenSqliteCatalog(folder_.path() + "/empty.db"), ErrorCode::kCorrupt);
  ASSERT_OK_AND_ASSIGN(auto database, SqliteDatabase::Open(file(), SqliteDatabase::Create::kNo));
  ASSERT_OK(database->Execute("UPDATE tarn_catalog SET value = '9'", {}));
  EXPECT_ERROR(OpenSqliteCatalog(file()), ErrorCode::kUnsupported);
}

// A row of Iceberg's tables, as PyIceberg would make it.
void InsertRow(const std::string& file, const std::string& within, const std::string& table,
               const std::string& location) {
  ASSERT_OK_AND_ASSIGN(auto database, SqliteDatabase::Open(file, SqliteDatabase::Create::kNo));
  IcebergTables tables(*database);
  ASSERT_OK_AND_ASSIGN(const bool added, tables.Insert({"tarn", within, table}, location));
  ASSERT_TRUE(added);
}

TEST_F(SqliteCatalogTest, TablesWithPointersAreListedBesideOurs) {
  ASSERT_OK(catalog_->Register(Entry("default.delta")));
  InsertRow(file(), "Sales.eu", "Orders", "file:///w/orders/metadata/00001-a.metadata.json");
  InsertRow(file(), "", "nameless", "file:///w/n/metadata/00001-a.metadata.json");
  ASSERT_OK_AND_ASSIGN(const auto all, catalog_->List(std::nullopt));
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[1].name.ToText(), "Sales.eu.Orders");
  EXPECT_EQ(all[1].format, "iceberg");
  EXPECT_EQ(all[1].location, "/w/orders");
  ASSERT_OK_AND_ASSIGN(const TableEntry found,
                       catalog_->Find(TableName::Parse("sales.EU.orders").value()));
  ASSERT_TRUE(found.pointer);
  EXPECT_EQ(found.pointer->key.table_namespace, "Sales.eu");
  const std::vector<std::vector<std::string>> namespaces = {
      {"default"}, {"Sales"}, {"Sales", "eu"}};
  EXPECT_EQ(catalog_->ListNamespaces().value(), namespaces);
  EXPECT_EQ(catalog_->List("sales.eu")->size(), 1U);
  EXPECT_ERROR(catalog_->CreateNamespace({"sales"}), ErrorCode::kAlreadyExists);
  EXPECT_ERROR(catalog_->DropNamespace({"Sales", "eu"}), ErrorCode::kInvalid);
  // Ours may live in their namespace, under a name of its own.
  EXPECT_ERROR(catalog_->Register(Entry("sales.eu.ORDERS")), ErrorCode::kAlreadyExists);
  EXPECT_OK(catalog_->Register(Entry("sales.eu.other")));
}

TEST_F(SqliteCatalogTest, PointersAreSwappedByComparing) {
  ASSERT_OK_AND_ASSIGN(const PointerKey key,
                       catalog_->PointerFor(TableName::Parse("DEFAULT.t").value()));
  EXPECT_EQ(key.catalog_name, "tarn");
  EXPECT_EQ(key.table_namespace, "default");
  const auto pointers = catalog_->pointers();
  EXPECT_EQ(pointers->Find(key).value(), std::nullopt);
  EXPECT_FALSE(pointers->Swap(key, "/t/metadata/a", "/t/metadata/b").value());
  EXPECT_TRUE(pointers->Swap(key, std::nullopt, "/t/metadata/a").value());
  EXPECT_FALSE(pointers->Swap(key, std::nullopt, "/t/metadata/b").value());
  ASSERT_OK_AND_ASSIGN(auto other, OpenSqliteCatalog(file()));
  EXPECT_TRUE(other->pointers()->Swap(key, "/t/metadata/a", "/t/metadata/c").value());
  EXPECT_FALSE(pointers->Swap(key, "/t/metadata/a", "/t/metadata/d").value());
  EXPECT_EQ(pointers->Find(key).value(), "/t/metadata/c");
  // Another kind of table, or another case, has the name.
  EXPECT_ERROR(pointers->Swap({"tarn", "default", "T"}, std::nullopt, "x"),
               ErrorCode::kAlreadyExists);
  ASSERT_OK(catalog_->Register(Entry("default.d")));
  EXPECT_ERROR(pointers->Swap({"tarn", "default", "d"}, std::nullopt, "x"),
               ErrorCode::kAlreadyExists);
  EXPECT_ERROR(catalog_->Register(Entry("default.T")), ErrorCode::kAlreadyExists);
  // The catalog may go before its pointers.
  catalog_.reset();
  EXPECT_EQ(pointers->Find(key).value(), "/t/metadata/c");
}

TEST_F(SqliteCatalogTest, TablesWithPointersAreRenamedAndForgotten) {
  InsertRow(file(), "default", "t", "/w/t/metadata/00001-a.metadata.json");
  ASSERT_OK(catalog_->CreateNamespace({"ns"}));
  ASSERT_OK(catalog_->Register(Entry("default.delta")));
  const auto name = [](const char* text) { return TableName::Parse(text).value(); };
  EXPECT_ERROR(catalog_->Rename(name("default.t"), name("default.Delta")),
               ErrorCode::kAlreadyExists);
  EXPECT_ERROR(catalog_->Rename(name("default.delta"), name("default.T")),
               ErrorCode::kAlreadyExists);
  EXPECT_ERROR(catalog_->Rename(name("default.t"), name("none.t")), ErrorCode::kNotFound);
  ASSERT_OK(catalog_->Rename(name("default.t"), name("default.T")));  // a matter of spelling
  ASSERT_OK(catalog_->Rename(name("default.T"), name("NS.u")));
  EXPECT_EQ(catalog_->Find(name("ns.u"))->pointer->key.table_namespace, "ns");
  ASSERT_OK(catalog_->Unregister(name("ns.U")));
  EXPECT_ERROR(catalog_->Find(name("ns.u")), ErrorCode::kNotFound);
  ASSERT_OK(catalog_->DropNamespace({"ns"}));
}

TEST_F(SqliteCatalogTest, ANamespaceWithADotHoldsNoPointers) {
  ASSERT_OK(catalog_->CreateNamespace({"a.b"}));
  EXPECT_ERROR(catalog_->PointerFor({{"a.b"}, "t"}), ErrorCode::kInvalid);
  EXPECT_ERROR(catalog_->PointerFor({{"none"}, "t"}), ErrorCode::kNotFound);
  EXPECT_OK(catalog_->Register({{{"a.b"}, "t"}, "delta", "x", {}}));
}

TEST_F(SqliteCatalogTest, OneOfSeveralNamesIsChosen) {
  InsertRow(file(), "default", "t", "/w/t/metadata/00001-a.metadata.json");
  ASSERT_OK(SetCatalogSetting(file(), kSqlCatalogName, "theirs"));
  EXPECT_TRUE(catalog_->List(std::nullopt)->empty());
  EXPECT_EQ(catalog_->PointerFor({{"default"}, "t"})->catalog_name, "theirs");
  ASSERT_OK(SetCatalogSetting(file(), kSqlCatalogName, "tarn"));
  EXPECT_EQ(catalog_->List(std::nullopt)->size(), 1U);
  EXPECT_ERROR(SetCatalogSetting(file(), kSqlCatalogName, ""), ErrorCode::kInvalid);
  EXPECT_ERROR(SetCatalogSetting(folder_.path() + "/none.db", kSqlCatalogName, "x"),
               ErrorCode::kNotFound);
}

}  // namespace
}  // namespace tarn
