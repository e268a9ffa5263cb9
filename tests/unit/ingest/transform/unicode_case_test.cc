#include "tarn/ingest/transform/unicode_case.h"

#include <gtest/gtest.h>

namespace tarn {
namespace {

std::string Lower(std::string_view text) {
  std::string lower;
  for (size_t at = 0; at < text.size();) AppendLower(NextCodePoint(text, &at), &lower);
  return lower;
}

TEST(UnicodeCaseTest, LowersByTheDefaultMapping) {
  EXPECT_EQ(Lower("ABC xyz 123"), "abc xyz 123");
  EXPECT_EQ(Lower("ÄÖÜ ẞ ß"), "äöü ß ß");
  EXPECT_EQ(Lower("ΣΑΣ"), "σασ");  // no context: no final sigma
  EXPECT_EQ(Lower("İI"), "i\xCC\x87i");
  EXPECT_EQ(Lower("ĀāĂă"), "āāăă");
  EXPECT_EQ(Lower("Ⅷ Ⓐ Ａ 𐐀 Ꭰ"), "ⅷ ⓐ ａ 𐐨 ꭰ");
  EXPECT_EQ(Lower("日本"), "日本");
}

TEST(UnicodeCaseTest, KnowsTheCategories) {
  EXPECT_TRUE(IsUpperCase('A'));
  EXPECT_FALSE(IsUpperCase('a'));
  EXPECT_TRUE(IsUpperCase(0x1C5));  // Lt: Dž
  EXPECT_TRUE(IsLowerCase(0xDF));
  EXPECT_FALSE(IsLowerCase('_'));
  EXPECT_TRUE(IsDecimalDigit('7'));
  EXPECT_TRUE(IsDecimalDigit(0x663));
}

TEST(UnicodeCaseTest, InvalidBytesAreReplaced) {
  size_t at = 0;
  EXPECT_EQ(NextCodePoint("\xFF", &at), 0xFFFDu);
  at = 0;
  EXPECT_EQ(NextCodePoint("\xE2\x82", &at), 0xFFFDu);
}

}  // namespace
}  // namespace tarn
