#include "tarn/engine/catalog_resolver.h"

#include <filesystem>

#include "tarn/catalog/sqlite_catalog.h"
#include "tests/unit/engine/engine_fixture.h"

namespace tarn {
namespace {

class CatalogResolverTest : public testing::EngineTest {
 protected:
  TableResolver& resolver() { return engine_->resolver(); }
};

TEST_F(CatalogResolverTest, NamesComeBeforeFoldersOfTheSameName) {
  const auto here = std::filesystem::current_path();
  std::filesystem::current_path(folder_.path());
  std::filesystem::create_directory("t");
  ASSERT_OK(Write("t", {{1, "a"}}));
  ASSERT_OK_AND_ASSIGN(TableReference reference, engine_->ParseReference("t"));
  EXPECT_EQ(reference.parts, std::vector<std::string>{"t"});
  // A folder that is no table does not hide a name that is yet to be made.
  std::filesystem::create_directory("u");
  ASSERT_OK_AND_ASSIGN(reference, engine_->ParseReference("u"));
  EXPECT_EQ(reference.parts, std::vector<std::string>{"u"});
  ASSERT_OK(Write("./v", {{1, "a"}}));
  ASSERT_OK_AND_ASSIGN(reference, engine_->ParseReference("v"));
  EXPECT_EQ(reference.path, "v");
  std::filesystem::current_path(here);
}

TEST_F(CatalogResolverTest, AFormatsNameInFrontMakesAPath) {
  const auto here = std::filesystem::current_path();
  std::filesystem::current_path(folder_.path());
  ASSERT_OK_AND_ASSIGN(const auto made, resolver().Prepare({.parts = {"Delta", "v"}}, {}));
  EXPECT_EQ("/" + made->home.root.str(), folder_.path() + "/v");
  EXPECT_ERROR(resolver().Open({.parts = {"delta", "v"}}), ErrorCode::kNotFound);
  ASSERT_OK(Write("./v", {{1, "a"}}));
  EXPECT_OK(resolver().Open({.parts = {"delta", "v"}}));
  // Unless a namespace is called like it.
  ASSERT_OK(resolver().CreateNamespace("delta"));
  EXPECT_ERROR(resolver().Open({.parts = {"delta", "v"}}), ErrorCode::kNotFound);
  std::filesystem::current_path(here);
}

TEST_F(CatalogResolverTest, SaysWhatIsMissing) {
  ASSERT_OK(Write("events", {{1, "a"}}));
  auto table = resolver().Open({.parts = {"event"}});
  EXPECT_ERROR(table, ErrorCode::kNotFound);
  EXPECT_NE(table.error().message.find("did you mean 'default.events'"), std::string::npos);
  table = resolver().Open({.path = folder_.path() + "/none"});
  EXPECT_ERROR(table, ErrorCode::kNotFound);
  EXPECT_NE(table.error().message.find("no such folder"), std::string::npos);
  table = resolver().Open({.path = folder_.path()});
  EXPECT_ERROR(table, ErrorCode::kNotFound);
  EXPECT_NE(table.error().message.find("looked for: delta"), std::string::npos);
  EXPECT_ERROR(resolver().Open({.path = "x/y", .format = "hudi"}), ErrorCode::kUnsupported);
  EXPECT_ERROR(resolver().Open({.path = "x/y", .format = "dleta"}), ErrorCode::kInvalid);
}

TEST_F(CatalogResolverTest, AnInterruptedCreationHeals) {
  // Prepared, created, but never registered: as after a kill.
  ASSERT_OK_AND_ASSIGN(const auto table, resolver().Prepare({.parts = {"t"}}, {}));
  EXPECT_ERROR(resolver().Open({.parts = {"t"}}), ErrorCode::kNotFound);
  ASSERT_OK_AND_ASSIGN(auto names, resolver().List(std::nullopt));
  EXPECT_TRUE(names.empty());
  ASSERT_OK_AND_ASSIGN(const auto engine, Engine::Open(runtime(), {}));
  testing::ListStream rows({testing::Days({{1, "a"}})});
  ASSERT_OK(engine->Write("/" + table->home.root.str(), rows, {}));
  ASSERT_OK_AND_ASSIGN(names, resolver().List(std::nullopt));
  EXPECT_EQ(names, std::vector<std::string>{"default.t"});
  EXPECT_OK(resolver().Open({.parts = {"t"}}));
  EXPECT_ERROR(resolver().Prepare({.parts = {"t"}}, {}), ErrorCode::kAlreadyExists);
  // One that never made the table does not block the name.
  ASSERT_OK(resolver().Prepare({.parts = {"u"}}, {}));
  ASSERT_OK(Write("u", {{1, "a"}}));
  EXPECT_OK(resolver().Open({.parts = {"u"}}));
}

TEST_F(CatalogResolverTest, DropKeepsTheDataUnlessPurged) {
  ASSERT_OK(Write("t", {{1, "a"}}));
  ASSERT_OK(resolver().Drop({.parts = {"t"}}, false));
  EXPECT_ERROR(resolver().Open({.parts = {"t"}}), ErrorCode::kNotFound);
  EXPECT_TRUE(std::filesystem::exists(lake_ + "/default/t/_delta_log"));
  // What was dropped does not come back by accident.
  const Status again = Write("t", {{2, "a"}});
  EXPECT_ERROR(again, ErrorCode::kAlreadyExists);
  EXPECT_NE(again.error().message.find("LOCATION"), std::string::npos);
  const TableReference by_path{.path = lake_ + "/default/t"};
  EXPECT_ERROR(resolver().Drop(by_path, false), ErrorCode::kInvalid);
  ASSERT_OK_AND_ASSIGN(const auto table, resolver().Open(by_path));
  ASSERT_OK(resolver().Register({.parts = {"back"}}, *table));
  ASSERT_OK(resolver().Drop({.parts = {"back"}}, true));
  EXPECT_FALSE(std::filesystem::exists(lake_ + "/default/t"));
  ASSERT_OK(Write("t", {{2, "a"}}));
}

TEST_F(CatalogResolverTest, PurgeSparesALake) {
  ASSERT_OK(Write(lake_, {{1, "a"}}));
  EXPECT_ERROR(resolver().Drop({.path = lake_}, true), ErrorCode::kInvalid);
  EXPECT_TRUE(std::filesystem::exists(lake_ + "/.tarn/catalog.db"));
}

TEST_F(CatalogResolverTest, NamespacesAndRenames) {
  ASSERT_OK(resolver().CreateNamespace("a"));
  EXPECT_ERROR(resolver().CreateNamespace("a"), ErrorCode::kAlreadyExists);
  ASSERT_OK(Write("a.t", {{1, "x"}}));
  EXPECT_TRUE(std::filesystem::exists(lake_ + "/a/t/_delta_log"));
  ASSERT_OK(resolver().Rename({.parts = {"a", "t"}}, {.parts = {"u"}}));
  ASSERT_OK_AND_ASSIGN(const int64_t count, Count(engine_->Read("default.u")));
  EXPECT_EQ(count, 1);
  ASSERT_OK(resolver().DropNamespace("a"));
  ASSERT_OK_AND_ASSIGN(const auto namespaces, resolver().ListNamespaces());
  EXPECT_EQ(namespaces, std::vector<std::string>{"default"});
  EXPECT_ERROR(Write("none.t", {{1, "x"}}), ErrorCode::kNotFound);
}

TEST_F(CatalogResolverTest, TablesElsewhere) {
  const std::string place = folder_.path() + "/elsewhere";
  ASSERT_OK_AND_ASSIGN(const auto table, resolver().Prepare({.parts = {"t"}}, {.location = place}));
  EXPECT_TRUE(("/" + table->home.root.str()).ends_with("/elsewhere"));
  EXPECT_ERROR(resolver().Prepare({.path = "x/y"}, {.location = place}), ErrorCode::kInvalid);
}

TEST_F(CatalogResolverTest, IcebergTablesByNameHaveAPointer) {
  const TableReference name{.parts = {"t"}};
  ASSERT_OK_AND_ASSIGN(auto table, resolver().Prepare(name, {.format = "iceberg"}));
  EXPECT_TRUE(table->home.head.authoritative);
  EXPECT_EQ(table->home.head.name, "");
  EXPECT_EQ("/" + table->home.root.str(), lake_ + "/default/t");
  EXPECT_ERROR(resolver().Open(name), ErrorCode::kNotFound);  // no trace before the first commit
  EXPECT_TRUE(resolver().List(std::nullopt)->empty());
  ASSERT_OK_AND_ASSIGN(const auto session, engine_->OpenSession());
  const auto run = [&](const std::string& sql) {
    return session->Run(sql, [](StatementResult) { return OkStatus(); });
  };
  ASSERT_OK(run("CREATE TABLE t USING iceberg AS SELECT 1 AS id"));
  ASSERT_OK_AND_ASSIGN(table, resolver().Open({.parts = {"T"}}));
  EXPECT_EQ(table->name, "default.t");
  EXPECT_FALSE(table->home.head.name.empty());
  // By its path it is the same, with the lake and without.
  ASSERT_OK_AND_ASSIGN(auto by_path, resolver().Open({.path = lake_ + "/default/t"}));
  EXPECT_EQ(by_path->home.head.name, table->home.head.name);
  ASSERT_OK_AND_ASSIGN(const auto outside, Engine::Open(runtime(), {}));
  ASSERT_OK_AND_ASSIGN(by_path, outside->OpenTable(lake_ + "/default/t"));
  EXPECT_EQ(by_path->home.head.name, table->home.head.name);
  EXPECT_ERROR(outside->resolver().Drop({.path = lake_ + "/default/t"}, true), ErrorCode::kInvalid);
  EXPECT_ERROR(resolver().Register({.parts = {"u"}}, *table), ErrorCode::kAlreadyExists);
  EXPECT_OK(resolver().Register(name, *table));
}

TEST_F(CatalogResolverTest, AMetadataFileIsRegistered) {
  const std::string folder = lake_ + "/elsewhere";
  ASSERT_OK_AND_ASSIGN(const auto session, engine_->OpenSession());
  ASSERT_OK(session->Run("CREATE TABLE '" + folder + "' USING iceberg AS SELECT 1 AS id",
                         [](StatementResult) { return OkStatus(); }));
  const std::string file = folder + "/metadata/v1.metadata.json";
  const TableReference name{.parts = {"u"}};
  EXPECT_ERROR(resolver().RegisterMetadata(name, folder + "/metadata/v9.metadata.json"),
               ErrorCode::kNotFound);
  EXPECT_ERROR(resolver().RegisterMetadata(name, folder + "/v1.metadata.json"),
               ErrorCode::kInvalid);
  EXPECT_ERROR(resolver().RegisterMetadata({.path = folder}, file), ErrorCode::kInvalid);
  EXPECT_ERROR(resolver().RegisterMetadata({.parts = {"none", "u"}}, file), ErrorCode::kNotFound);
  ASSERT_OK(resolver().RegisterMetadata(name, "file://" + file));
  EXPECT_ERROR(resolver().RegisterMetadata(name, file), ErrorCode::kAlreadyExists);
  ASSERT_OK_AND_ASSIGN(const auto table, resolver().Open(name));
  EXPECT_EQ(table->home.head.name, "file://" + file);
  // The name that the path had before leads to the same.
  ASSERT_OK_AND_ASSIGN(const auto before, resolver().Open({.parts = {"elsewhere"}}));
  EXPECT_EQ(before->home.head.name, table->home.head.name);
}

}  // namespace
}  // namespace tarn
