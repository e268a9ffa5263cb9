#include "tarn/ingest/source/glob.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/matchers.h"
#include "tests/support/temp_folder.h"

namespace tarn {
namespace {

TEST(SegmentMatchesTest, KnowsThePatterns) {
  EXPECT_TRUE(SegmentMatches("*.jsonl", "a.jsonl"));
  EXPECT_FALSE(SegmentMatches("*.jsonl", ".a.jsonl"));
  EXPECT_TRUE(SegmentMatches(".*", ".a"));
  EXPECT_TRUE(SegmentMatches("a?c", "aéc"));
  EXPECT_FALSE(SegmentMatches("a?c", "ac"));
  EXPECT_TRUE(SegmentMatches("part-[0-9][0-9].csv", "part-07.csv"));
  EXPECT_FALSE(SegmentMatches("part-[!0-9]", "part-7"));
  EXPECT_TRUE(SegmentMatches("[]x]", "]"));
  EXPECT_TRUE(SegmentMatches("a[b", "a[b"));
  EXPECT_TRUE(SegmentMatches("*a*b*", "xxaxxbxx"));
  EXPECT_FALSE(SegmentMatches("*a*b*", "xxbxxaxx"));
}

TEST(GlobTest, FindsFilesSorted) {
  const testing::TempFolder folder;
  for (const char* name :
       {"b.csv", "a.csv", "x/1.csv", "x/y/2.csv", "x/y/.hidden.csv", "c.txt", "[odd].csv"}) {
    const std::filesystem::path path = folder.path() + "/" + name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << "x";
  }
  const auto names = [&](const std::string& pattern) {
    const auto found = Glob(folder.path() + "/" + pattern);
    if (!found.ok()) return std::string(ErrorCodeName(found.error().code));
    std::string text;
    for (const std::string& file : *found) text += file.substr(folder.path().size() + 1) + " ";
    return text;
  };
  EXPECT_EQ(names("*.csv"), "[odd].csv a.csv b.csv ");
  EXPECT_EQ(names("**/*.csv"), "[odd].csv a.csv b.csv x/1.csv x/y/2.csv ");
  EXPECT_EQ(names("x/**"), "x/1.csv x/y/2.csv ");
  EXPECT_EQ(names("x"), "x/1.csv x/y/2.csv ");
  EXPECT_EQ(names("x/*/2.*"), "x/y/2.csv ");
  EXPECT_EQ(names("[odd].csv"), "[odd].csv ");
  EXPECT_EQ(names("*.none"), "");
  EXPECT_EQ(names("none.csv"), "not found");
}

}  // namespace
}  // namespace tarn
