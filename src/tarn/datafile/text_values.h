#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tarn/base/result.h"
#include "tarn/model/types.h"

namespace tarn {

// Scalars out of text, exactly: nothing goes through a double but doubles. Shared by JSON lines,
// CSV and casts. All are pure and locale-free.

// Beyond ±2^53 a double no longer tells an integer from the next.
inline constexpr int64_t kExactDoubleMax = int64_t{1} << 53;

enum class NumberOutcome : uint8_t {
  kOk,
  kNotANumber,
  kScale,      // its value needs more fraction digits than there are
  kPrecision,  // its value needs more integer digits than there are, or passes the type's range
};

// [+-] digits [. digits] [e[+-]digits]; digits may be missing on one side of the point. By value:
// 1e3 and 1.0 are integers.
NumberOutcome ParseDecimal(std::string_view text, int32_t precision, int32_t scale,
                           Int128* unscaled);
NumberOutcome ParseInt64(std::string_view text, int64_t* value);
// The nearest double; also NaN, Infinity, inf with a sign, ignoring case. kPrecision when it
// overflows.
NumberOutcome ParseDouble(std::string_view text, double* value);
NumberOutcome ParseFloat(std::string_view text, float* value);

// Why a text is no date or time; null: it is one.
using TimeProblem = const char*;

// YYYY-MM-DD, years 0001 to 9999, proleptic Gregorian: days since 1970-01-01.
TimeProblem ParseDate(std::string_view text, int32_t* days);
// hh:mm[:ss[.fraction]]: µs since midnight.
TimeProblem ParseTime(std::string_view text, int64_t* micros);

struct ParsedTimestamp {
  int64_t ticks = 0;      // µs or ns since 1970-01-01, UTC when there was an offset
  bool has_zone = false;  // Z or an offset was given
  bool date_only = false;
};
enum class TimestampUnit : uint8_t { kMicros, kNanos };
// YYYY-MM-DD[(T| )hh:mm[:ss[.fraction]][ ](Z|±hh[[:]mm])]. A fraction finer than the unit is
// refused unless its further digits are zeros; so are second 60 and hour 24.
TimeProblem ParseTimestamp(std::string_view text, TimestampUnit unit, ParsedTimestamp* value);

// true, false, ignoring case.
std::optional<bool> ParseBoolean(std::string_view text);

// One scalar of `type` out of `text`; kInvalid with a reason such as "expected int64, got string
// "seven"". Binary is base64, uuid its 36 characters; nested types are refused. For cold paths.
Result<Value> ParseValue(const Type& type, std::string_view text);

// The reason that goes with an outcome: "expected decimal(20,2), got 0.005: too many fraction
// digits".
std::string NumberReason(NumberOutcome outcome, const Type& expected, std::string_view got);

// At most 40 bytes of `text`, cut at a character, with "…" where something is left out.
std::string Shown(std::string_view text);

}  // namespace tarn
