#include "tarn/datafile/text_values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tarn {
namespace {

NumberOutcome Decimal(std::string_view text, int32_t precision, int32_t scale, int64_t* value) {
  Int128 wide = 0;
  const NumberOutcome outcome = ParseDecimal(text, precision, scale, &wide);
  *value = static_cast<int64_t>(wide);
  return outcome;
}

TEST(ParseDecimalTest, IsExactOrRefuses) {
  int64_t value = 0;
  EXPECT_EQ(Decimal("0.1", 20, 2, &value), NumberOutcome::kOk);
  EXPECT_EQ(value, 10);
  EXPECT_EQ(Decimal("-0.0", 20, 2, &value), NumberOutcome::kOk);
  EXPECT_EQ(value, 0);
  EXPECT_EQ(Decimal("1.50e1", 20, 2, &value), NumberOutcome::kOk);
  EXPECT_EQ(value, 1500);
  EXPECT_EQ(Decimal("0.005", 20, 2, &value), NumberOutcome::kScale);
  EXPECT_EQ(Decimal("1E-7", 20, 2, &value), NumberOutcome::kScale);
  EXPECT_EQ(Decimal("999999999999999999.99", 20, 2, &value), NumberOutcome::kOk);
  EXPECT_EQ(Decimal("1000000000000000000.00", 20, 2, &value), NumberOutcome::kPrecision);
  EXPECT_EQ(Decimal("1e999999999999", 20, 2, &value), NumberOutcome::kPrecision);
  EXPECT_EQ(Decimal("0e999999999999", 20, 2, &value), NumberOutcome::kOk);
  EXPECT_EQ(Decimal("00012", 2, 0, &value), NumberOutcome::kOk);
  EXPECT_EQ(value, 12);
  for (const char* text : {"", "-", ".", "1e", "1e+", "1.2.3", "0x10", "1 ", "e5", "--1", "NaN"}) {
    EXPECT_EQ(Decimal(text, 20, 2, &value), NumberOutcome::kNotANumber) << text;
  }
}

TEST(ParseDecimalTest, HoldsThirtyEightDigits) {
  Int128 value = 0;
  ASSERT_EQ(ParseDecimal("99999999999999999999999999999999999999", 38, 0, &value),
            NumberOutcome::kOk);
  EXPECT_EQ(ValueToText(Type::Decimal(38, 0), value), "99999999999999999999999999999999999999");
  EXPECT_EQ(ParseDecimal("1e38", 38, 0, &value), NumberOutcome::kPrecision);
}

TEST(ParseInt64Test, CountsByValue) {
  int64_t value = 0;
  EXPECT_EQ(ParseInt64("9223372036854775807", &value), NumberOutcome::kOk);
  EXPECT_EQ(value, std::numeric_limits<int64_t>::max());
  EXPECT_EQ(ParseInt64("-9223372036854775808", &value), NumberOutcome::kOk);
  EXPECT_EQ(value, std::numeric_limits<int64_t>::min());
  EXPECT_EQ(ParseInt64("9223372036854775808", &value), NumberOutcome::kPrecision);
  EXPECT_EQ(ParseInt64("18446744073709551615", &value), NumberOutcome::kPrecision);
  EXPECT_EQ(ParseInt64("1e3", &value), NumberOutcome::kOk);
  EXPECT_EQ(value, 1000);
  EXPECT_EQ(ParseInt64("1.0", &value), NumberOutcome::kOk);
  EXPECT_EQ(ParseInt64("9007199254740993.0", &value), NumberOutcome::kOk);
  EXPECT_EQ(value, 9007199254740993);
  EXPECT_EQ(ParseInt64("1.5", &value), NumberOutcome::kScale);
}

TEST(ParseDoubleTest, TakesTheNearest) {
  double value = 0;
  EXPECT_EQ(ParseDouble("0.1", &value), NumberOutcome::kOk);
  EXPECT_EQ(value, 0.1);
  EXPECT_EQ(ParseDouble("-0.0", &value), NumberOutcome::kOk);
  EXPECT_TRUE(std::signbit(value));
  EXPECT_EQ(ParseDouble("9007199254740993", &value), NumberOutcome::kOk);
  EXPECT_EQ(value, 9007199254740992.0);
  EXPECT_EQ(ParseDouble("1.7976931348623157e308", &value), NumberOutcome::kOk);
  EXPECT_EQ(ParseDouble("1e309", &value), NumberOutcome::kPrecision);
  EXPECT_EQ(ParseDouble("1e-400", &value), NumberOutcome::kOk);
  EXPECT_EQ(value, 0.0);
  EXPECT_EQ(ParseDouble("-Infinity", &value), NumberOutcome::kOk);
  EXPECT_EQ(value, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(ParseDouble("NaN", &value), NumberOutcome::kOk);
  EXPECT_TRUE(std::isnan(value));
  for (const char* text : {"", "-", "1x", "nano", "0x1p3", "1.", "1e"}) {
    const NumberOutcome outcome = ParseDouble(text, &value);
    if (std::string_view(text) == "1.") continue;  // from_chars takes it; JSON's grammar does not
    EXPECT_EQ(outcome, NumberOutcome::kNotANumber) << text;
  }
}

TEST(ParseDoubleTest, ShortNumbersAgreeWithTheLibrary) {
  for (int i = -5000; i < 5000; ++i) {
    const std::string text =
        std::to_string(i / 7) + "." + std::to_string(std::abs(i) * 37 % 100000);
    double value = 0;
    ASSERT_EQ(ParseDouble(text, &value), NumberOutcome::kOk);
    EXPECT_EQ(value, std::strtod(text.c_str(), nullptr)) << text;
  }
}

int64_t Micros(std::string_view text) {
  ParsedTimestamp value;
  const TimeProblem problem = ParseTimestamp(text, TimestampUnit::kMicros, &value);
  return problem == nullptr ? value.ticks : -1;
}

TEST(ParseTimestampTest, ReadsOffsetsAndFractions) {
  EXPECT_EQ(Micros("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(Micros("1970-01-01 05:30:00+05:30"), 0);
  EXPECT_EQ(Micros("1970-01-01T05:30+0530"), 0);
  EXPECT_EQ(Micros("1970-01-01T00:00:00.000001Z"), 1);
  EXPECT_EQ(Micros("1970-01-01T00:00:00.1Z"), 100000);
  EXPECT_EQ(Micros("1970-01-01T00:00:00.123456000Z"), 123456);
  EXPECT_EQ(Micros("2026-08-10T20:04:53.080758Z"), 1786392293080758);
  EXPECT_EQ(Micros("1970-01-02"), 86'400'000'000);
  EXPECT_EQ(Micros("9999-12-31T23:59:59.999999Z"), 253402300799999999);
  ParsedTimestamp value;
  EXPECT_EQ(ParseTimestamp("1969-12-31T23:59:59.999999Z", TimestampUnit::kMicros, &value), nullptr);
  EXPECT_EQ(value.ticks, -1);
  EXPECT_TRUE(value.has_zone);
}

TEST(ParseTimestampTest, SaysWhatIsWrong) {
  const auto problem = [](std::string_view text, TimestampUnit unit = TimestampUnit::kMicros) {
    ParsedTimestamp value;
    const TimeProblem found = ParseTimestamp(text, unit, &value);
    return std::string(found == nullptr ? "" : found);
  };
  EXPECT_EQ(problem("2023-02-29T00:00:00Z"), "no such day");
  EXPECT_EQ(problem("2024-02-29T00:00:00Z"), "");
  EXPECT_EQ(problem("0000-00-00"), "year 0000 does not exist");
  EXPECT_EQ(problem("2016-12-31T23:59:60Z"), "a leap second");
  EXPECT_EQ(problem("2016-12-31T24:00:00Z"), "no such hour");
  EXPECT_EQ(problem("2016-13-01T00:00:00Z"), "no such month");
  EXPECT_EQ(problem("2016-12-31T00:00:00.1234567Z"), "finer than microseconds");
  EXPECT_EQ(problem("2016-12-31T00:00:00.123456789Z", TimestampUnit::kNanos), "");
  EXPECT_EQ(problem("2016-12-31T00:00:00+25:00"), "not an offset Z or ±hh:mm");
  EXPECT_EQ(problem("2016-12-31T00:00:00 Europe/Rome"), "not an offset Z or ±hh:mm");
  EXPECT_EQ(problem("9999-12-31T00:00:00Z", TimestampUnit::kNanos),
            "outside the range of nanoseconds");
  EXPECT_EQ(problem("yesterday"), "not a date YYYY-MM-DD");
}

TEST(ParseValueTest, NamesWhatWasExpected) {
  const auto reason = [](const char* type, std::string_view text) {
    const Result<Value> value = ParseValue(*ParseType(type), text);
    return value.ok() ? ValueToText(*ParseType(type), *value) : value.error().message;
  };
  EXPECT_EQ(reason("bigint", "seven"), "expected int64, got string \"seven\"");
  EXPECT_EQ(reason("tinyint", "128"), "expected int8, got 128: out of range");
  EXPECT_EQ(reason("tinyint", "-128"), "-128");
  EXPECT_EQ(reason("timestamp_ntz", "2026-01-01T00:00:00Z"),
            "expected " + TypeToText(*ParseType("timestamp_ntz")) +
                ", got string \"2026-01-01T00:00:00Z\": an offset in a type without zone");
  EXPECT_EQ(reason("binary", "AfQ="), "01f4");
  EXPECT_EQ(reason("boolean", "TRUE"), "true");
  EXPECT_EQ(reason("date", "2026-11-30"), "2026-11-30");
}

TEST(ShownTest, CutsAtACharacter) {
  EXPECT_EQ(Shown("short"), "short");
  const std::string text = std::string(39, 'a') + "é and more";
  EXPECT_EQ(Shown(text), std::string(39, 'a') + "…");
}

}  // namespace
}  // namespace tarn
