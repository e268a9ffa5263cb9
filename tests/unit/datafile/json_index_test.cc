#include "tarn/datafile/json_index.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "tarn/datafile/text_source_blocks.h"

namespace tarn {
namespace {

std::vector<uint32_t> Tokens(const std::string& text, const char** problem) {
  JsonIndex index;
  const TextBlock block = TextBlock::Of(text);
  *problem = index.Build(block.text());
  if (*problem != nullptr) return {};
  EXPECT_EQ(index.begin()[index.size()], text.size());
  return {index.begin(), index.begin() + index.size()};
}

// The same, one byte at a time.
std::vector<uint32_t> TokensPlainly(const std::string& text, bool* bad) {
  std::vector<uint32_t> tokens;
  bool in_string = false, scalar_before = false, escaped = false;
  *bad = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (static_cast<unsigned char>(c) < 0x20) *bad = true;
      if (c == '\\') {
        if (i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0x20) *bad = true;
        ++i;
      } else if (c == '"') {
        in_string = false;
      }
      scalar_before = false;
      continue;
    }
    // As in simdjson a backslash escapes outside of strings too, where it is an error anyhow.
    const bool was_escaped = escaped;
    escaped = c == '\\' && !was_escaped;
    const bool quote = c == '"' && !was_escaped;
    const bool op = std::string_view("{}[]:,").find(c) != std::string_view::npos;
    const bool space = std::string_view(" \t\n\r").find(c) != std::string_view::npos;
    if (op) {
      tokens.push_back(static_cast<uint32_t>(i));
    } else if (quote) {
      if (!scalar_before) tokens.push_back(static_cast<uint32_t>(i));
      in_string = true;
    } else if (!space && !scalar_before) {
      tokens.push_back(static_cast<uint32_t>(i));
    }
    scalar_before = !op && !space && !quote;
  }
  if (in_string) *bad = true;
  return tokens;
}

TEST(JsonIndexTest, FindsTheBeginningsOfTokens) {
  const char* problem = nullptr;
  EXPECT_EQ(Tokens(R"({"a": [1, "b\"c"], "d":true})", &problem),
            (std::vector<uint32_t>{0, 1, 4, 6, 7, 8, 10, 16, 17, 19, 22, 23, 27}));
  EXPECT_EQ(problem, nullptr);
  EXPECT_TRUE(Tokens("", &problem).empty());
  EXPECT_EQ(problem, nullptr);
}

TEST(JsonIndexTest, RefusesWhatCannotBeTokens) {
  const char* problem = nullptr;
  Tokens("{\"a\":\"b}", &problem);
  EXPECT_STREQ(problem, "a string is not closed");
  Tokens("{\"a\":\"\n\"}", &problem);
  EXPECT_STREQ(problem, "a control character or line end within a string");
  Tokens("{\"a\":\"\xC3(\"}", &problem);
  EXPECT_STREQ(problem, "invalid UTF-8");
  Tokens("{\"a\":\"é\"}", &problem);
  EXPECT_EQ(problem, nullptr);
}

TEST(JsonIndexTest, AgreesWithAPlainWalk) {
  std::mt19937 random(20261130);
  const std::string alphabet = "{}[]:,\"\"\"\\\\ \n\tab1-.x";
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (size_t size = random() % 300; size > 0; --size) {
      text += alphabet[random() % alphabet.size()];
    }
    bool bad = false;
    const std::vector<uint32_t> plain = TokensPlainly(text, &bad);
    const char* problem = nullptr;
    const std::vector<uint32_t> tokens = Tokens(text, &problem);
    ASSERT_EQ(problem != nullptr, bad) << text;
    if (!bad) {
      ASSERT_EQ(tokens, plain) << text;
    }
  }
}

}  // namespace
}  // namespace tarn
