#include "tarn/format/delta/scalar_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tarn::delta {
namespace {

TEST(Dates, RoundTripBeyondFourDigits) {
  for (const int64_t days : {0, -1, 1, 59, 60, 10'957, -141'428, 2'932'896, 2'932'897, -719'528,
                             -719'529, 106'000'000 / 1000}) {
    EXPECT_EQ(ParseDate(DateToText(days)), days) << DateToText(days);
  }
  EXPECT_EQ(DateToText(20'787), "2026-11-30");
  EXPECT_EQ(DateToText(-719'529), "-0001-12-31");
  EXPECT_EQ(DateToText(2'932'897), "+10000-01-01");
  EXPECT_EQ(ParseDate("2024-02-29"), 19'782);
}

TEST(Dates, RefusesWhatIsNone) {
  for (const char* text : {"", "2023-02-29", "2023-13-01", "2023-00-01", "2023-01-01x", "2023-1",
                           "2023/01/01", "abc"}) {
    EXPECT_FALSE(ParseDate(text)) << text;
  }
}

TEST(Timestamps, EverySpellingOfTheProtocol) {
  EXPECT_EQ(ParseTimestamp("1970-01-01 00:00:00"), 0);
  EXPECT_EQ(ParseTimestamp("1970-01-01 00:00:00.123456"), 123'456);
  EXPECT_EQ(ParseTimestamp("1970-01-01T00:00:00.123456Z"), 123'456);
  EXPECT_EQ(ParseTimestamp("1970-01-01T00:00:00.5Z"), 500'000);
  EXPECT_EQ(ParseTimestamp("1970-01-01T00:00:00.123456789Z"), 123'456);
  EXPECT_EQ(ParseTimestamp("1970-01-01T05:30:00+05:30"), 0);
  EXPECT_EQ(ParseTimestamp("1969-12-31T16:00:00-0800"), 0);
  EXPECT_EQ(ParseTimestamp("1970-01-02"), int64_t{86'400'000'000});
  EXPECT_EQ(ParseTimestamp("1969-12-31 23:59:59.999999"), -1);
  for (const char* text : {"1970-01-01 24:00:00", "1970-01-01 00:00:00.", "1970-01-01 00:00:60",
                           "1970-01-01 00:00:00 UTC", "1970-01-01X00:00:00", "now"}) {
    EXPECT_FALSE(ParseTimestamp(text)) << text;
  }
  EXPECT_EQ(TimestampToText(-1, ' '), "1969-12-31 23:59:59.999999");
  EXPECT_EQ(TimestampToText(0, 'T'), "1970-01-01T00:00:00");
}

TEST(Decimals, ExactOrNothing) {
  EXPECT_TRUE(ParseDecimal("12.3", 10, 2) == Int128{1230});
  EXPECT_TRUE(ParseDecimal("-0.05", 10, 2) == Int128{-5});
  EXPECT_TRUE(ParseDecimal("1E+2", 10, 0) == Int128{100});
  EXPECT_TRUE(ParseDecimal("1.5E-7", 38, 10) == Int128{1500});
  EXPECT_TRUE(ParseDecimal("0E-18", 38, 18) == Int128{0});
  EXPECT_FALSE(ParseDecimal("12.345", 10, 2)) << "a digit would be lost";
  EXPECT_FALSE(ParseDecimal("123456789", 8, 0)) << "nine digits in eight";
  EXPECT_FALSE(ParseDecimal("", 10, 2));
  EXPECT_FALSE(ParseDecimal(".", 10, 2));
  EXPECT_FALSE(ParseDecimal("1e99999", 38, 0));
  const std::string nines(38, '9');
  EXPECT_EQ(DecimalToText(*ParseDecimal(nines, 38, 0), 0), nines);
  EXPECT_EQ(DecimalToText(-5, 2), "-0.05");
  EXPECT_EQ(DecimalToText(0, 0), "0");
  EXPECT_EQ(DecimalToText(1230, 2), "12.30");
}

TEST(Floating, FloatsAreReadAsFloats) {
  EXPECT_EQ(ParseFloating(TypeKind::kFloat, "1.1"), double{1.1F});
  EXPECT_EQ(ParseFloating(TypeKind::kDouble, "1.1"), 1.1);
  EXPECT_TRUE(std::isnan(*ParseFloating(TypeKind::kDouble, "NaN")));
  EXPECT_EQ(ParseFloating(TypeKind::kFloat, "-Infinity"), -std::numeric_limits<double>::infinity());
  EXPECT_FALSE(ParseFloating(TypeKind::kDouble, "1.1x"));
  EXPECT_FALSE(ParseFloating(TypeKind::kDouble, ""));
  EXPECT_EQ(FloatingToText(TypeKind::kFloat, double{1.1F}), "1.1");
  EXPECT_EQ(FloatingToText(TypeKind::kDouble, 3), "3.0");
}

TEST(Integers, FitTheirType) {
  EXPECT_EQ(ParseInteger("-9223372036854775808"), INT64_MIN);
  EXPECT_FALSE(ParseInteger("9223372036854775808"));
  EXPECT_FALSE(ParseInteger("1.0"));
  EXPECT_TRUE(FitsInteger(TypeKind::kInt8, -128));
  EXPECT_FALSE(FitsInteger(TypeKind::kInt8, 128));
  EXPECT_FALSE(FitsInteger(TypeKind::kInt32, int64_t{1} << 31));
}

}  // namespace
}  // namespace tarn::delta
