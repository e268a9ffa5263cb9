#include "tarn/model/statistics.h"

#include <gtest/gtest.h>

#include "tarn/base/text.h"

namespace tarn {
namespace {

TEST(StatisticsTest, LowerIsCutAtCodePoints) {
  EXPECT_EQ(TruncateLower("a\xC3\xA9z", true, 2), "a\xC3\xA9");
  EXPECT_EQ(TruncateLower("abc", true, 5), "abc");
  EXPECT_EQ(TruncateLower("abc", false, 2), "ab");
}

TEST(StatisticsTest, UpperIsRaised) {
  EXPECT_EQ(TruncateUpper("abc", true, 2), "ac");
  EXPECT_EQ(TruncateUpper("abc", true, 3), "abc");
  EXPECT_EQ(TruncateUpper("a\x7F"
                          "b",
                          true, 2),
            "a\xC2\x80");
  EXPECT_EQ(TruncateUpper("\xED\x9F\xBF"
                          "b",
                          true, 1),
            "\xEE\x80\x80");  // U+D7FF → U+E000
  EXPECT_EQ(TruncateUpper("a\xF4\x8F\xBF\xBF"
                          "b",
                          true, 2),
            "b");  // U+10FFFF is dropped
  EXPECT_EQ(TruncateUpper("\xF4\x8F\xBF\xBF\xF4\x8F\xBF\xBF"
                          "b",
                          true, 2),
            std::nullopt);
  EXPECT_EQ(TruncateUpper("a\xFF"
                          "b",
                          false, 2),
            "b");
  EXPECT_EQ(TruncateUpper("\xFF\xFF\xFF", false, 2), std::nullopt);
}

TEST(StatisticsTest, BoundsHoldForEveryPrefix) {
  const std::string text = "z\xC3\xBF\xED\x9F\xBF\xF4\x8F\xBF\xBFq";
  for (int32_t length = 1; length < 6; ++length) {
    EXPECT_LE(TruncateLower(text, true, length), text);
    const std::optional<std::string> upper = TruncateUpper(text, true, length);
    ASSERT_TRUE(upper);
    EXPECT_GE(*upper, text);
    EXPECT_TRUE(IsUtf8(*upper));
  }
}

TEST(StatisticsTest, MergeWidensAndForgets) {
  const Type type = Type::Of(TypeKind::kInt64);
  ColumnStatistics a{.field_id = 1,
                     .value_count = 3,
                     .null_count = 0,
                     .lower = Value(int64_t{1}),
                     .upper = Value(int64_t{5})};
  ColumnStatistics b{.field_id = 1,
                     .value_count = 2,
                     .null_count = 1,
                     .lower = Value(int64_t{-7}),
                     .upper = Value(int64_t{2})};
  const ColumnStatistics both = Merge(type, a, b);
  EXPECT_EQ(both.lower, Value(int64_t{-7}));
  EXPECT_EQ(both.upper, Value(int64_t{5}));
  EXPECT_EQ(both.null_count, 1);
  b.upper.reset();
  EXPECT_EQ(Merge(type, a, b).upper, std::nullopt);
  // A file of NULLs alone has no bounds and needs none.
  const ColumnStatistics nulls{.field_id = 1, .value_count = 4, .null_count = 4};
  EXPECT_EQ(Merge(type, a, nulls).upper, a.upper);
  b.null_count.reset();
  EXPECT_EQ(Merge(type, a, b).null_count, std::nullopt);
}

}  // namespace
}  // namespace tarn
