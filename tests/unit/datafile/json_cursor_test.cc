#include "tarn/datafile/json_cursor.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tarn/datafile/text_source_blocks.h"

namespace tarn {
namespace {

TEST(UnescapeJsonTest, DecodesEscapes) {
  const auto text = [](std::string_view raw) {
    std::string out(raw.size(), '\0');
    size_t size = 0;
    if (!UnescapeJson(raw, out.data(), &size)) return std::string("bad");
    out.resize(size);
    return out;
  };
  EXPECT_EQ(text(R"(plain)"), "plain");
  EXPECT_EQ(text(R"(\"\\\/\b\f\n\r\t)"), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(text(R"(\u0041\u00e9\u20AC\uD83D\uDE00)"), "Aé€😀");
  EXPECT_EQ(text(R"(\ud83d)"), "bad");
  EXPECT_EQ(text(R"(\ude00)"), "bad");
  EXPECT_EQ(text(R"(\ud83dxx)"), "bad");
  EXPECT_EQ(text(R"(\u00g0)"), "bad");
  EXPECT_EQ(text(R"(\a)"), "bad");
  EXPECT_EQ(text("\\"), "bad");
}

TEST(UnescapeJsonTest, CopiesOnlyWhatHasEscapesOrMustBePadded) {
  std::string scratch;
  std::string_view text;
  const std::string_view plain = "plain";
  ASSERT_TRUE(UnescapeJson(plain, scratch, &text));
  EXPECT_EQ(text.data(), plain.data());
  ASSERT_TRUE(UnescapeJson(plain, scratch, &text, /*padded=*/true));
  EXPECT_EQ(text.data(), scratch.data());
  EXPECT_GE(scratch.size(), plain.size() + JsonIndex::kPadding);
  ASSERT_TRUE(UnescapeJson(R"({\"a\":1})", scratch, &text));
  EXPECT_EQ(text, R"({"a":1})");
  EXPECT_FALSE(UnescapeJson(R"(\x)", scratch, &text));
}

TEST(JsonCursorTest, ObjectGivesEachMemberAndSkipTheTextOfAValue) {
  const auto members = [](std::string_view line) {
    const TextBlock block = TextBlock::Of(line);
    JsonIndex index;
    EXPECT_EQ(index.Build(block.text()), nullptr);
    JsonCursor cursor;
    cursor.AttachLine(block.text(), index);
    std::string seen;
    const bool whole = cursor.Object([&](std::string_view name) {
      std::string_view text;
      if (!cursor.Skip(&text)) return false;
      seen += std::string(name) + "=" + std::string(text) + ";";
      return true;
    });
    return seen + (whole && !cursor.within_line() ? "" : "broken");
  };
  EXPECT_EQ(members("{}"), "");
  EXPECT_EQ(members(R"( { "a" : [1, {"b": "}"}] , "c\"d":"x\"y" ,"e": -1.5e3 } )"),
            R"(a=[1, {"b": "}"}];c\"d="x\"y";e=-1.5e3;)");
  EXPECT_EQ(members(R"({"a":{},"b":null})"), "a={};b=null;");
  EXPECT_EQ(members(R"({"a":1,})"), "a=1;broken");
  EXPECT_EQ(members(R"({"a":1 "b":2})"), "a=1;broken");
  EXPECT_EQ(members(R"({"a":})"), "broken");
  EXPECT_EQ(members(R"({"a":1)"), "a=1;broken");
  EXPECT_EQ(members(R"([1])"), "broken");
}

TEST(JsonLineWalkerTest, FallsBackToSingleLines) {
  std::string text;
  for (int i = 0; i < 10'000; ++i)
    text += i == 5'000 ? "{\"open\n" : "{\"i\": " + std::to_string(i) + "}\n";
  const TextBlock block = TextBlock::Of(text);
  JsonLineWalker walker;
  std::vector<int64_t> good, bad;
  const int64_t lines = walker.Walk(
      block.text(),
      [&](int64_t line, std::string_view) {
        EXPECT_EQ(walker.cursor().token(), JsonCursor::Token::kObject);
        EXPECT_TRUE(walker.cursor().Skip());
        good.push_back(line);
      },
      [&](int64_t line, std::string_view raw, const char* why) {
        EXPECT_EQ(raw, "{\"open");
        EXPECT_STREQ(why, "a string is not closed");
        bad.push_back(line);
      });
  EXPECT_EQ(lines, 10'000);
  EXPECT_EQ(good.size(), 9'999u);
  EXPECT_EQ(bad, std::vector<int64_t>{5'000});
}

TEST(JsonCursorTest, SkipRefusesDepthWithoutEnd) {
  const std::string deep(5'000, '[');
  const TextBlock block = TextBlock::Of(deep + "\n");
  JsonLineWalker walker;
  walker.Walk(
      block.text(),
      [&](int64_t, std::string_view) {
        EXPECT_FALSE(walker.cursor().Skip());
        EXPECT_EQ(walker.cursor().problem(), "nested too deeply");
      },
      [](int64_t, std::string_view, const char*) { FAIL(); });
}

}  // namespace
}  // namespace tarn
