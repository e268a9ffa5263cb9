#include "tarn/catalog/sqlite_catalog.h"

#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace tarn
