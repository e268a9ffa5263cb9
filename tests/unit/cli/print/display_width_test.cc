#include "tarn/cli/print/display_width.h"

#include <gtest/gtest.h>

namespace tarn::cli {
namespace {

TEST(DisplayWidth, CountsColumns) {
  EXPECT_EQ(DisplayWidth("abc"), 3u);
  EXPECT_EQ(DisplayWidth("größe"), 5u);
  EXPECT_EQ(DisplayWidth("e\xCC\x81"), 1u);  // e and a combining accent
  EXPECT_EQ(DisplayWidth("日本"), 4u);
  EXPECT_EQ(DisplayWidth("😀"), 2u);
}

TEST(DisplayWidth, CutsBetweenCharacters) {
  EXPECT_EQ(CutToWidth("abcdef", 4), "abc…");
  EXPECT_EQ(CutToWidth("abc", 3), "abc");
  EXPECT_EQ(CutToWidth("日本語", 4), "日…");
  EXPECT_EQ(CutToWidth("abc", 0), "");
}

TEST(DisplayWidth, OneLine) { EXPECT_EQ(OnOneLine("a\nb\t\x1b[1m"), "a\\nb\\t\\x1b[1m"); }

}  // namespace
}  // namespace tarn::cli
