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

}  // namespace
}  // namespace tarn
