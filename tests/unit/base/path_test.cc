#include "tarn/base/path.h"

#include <gtest/gtest.h>

namespace tarn {
namespace {

TEST(PathTest, RefusesWhatCouldLeaveTheRoot) {
  for (const std::string_view bad :
       {"/a", "a/", "a//b", ".", "..", "a/../b", "a/..", "../a", "./a", "a/./b", "/"}) {
    EXPECT_FALSE(Path::Make(bad).ok()) << bad;
  }
  EXPECT_FALSE(Path::Make(std::string_view("a\0b", 3)).ok());
}

TEST(PathTest, KeepsBytesAsTheyAre) {
  for (const std::string_view good :
       {"", "a", "a/b", "...", "a/..b", "a=1/x%20y", " ", "\xC3\xA9", "a\\b", "A/a"}) {
    ASSERT_TRUE(Path::Make(good).ok()) << good;
    EXPECT_EQ(Path::Make(good)->str(), good);
  }
}

TEST(PathTest, TakesApartAndJoins) {
  const Path path = Path::Make("a/b/c.json").value();
  EXPECT_EQ(path.name(), "c.json");
  EXPECT_EQ(path.parent().str(), "a/b");
  EXPECT_EQ((path.parent() / "d/e").str(), "a/b/d/e");
  EXPECT_EQ((Path() / "x").str(), "x");
  EXPECT_EQ(Path().Join("")->str(), "");
  EXPECT_FALSE(path.Join("../x").ok());
  EXPECT_EQ(Path::Make("a")->parent(), Path());
}

TEST(PathTest, WithinIsBySegments) {
  const Path folder = Path::Make("a/b").value();
  EXPECT_TRUE(Path::Make("a/b/c")->IsWithin(folder));
  EXPECT_TRUE(folder.IsWithin(folder));
  EXPECT_TRUE(folder.IsWithin(Path()));
  EXPECT_FALSE(Path::Make("a/bc")->IsWithin(folder));
  EXPECT_FALSE(Path::Make("a")->IsWithin(folder));
  EXPECT_EQ(Path::Make("a/b/c/d")->RelativeTo(folder), "c/d");
  EXPECT_EQ(folder.RelativeTo(folder), "");
  EXPECT_EQ(folder.RelativeTo(Path()), "a/b");
}

}  // namespace
}  // namespace tarn
