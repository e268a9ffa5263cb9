// What of a value depends on its type: its order and its text.

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "tarn/base/text.h"
#include "tarn/model/civil_date.h"
#include "tarn/model/types.h"
#include "tarn/model/value.h"

namespace tarn {
namespace {

template <class T>
int Order(const T& a, const T& b) {
  return a < b ? -1 : (b < a ? 1 : 0);
}

int OrderDoubles(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return Order(std::isnan(a), std::isnan(b));
  return Order(a, b);
}

std::string DateText(int64_t days) {
  const auto [year, month, day] = CivilFromDays(days);
  return year < 0 ? fmt::format("-{:04}-{:02}-{:02}", -year, month, day)
                  : fmt::format("{:04}-{:02}-{:02}", year, month, day);
}

int64_t FloorDivide(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

// `fraction_digits` 6 or 9; trailing zeros of the fraction are left out.
std::string TimeOfDayText(int64_t units, int64_t per_second, int fraction_digits) {
  const int64_t seconds = units / per_second;
  const int64_t fraction = units % per_second;
  std::string text =
      fmt::format("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
  if (fraction != 0) {
    std::string digits = fmt::format("{:0{}}", fraction, fraction_digits);
    digits.erase(digits.find_last_not_of('0') + 1);
    text += "." + digits;
  }
  return text;
}

std::string TimestampText(int64_t units, int64_t per_second, int fraction_digits, bool zone) {
  const int64_t per_day = per_second * 86400;
  const int64_t days = FloorDivide(units, per_day);
  return DateText(days) + "T" + TimeOfDayText(units - days * per_day, per_second, fraction_digits) +
         (zone ? "Z" : "");
}

std::string DecimalText(Int128 unscaled, int32_t scale) {
  const bool negative = unscaled < 0;
  unsigned __int128 rest = negative ? -static_cast<unsigned __int128>(unscaled)
                                    : static_cast<unsigned __int128>(unscaled);
  std::string digits;
  do {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
    rest /= 10;
  } while (rest != 0);
  if (scale > 0) {
    const auto places = static_cast<size_t>(scale);
    if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
    digits.insert(digits.size() - places, ".");
  }
  return negative ? "-" + digits : digits;
}

std::string DoubleText(double value, bool single) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return single ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
}

std::string UuidText(const std::string& bytes) {
  std::string hex = HexEncode(bytes);
  if (hex.size() == 32) {
    for (size_t at : {20u, 16u, 12u, 8u}) hex.insert(at, "-");
  }
  return hex;
}

}  // namespace

int CompareValues(const Type& type, const Value& a, const Value& b) {
  (void)type;  // the alternative held already tells the order
  if (const auto* left = std::get_if<int64_t>(&a)) return Order(*left, std::get<int64_t>(b));
  if (const auto* left = std::get_if<double>(&a)) return OrderDoubles(*left, std::get<double>(b));
  if (const auto* left = std::get_if<bool>(&a)) return Order(*left, std::get<bool>(b));
  if (const auto* left = std::get_if<Int128>(&a)) return Order(*left, std::get<Int128>(b));
  const int order = std::get<std::string>(a).compare(std::get<std::string>(b));
  return Order(order, 0);
}

std::string ValueToText(const Type& type, const Value& value) {
  if (IsNull(value)) return "NULL";
  switch (type.kind) {
    case TypeKind::kBoolean:
      return std::get<bool>(value) ? "true" : "false";
    case TypeKind::kInt8:
    case TypeKind::kInt16:
    case TypeKind::kInt32:
    case TypeKind::kInt64:
      return fmt::format("{}", std::get<int64_t>(value));
    case TypeKind::kFloat:
    case TypeKind::kDouble:
      return DoubleText(std::get<double>(value), type.kind == TypeKind::kFloat);
    case TypeKind::kDecimal:
      return DecimalText(std::get<Int128>(value), type.scale);
    case TypeKind::kDate:
      return DateText(std::get<int64_t>(value));
    case TypeKind::kTime:
      return TimeOfDayText(std::get<int64_t>(value), 1'000'000, 6);
    case TypeKind::kTimestamp:
      return TimestampText(std::get<int64_t>(value), 1'000'000, 6, false);
    case TypeKind::kTimestampTz:
      return TimestampText(std::get<int64_t>(value), 1'000'000, 6, true);
    case TypeKind::kTimestampNs:
      return TimestampText(std::get<int64_t>(value), 1'000'000'000, 9, false);
    case TypeKind::kTimestampTzNs:
      return TimestampText(std::get<int64_t>(value), 1'000'000'000, 9, true);
    case TypeKind::kString:
    case TypeKind::kVariant:
      return std::get<std::string>(value);
    case TypeKind::kBinary:
    case TypeKind::kFixed:
      return HexEncode(std::get<std::string>(value));
    case TypeKind::kUuid:
      return UuidText(std::get<std::string>(value));
    case TypeKind::kVoid:
    case TypeKind::kStruct:
    case TypeKind::kList:
    case TypeKind::kMap:
      return "NULL";  // no scalar has these types
  }
  return "NULL";
}

}  // namespace tarn
