#include <gtest/gtest.h>

#include "tarn/format/iceberg/json_internal.h"
#include "tests/support/matchers.h"

namespace tarn::iceberg {
namespace {

TEST(JsonTest, MembersAreFoundOrTheErrorNamesThem) {
  ASSERT_OK_AND_ASSIGN(const Json json, ParseJson(R"({"a":1,"b":"x","c":null,"d":[1]})", "it"));
  ASSERT_OK_AND_ASSIGN(const int64_t a, RequiredInteger(json, "a", "it"));
  EXPECT_EQ(a, 1);
  const auto missing = RequiredText(json, "c", "the thing");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().message, "iceberg: the thing: 'c' is missing");
  EXPECT_ERROR(RequiredInteger(json, "b", "it"), ErrorCode::kCorrupt);
  EXPECT_ERROR(RequiredArray(json, "a", "it"), ErrorCode::kCorrupt);
  EXPECT_ERROR(ParseJson("{", "it"), ErrorCode::kCorrupt);
}

TEST(JsonTest, MembersAreFoundInTheText) {
  const auto found = [](std::string_view text, std::string_view key) -> std::string {
    const auto span = FindMember(text, key);
    return span ? std::string(text.substr(span->begin, span->end - span->begin)) : "none";
  };
  const std::string_view text =
      R"( { "a" : [1, "]", {"b": "\"}"}] , "b":{"a":2},"c":"x\"]","d":-1.5 ,"e":null, "f":[] } )";
  EXPECT_EQ(found(text, "a"), R"([1, "]", {"b": "\"}"}])");
  EXPECT_EQ(found(text, "b"), R"({"a":2})");
  EXPECT_EQ(found(text, "c"), R"("x\"]")");
  EXPECT_EQ(found(text, "d"), "-1.5");
  EXPECT_EQ(found(text, "e"), "null");
  EXPECT_EQ(found(text, "f"), "[]");
  EXPECT_EQ(found(text, "x"), "none");
  EXPECT_EQ(found("{}", "a"), "none");
  EXPECT_EQ(found("[1]", "a"), "none");
  EXPECT_EQ(found(R"({"a":1,"a":2})", "a"), "none");
  EXPECT_EQ(found(R"({"\u0061":1,"a":2})", "a"), "none");
  for (size_t length = 0; length < text.size(); ++length) {
    (void)FindMember(text.substr(0, length), "f");  // of broken text anything, but in bounds
  }
}

TEST(JsonTest, IdsBeyond63BitsKeepTheirBits) {
  ASSERT_OK_AND_ASSIGN(const Json json, ParseJson(R"({"id":9876543210123456789})", "it"));
  ASSERT_OK_AND_ASSIGN(const int64_t id, RequiredInteger(json, "id", "it"));
  EXPECT_EQ(static_cast<uint64_t>(id), 9876543210123456789U);
}

TEST(JsonTest, TextsOfAnObject) {
  ASSERT_OK_AND_ASSIGN(const Json json, ParseJson(R"({"p":{"a":"1","b":2,"c":true}})", "it"));
  ASSERT_OK_AND_ASSIGN(const auto texts, TextMap(json, "p", "it"));
  EXPECT_EQ(texts, (std::map<std::string, std::string>{{"a", "1"}, {"b", "2"}, {"c", "true"}}));
  ASSERT_OK_AND_ASSIGN(const auto none, TextMap(json, "q", "it"));
  EXPECT_TRUE(none.empty());
}

}  // namespace
}  // namespace tarn::iceberg
