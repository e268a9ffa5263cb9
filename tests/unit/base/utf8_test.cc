#include "tarn/base/utf8.h"

#include <gtest/gtest.h>

#include "tarn/base/text.h"

namespace tarn {
namespace {

std::string Encoded(uint32_t point) {
  std::string text;
  AppendUtf8(point, text);
  return text;
}

TEST(Utf8Test, LengthsChangeWhereTheStandardSays) {
  EXPECT_EQ(Encoded(0), std::string(1, '\0'));
  EXPECT_EQ(Encoded(0x7F), "\x7F");
  EXPECT_EQ(Encoded(0x80), "\xC2\x80");
  EXPECT_EQ(Encoded(0x7FF), "\xDF\xBF");
  EXPECT_EQ(Encoded(0x800), "\xE0\xA0\x80");
  EXPECT_EQ(Encoded(0xFFFF), "\xEF\xBF\xBF");
  EXPECT_EQ(Encoded(0x10000), "\xF0\x90\x80\x80");
  EXPECT_EQ(Encoded(0x10FFFF), "\xF4\x8F\xBF\xBF");
}

TEST(Utf8Test, EveryPointButSurrogatesIsValid) {
  for (uint32_t point = 0; point <= 0x10FFFF; point += 13) {
    const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
    EXPECT_EQ(IsUtf8(Encoded(point)), !surrogate) << point;
  }
}

}  // namespace
}  // namespace tarn
