#include "tarn/engine/lake.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "tests/support/matchers.h"
#include "tests/support/temp_folder.h"

namespace tarn {
namespace {

class LakeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = std::filesystem::canonical(folder_.path()).string();
    ASSERT_OK(Lake::Init(root_ + "/deep/lake"));
    ASSERT_OK_AND_ASSIGN(lake_, Lake::Open(root_ + "/deep/lake"));
  }
  testing::TempFolder folder_;
  std::string root_;
  std::unique_ptr<Lake> lake_;
};

TEST_F(LakeTest, IsMadeOnceAndFoundFromBelow) {
  EXPECT_ERROR(Lake::Init(root_ + "/deep/lake"), ErrorCode::kAlreadyExists);
  EXPECT_EQ(Lake::FolderAbove(root_ + "/deep/lake/a/b"), root_ + "/deep/lake");
  EXPECT_EQ(Lake::FolderAbove(root_ + "/deep/lake"), root_ + "/deep/lake");
  EXPECT_EQ(Lake::FolderAbove(root_ + "/deep"), std::nullopt);
  const auto none = Lake::Open(root_ + "/deep");
  EXPECT_ERROR(none, ErrorCode::kNotFound);
  EXPECT_NE(none.error().message.find("tarn init"), std::string::npos);
  EXPECT_ERROR(Lake::Open(root_ + "/none"), ErrorCode::kNotFound);
}

TEST_F(LakeTest, LocationsAreRelativeBelowIt) {
  EXPECT_EQ(Lake::DefaultLocation(TableName::Parse("a.\"b/c\".t").value()), "a/b%2Fc/t");
  EXPECT_EQ(lake_->SpellLocation(root_ + "/deep/lake/x/t"), "x/t");
  EXPECT_EQ(lake_->SpellLocation("/elsewhere/t"), "/elsewhere/t");
  TableEntry entry{TableName::Parse("default.t").value(), "delta", "x/t", {}};
  ASSERT_OK_AND_ASSIGN(std::string path, lake_->PathOf(entry));
  EXPECT_EQ(path, root_ + "/deep/lake/x/t");
  entry.location = "/elsewhere/t";
  ASSERT_OK_AND_ASSIGN(path, lake_->PathOf(entry));
  EXPECT_EQ(path, "/elsewhere/t");
}

TEST_F(LakeTest, NamesTablesMadeByPath) {
  const auto name = [&](const std::string& below) {
    const auto found = lake_->NameForPath(root_ + "/deep/lake/" + below);
    return found.ok() && *found ? (*found)->ToText() : "none";
  };
  EXPECT_EQ(name("events"), "default.events");
  EXPECT_EQ(name("default/events"), "default.events");
  EXPECT_EQ(name("ns/events"), "none");
  ASSERT_OK(lake_->catalog().CreateNamespace({"ns"}));
  EXPECT_EQ(name("ns/events"), "ns.events");
  ASSERT_OK_AND_ASSIGN(const auto outside, lake_->NameForPath(root_ + "/other"));
  EXPECT_FALSE(outside);
}

TEST_F(LakeTest, FindsEntriesByPlace) {
  ASSERT_OK(lake_->catalog().Register({TableName::Parse("default.t").value(), "delta", "x/t", {}}));
  ASSERT_OK_AND_ASSIGN(auto entry, lake_->EntryAt(root_ + "/deep/lake/x/t"));
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->name.ToText(), "default.t");
  ASSERT_OK_AND_ASSIGN(entry, lake_->EntryAt(root_ + "/deep/lake/x"));
  EXPECT_FALSE(entry);
}

TEST_F(LakeTest, SettingsStay) {
  EXPECT_FALSE(lake_->is_warehouse());
  const std::string folder = root_ + "/deep/lake";
  ASSERT_OK(Lake::Set(folder, {.warehouse = true}));
  ASSERT_OK(Lake::Set(folder, {.catalog_name = "theirs"}));
  ASSERT_OK_AND_ASSIGN(const auto again, Lake::Open(folder));
  EXPECT_TRUE(again->is_warehouse());
  EXPECT_EQ(again->catalog().PointerFor(TableName::Parse("default.t").value())->catalog_name,
            "theirs");
  EXPECT_ERROR(Lake::Set(root_ + "/deep", {.warehouse = true}), ErrorCode::kNotFound);
}

TEST_F(LakeTest, TablesWithPointersAreFoundByTheirPlace) {
  TableEntry entry{.name = TableName::Parse("default.t").value(),
                   .format = "iceberg",
                   .location = root_ + "/deep/lake/x/t"};
  const std::string file = "file://" + entry.location + "/metadata/00000-a.metadata.json";
  entry.pointer = TableEntry::Pointer{lake_->catalog().PointerFor(entry.name).value(), file};
  ASSERT_OK(lake_->catalog().Register(entry));
  ASSERT_OK_AND_ASSIGN(const auto found, lake_->EntryAt(entry.location));
  ASSERT_TRUE(found && found->pointer);
  EXPECT_EQ(found->pointer->metadata_location, file);
  EXPECT_EQ(lake_->PathOf(*found).value(), entry.location);
  // Other stores are refused by name.
  TableEntry far = *found;
  far.location = "s3://bucket/t";
  EXPECT_ERROR(lake_->PathOf(far), ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace tarn
