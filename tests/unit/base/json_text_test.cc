#include "tarn/base/json_text.h"

#include <gtest/gtest.h>

namespace tarn {
namespace {

std::string JsonString(std::string_view text) {
  std::string out = "x";
  AppendJsonString(text, out);
  EXPECT_EQ(out[0], 'x');
  return out.substr(1);
}

TEST(AppendJsonString, EscapesWhatJsonAsksForAndNoMore) {
  EXPECT_EQ(JsonString("plain é 😀 /"), "\"plain é 😀 /\"");
  EXPECT_EQ(JsonString("\"\\\n\r\t\x01\x1f\x7f"), "\"\\\"\\\\\\n\\r\\t\\u0001\\u001f\x7f\"");
  EXPECT_EQ(JsonString(std::string_view("a\0b", 3)), "\"a\\u0000b\"");
  EXPECT_EQ(JsonString(""), "\"\"");
}

TEST(AppendJsonString, ReplacesBytesThatAreNoUtf8) {
  EXPECT_EQ(JsonString("a\xFFz"), "\"a\xEF\xBF\xBDz\"");
  EXPECT_EQ(JsonString("cut \xC3"), "\"cut \xEF\xBF\xBD\"");
  EXPECT_EQ(JsonString("é\xFFé"), "\"é\xEF\xBF\xBDé\"");  // and only those
}

}  // namespace
}  // namespace tarn
