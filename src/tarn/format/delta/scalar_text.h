#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tarn/model/types.h"
#include "tarn/model/value.h"

namespace tarn::delta {

// Scalars as the log spells them: partition values, and dates, timestamps and decimals in
// statistics. Each parser takes the whole text or nothing.

// "2026-11-30", "-0044-03-15", "+10000-01-01": days since 1970-01-01, proleptic Gregorian.
std::optional<int64_t> ParseDate(std::string_view text);
std::string DateToText(int64_t days);

// "YYYY-MM-DD", then 'T' or ' ' and "HH:MM[:SS[.f…]]", then nothing, 'Z' or "+HH[:]MM": µs since
// 1970-01-01 00:00 (with an offset: UTC). Digits past µs are cut off.
std::optional<int64_t> ParseTimestamp(std::string_view text);
// `separator` between date and time; six digits of fraction unless it is zero.
std::string TimestampToText(int64_t micros, char separator);

// "-12.30", "1E-7": unscaled at `scale`; nothing when digits would be lost or the precision is
// passed.
std::optional<Int128> ParseDecimal(std::string_view text, int32_t precision, int32_t scale);
std::string DecimalToText(Int128 unscaled, int32_t scale);

// Decimal digits, "NaN", "Infinity", "-Infinity" (and "inf"). kFloat: rounded to float first, so
// that "1.1" is the float a writer printed.
std::optional<double> ParseFloating(TypeKind kind, std::string_view text);
// The shortest text that is read back as the same number of `kind`.
std::string FloatingToText(TypeKind kind, double number);

std::optional<int64_t> ParseInteger(std::string_view text);

// Whether `number` is in the range of the integer type.
bool FitsInteger(TypeKind kind, int64_t number);

}  // namespace tarn::delta
