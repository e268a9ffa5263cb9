#include "tarn/engine/location.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "tests/support/matchers.h"
#include "tests/support/temp_folder.h"

namespace tarn {
namespace {

TEST(Location, KnowsPathsFromNames) {
  for (const char* path : {"a/b", "./a", "/a", "../x", ".", "~/x", "file:///a", "FILE:x"}) {
    EXPECT_TRUE(LooksLikePath(path)) << path;
  }
  for (const char* name : {"t", "ns.t", "a-b", ""}) EXPECT_FALSE(LooksLikePath(name)) << name;
}

TEST(Location, MakesPathsAbsolute) {
  ASSERT_OK_AND_ASSIGN(std::string path, AbsolutePath("file:///no/such%20folder/../x/"));
  EXPECT_EQ(path, "/no/x");
  ASSERT_OK_AND_ASSIGN(path, AbsolutePath("file:/no/a%20b"));
  EXPECT_EQ(path, "/no/a b");
  ASSERT_OK_AND_ASSIGN(path, AbsolutePath("file://localhost/no"));
  EXPECT_EQ(path, "/no");
  ASSERT_OK_AND_ASSIGN(path, AbsolutePath("."));
  EXPECT_EQ(path, std::filesystem::canonical(".").string());
  ASSERT_OK_AND_ASSIGN(path, AbsolutePath("/"));
  EXPECT_EQ(path, "/");
  EXPECT_ERROR(AbsolutePath(""), ErrorCode::kInvalid);
  EXPECT_ERROR(AbsolutePath("file://other/x"), ErrorCode::kInvalid);
  EXPECT_ERROR(AbsolutePath("s3://bucket/x"), ErrorCode::kUnsupported);
  EXPECT_ERROR(AbsolutePath(std::string("a\0b", 3)), ErrorCode::kInvalid);
}

TEST(Location, FollowsLinks) {
  const testing::TempFolder folder;
  std::filesystem::create_directory(folder.path() + "/real");
  std::filesystem::create_symlink(folder.path() + "/real", folder.path() + "/link");
  ASSERT_OK_AND_ASSIGN(const std::string path, AbsolutePath(folder.path() + "/link/new"));
  EXPECT_TRUE(path.ends_with("/real/new")) << path;
}

TEST(Location, RelativeToAFolder) {
  EXPECT_EQ(RelativeTo("/a/b", "/a/b/c/d"), "c/d");
  EXPECT_EQ(RelativeTo("/a/b/", "/a/b/c"), "c");
  EXPECT_EQ(RelativeTo("/a/b", "/a/bc"), std::nullopt);
  EXPECT_EQ(RelativeTo("/a/b", "/a/b"), std::nullopt);
  EXPECT_EQ(RelativeTo("/", "/a"), "a");
}

TEST(Location, FolderNamesAreSafe) {
  EXPECT_EQ(FolderNameFor("events"), "events");
  EXPECT_EQ(FolderNameFor("a/b%c"), "a%2Fb%25c");
  EXPECT_EQ(FolderNameFor(".."), "%2E.");
  EXPECT_EQ(FolderNameFor("größe 1"), "größe 1");
  EXPECT_EQ(FolderNameFor("a\nb"), "a%0Ab");
}

}  // namespace
}  // namespace tarn
