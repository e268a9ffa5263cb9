#pragma once

#include <cstdint>
#include <string>
#include <variant>

namespace tarn {

// GCC's 128-bit integer: unscaled decimals of up to 38 digits.
__extension__ using Int128 = __int128;

// One scalar without its type; the type stands beside it (a field, a partition field). Null is
// std::monostate. Which alternative carries which type:
//   bool         boolean
//   int64_t      int8…int64; date (days since 1970-01-01); time (µs); timestamps in their unit
//   double       float and double (every float is exact in a double)
//   Int128       decimal, unscaled
//   std::string  string (UTF-8); binary, fixed, uuid (16 bytes): raw bytes; variant: JSON text
using Value = std::variant<std::monostate, bool, int64_t, double, Int128, std::string>;

inline bool IsNull(const Value& value) { return std::holds_alternative<std::monostate>(value); }

struct Type;

// Negative, zero or positive: a before, equal to, after b, in the type's own order. Both not null
// and of `type`. NaN equals NaN and is greater than every other number; -0.0 equals 0.0. Strings
// compare by bytes, which is by code point.
int CompareValues(const Type& type, const Value& a, const Value& b);

// For messages and `--json`: NULL, true, 12, 1.5, 12.30 (decimal), 2026-11-30,
// 2026-11-30T10:00:00.000001Z (Z only with zone), text as it is, binary as hex.
std::string ValueToText(const Type& type, const Value& value);

}  // namespace tarn
