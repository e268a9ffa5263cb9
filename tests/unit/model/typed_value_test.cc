#include "tarn/model/value.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tarn/model/types.h"

namespace tarn {
namespace {

int Compare(TypeKind kind, const Value& a, const Value& b) {
  return CompareValues(Type::Of(kind), a, b);
}

TEST(TypedValueTest, NaNIsGreatestAndZerosAreEqual) {
  const Value nan(std::nan("")), infinity(INFINITY);
  EXPECT_GT(Compare(TypeKind::kDouble, nan, infinity), 0);
  EXPECT_EQ(Compare(TypeKind::kDouble, nan, nan), 0);
  EXPECT_EQ(Compare(TypeKind::kDouble, Value(-0.0), Value(0.0)), 0);
  EXPECT_LT(Compare(TypeKind::kDouble, Value(-1.0), nan), 0);
}

TEST(TypedValueTest, StringsCompareByCodePoint) {
  EXPECT_LT(Compare(TypeKind::kString, Value("z"), Value("\xC3\xA9")), 0);  // é
  EXPECT_LT(Compare(TypeKind::kString, Value("\xEF\xBF\xBF"), Value("\xF0\x9F\x98\x80")),
            0);  // U+FFFF, emoji
}

TEST(TypedValueTest, TextOfEachKind) {
  const auto text = [](Type type, Value value) { return ValueToText(type, value); };
  EXPECT_EQ(text(Type::Of(TypeKind::kInt64), Value()), "NULL");
  EXPECT_EQ(text(Type::Of(TypeKind::kBoolean), Value(true)), "true");
  EXPECT_EQ(text(Type::Of(TypeKind::kInt64), Value(INT64_MIN)), "-9223372036854775808");
  EXPECT_EQ(text(Type::Decimal(20, 2), Value(Int128{-5})), "-0.05");
  EXPECT_EQ(text(Type::Decimal(20, 2), Value(Int128{123456})), "1234.56");
  EXPECT_EQ(text(Type::Decimal(38, 0), Value(Int128{0})), "0");
  EXPECT_EQ(text(Type::Of(TypeKind::kDate), Value(int64_t{0})), "1970-01-01");
  EXPECT_EQ(text(Type::Of(TypeKind::kDate), Value(int64_t{-1})), "1969-12-31");
  EXPECT_EQ(text(Type::Of(TypeKind::kDate), Value(int64_t{11016})), "2000-02-29");
  EXPECT_EQ(text(Type::Of(TypeKind::kTimestampTz), Value(int64_t{-1})),
            "1969-12-31T23:59:59.999999Z");
  EXPECT_EQ(text(Type::Of(TypeKind::kTimestamp), Value(int64_t{1'500'000})),
            "1970-01-01T00:00:01.5");
  EXPECT_EQ(text(Type::Of(TypeKind::kTimestampNs), Value(int64_t{1})),
            "1970-01-01T00:00:00.000000001");
  EXPECT_EQ(text(Type::Of(TypeKind::kBinary), Value(std::string("\x00\xff", 2))), "00ff");
  EXPECT_EQ(text(Type::Of(TypeKind::kDouble), Value(0.1)), "0.1");
  EXPECT_EQ(text(Type::Of(TypeKind::kFloat), Value(static_cast<double>(0.1f))), "0.1");
}

TEST(TypedValueTest, LeastDecimalHasText) {
  const Int128 ten = 10;
  Int128 value = 1;
  for (int i = 0; i < 38; ++i) value *= ten;
  EXPECT_EQ(ValueToText(Type::Decimal(38, 38), Value(-(value - 1))), "-0." + std::string(38, '9'));
}

}  // namespace
}  // namespace tarn
