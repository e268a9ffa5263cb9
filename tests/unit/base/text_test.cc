#include "tarn/base/text.h"

#include <gtest/gtest.h>

namespace tarn {
namespace {

TEST(DidYouMeanTest, NamesTheNearestOrAll) {
  EXPECT_EQ(DidYouMean("schemas", {"schema", "show"}), "; did you mean 'schema'?");
  EXPECT_EQ(DidYouMean("shwo", {"schema", "show"}), "; did you mean 'show'?");
  EXPECT_EQ(DidYouMean("xyz", {"schema", "show"}), "; known: schema, show");
  EXPECT_EQ(DidYouMean("x", {}), "");
  EXPECT_EQ(DidYouMean(std::string(10'000, 'a'), {"b"}), "; known: b");
}

TEST(TextTest, AsciiCase) {
  EXPECT_EQ(AsciiLower("aBC\xC3\x89"), "abc\xC3\x89");
  EXPECT_TRUE(AsciiEqualsIgnoreCase("SELECT", "select"));
  EXPECT_FALSE(AsciiEqualsIgnoreCase("a", "ab"));
}

TEST(TextTest, SplitsAndJoins) {
  EXPECT_EQ(Split("a,b,,c", ','), (std::vector<std::string>{"a", "b", "", "c"}));
  EXPECT_EQ(Split("", ','), (std::vector<std::string>{""}));
  EXPECT_EQ(Split("a,", ','), (std::vector<std::string>{"a", ""}));
  EXPECT_EQ(Join({"a", "b"}, ", "), "a, b");
  EXPECT_EQ(Join({}, ", "), "");
  EXPECT_EQ(OneLine("a\n\nb\n"), "a; b");
}

TEST(TextTest, Utf8ByRfc3629) {
  for (const std::string_view good : {"", "a", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x92\xA7",
                                      "\xED\x9F\xBF", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(IsUtf8(good));
  }
  for (const std::string_view bad :
       {"\xFF", "\x80", "\xC3", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80",
        "\xF8\x88\x80\x80\x80", "a\xE2\x82"}) {
    EXPECT_FALSE(IsUtf8(bad));
  }
}

TEST(TextTest, PercentCoding) {
  EXPECT_EQ(PercentEncode("a b/c=\xC3\xA9", "/"), "a%20b/c%3D%C3%A9");
  EXPECT_EQ(PercentDecode("a%20b%2fc"), "a b/c");
  EXPECT_EQ(PercentDecode("100%"), "100%");
  EXPECT_EQ(PercentDecode("%zz%4"), "%zz%4");
  EXPECT_EQ(PercentDecode("%41"), "A");
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  EXPECT_EQ(PercentDecode(PercentEncode(all, "")), all);
}

TEST(TextTest, HexAndBase64RoundTrip) {
  EXPECT_EQ(HexEncode("\x01\xFF"), "01ff");
  EXPECT_EQ(HexDecode("01fF"), "\x01\xFF");
  EXPECT_FALSE(HexDecode("0"));
  EXPECT_FALSE(HexDecode("0g"));
  EXPECT_EQ(Base64Encode(""), "");
  EXPECT_EQ(Base64Encode("f"), "Zg==");
  EXPECT_EQ(Base64Encode("fo"), "Zm8=");
  EXPECT_EQ(Base64Encode("foobar"), "Zm9vYmFy");
  EXPECT_EQ(Base64Decode("Zm8="), "fo");
  EXPECT_EQ(Base64Decode("Zm8"), "fo");
  EXPECT_FALSE(Base64Decode("Z"));
  EXPECT_FALSE(Base64Decode("Zm 8"));
  EXPECT_FALSE(Base64Decode(std::string_view("Zm\0v", 4)));
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte) {
    bytes += static_cast<char>(byte);
    EXPECT_EQ(Base64Decode(Base64Encode(bytes)), bytes);
    EXPECT_EQ(HexDecode(HexEncode(bytes)), bytes);
  }
}

TEST(TextTest, ParsesIntegers) {
  EXPECT_EQ(ParseInt64("0"), 0);
  EXPECT_EQ(ParseInt64("-12"), -12);
  EXPECT_EQ(ParseInt64("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(ParseInt64("-9223372036854775808"), INT64_MIN);
  for (const char* wrong : {"", " 1", "1 ", "+1", "1.0", "0x1", "9223372036854775808", "-"}) {
    EXPECT_EQ(ParseInt64(wrong), std::nullopt) << wrong;
  }
}

TEST(TextTest, ForPeople) {
  EXPECT_EQ(HumanCount(0), "0");
  EXPECT_EQ(HumanCount(999), "999");
  EXPECT_EQ(HumanCount(1234567), "1,234,567");
  EXPECT_EQ(HumanCount(-1234), "-1,234");
  EXPECT_EQ(HumanCount(-123), "-123");
  EXPECT_EQ(HumanBytes(999), "999 B");
  EXPECT_EQ(HumanBytes(1000), "1.0 kB");
  EXPECT_EQ(HumanBytes(12'345'678), "12.3 MB");
  EXPECT_EQ(HumanBytes(999'960'000), "1.0 GB");
  EXPECT_EQ(HumanDuration(5), "5s");
  EXPECT_EQ(HumanDuration(187), "3m 07s");
  EXPECT_EQ(HumanDuration(3730), "1h 02m");
}

}  // namespace
}  // namespace tarn
