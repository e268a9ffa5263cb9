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
