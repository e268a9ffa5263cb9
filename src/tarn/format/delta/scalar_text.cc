#include "tarn/format/delta/scalar_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "tarn/base/text.h"

namespace tarn::delta {
namespace {

constexpr int64_t kMicrosPerSecond = 1'000'000;
constexpr int64_t kMicrosPerDay = 86'400 * kMicrosPerSecond;

// Howard Hinnant's days_from_civil: date::year stops at 32,767, Spark's dates do not.
int64_t DaysFromCivil(int64_t year, int64_t month, int64_t day) {
  year -= month <= 2 ? 1 : 0;
  const int64_t era = (year >= 0 ? year : year - 399) / 400;
  const int64_t year_of_era = year - era * 400;
  const int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146'097 + day_of_era - 719'468;
}

struct Civil {
  int64_t year;
  int64_t month;
  int64_t day;
};

Civil CivilFromDays(int64_t days) {
  days += 719'468;
  const int64_t era = (days >= 0 ? days : days - 146'096) / 146'097;
  const int64_t day_of_era = days - era * 146'097;
  const int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t shifted_month = (5 * day_of_year + 2) / 153;
  const int64_t day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
  const int64_t month = shifted_month < 10 ? shifted_month + 3 : shifted_month - 9;
  return {year_of_era + era * 400 + (month <= 2 ? 1 : 0), month, day};
}

int64_t DaysInMonth(int64_t year, int64_t month) {
  static constexpr int64_t kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return month == 2 && leap ? 29 : kDays[month - 1];
}

// Between `min` and `max` digits at the front of `text`, taken off it.
std::optional<int64_t> TakeNumber(std::string_view& text, size_t min, size_t max) {
  size_t length = 0;
  int64_t number = 0;
  while (length < max && length < text.size() && text[length] >= '0' && text[length] <= '9') {
    number = number * 10 + (text[length] - '0');
    ++length;
  }
  if (length < min) return std::nullopt;
  text.remove_prefix(length);
  return number;
}

bool TakeChar(std::string_view& text, char wanted) {
  if (text.empty() || text.front() != wanted) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<int64_t> TakeDate(std::string_view& text) {
  const bool negative = TakeChar(text, '-');
  if (!negative) TakeChar(text, '+');
  const auto year = TakeNumber(text, 1, 6);
  if (!year || !TakeChar(text, '-')) return std::nullopt;
  const auto month = TakeNumber(text, 1, 2);
  if (!month || *month < 1 || *month > 12 || !TakeChar(text, '-')) return std::nullopt;
  const auto day = TakeNumber(text, 1, 2);
  const int64_t signed_year = negative ? -*year : *year;
  if (!day || *day < 1 || *day > DaysInMonth(signed_year, *month)) return std::nullopt;
  return DaysFromCivil(signed_year, *month, *day);
}

// "HH:MM[:SS[.f…]]" as µs.
std::optional<int64_t> TakeTime(std::string_view& text) {
  const auto hour = TakeNumber(text, 1, 2);
  if (!hour || *hour > 23 || !TakeChar(text, ':')) return std::nullopt;
  const auto minute = TakeNumber(text, 2, 2);
  if (!minute || *minute > 59) return std::nullopt;
  int64_t micros = (*hour * 3600 + *minute * 60) * kMicrosPerSecond;
  if (!TakeChar(text, ':')) return micros;
  const auto second = TakeNumber(text, 2, 2);
  if (!second || *second > 59) return std::nullopt;
  micros += *second * kMicrosPerSecond;
  if (!TakeChar(text, '.')) return micros;
  int64_t unit = kMicrosPerSecond;
  size_t digits = 0;
  while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
    unit /= 10;
    micros += (text.front() - '0') * unit;
    text.remove_prefix(1);
    ++digits;
  }
  if (digits == 0) return std::nullopt;
  return micros;
}

// Nothing, 'Z' or "±HH[:]MM", as the µs to subtract.
std::optional<int64_t> TakeOffset(std::string_view& text) {
  if (text.empty() || TakeChar(text, 'Z') || TakeChar(text, 'z')) return 0;
  const bool negative = text.front() == '-';
  if (!negative && text.front() != '+') return std::nullopt;
  text.remove_prefix(1);
  const auto hours = TakeNumber(text, 2, 2);
  if (!hours || *hours > 18) return std::nullopt;
  TakeChar(text, ':');
  int64_t minutes = 0;
  if (!text.empty()) {
    const auto given = TakeNumber(text, 2, 2);
    if (!given || *given > 59) return std::nullopt;
    minutes = *given;
  }
  const int64_t micros = (*hours * 60 + minutes) * 60 * kMicrosPerSecond;
  return negative ? -micros : micros;
}

Int128 PowerOfTen(int32_t exponent) {
  Int128 power = 1;
  for (int32_t i = 0; i < exponent; ++i) power *= 10;
  return power;
}

}  // namespace

std::optional<int64_t> ParseDate(std::string_view text) {
  const auto days = TakeDate(text);
  if (!days || !text.empty()) return std::nullopt;
  return days;
}

std::string DateToText(int64_t days) {
  const Civil civil = CivilFromDays(days);
  if (civil.year >= 0 && civil.year <= 9999) {
    return fmt::format("{:04}-{:02}-{:02}", civil.year, civil.month, civil.day);
  }
  return fmt::format("{}{:04}-{:02}-{:02}", civil.year < 0 ? '-' : '+', std::abs(civil.year),
                     civil.month, civil.day);
}

std::optional<int64_t> ParseTimestamp(std::string_view text) {
  const auto days = TakeDate(text);
  if (!days) return std::nullopt;
  // Beyond this the µs pass 63 bits.
  if (*days < -106'751'990 || *days > 106'751'990) return std::nullopt;
  const int64_t midnight = *days * kMicrosPerDay;
  if (text.empty()) return midnight;
  if (!TakeChar(text, 'T') && !TakeChar(text, ' ')) return std::nullopt;
  const auto time = TakeTime(text);
  if (!time) return std::nullopt;
  const auto offset = TakeOffset(text);
  if (!offset || !text.empty()) return std::nullopt;
  return midnight + *time - *offset;
}

std::string TimestampToText(int64_t micros, char separator) {
  int64_t days = micros / kMicrosPerDay;
  int64_t rest = micros % kMicrosPerDay;
  if (rest < 0) {
    rest += kMicrosPerDay;
    --days;
  }
  const int64_t seconds = rest / kMicrosPerSecond;
  const int64_t fraction = rest % kMicrosPerSecond;
  std::string text = fmt::format("{}{}{:02}:{:02}:{:02}", DateToText(days), separator,
                                 seconds / 3600, seconds / 60 % 60, seconds % 60);
  if (fraction != 0) text += fmt::format(".{:06}", fraction);
  return text;
}

std::optional<Int128> ParseDecimal(std::string_view text, int32_t precision, int32_t scale) {
  const bool negative = TakeChar(text, '-');
  if (!negative) TakeChar(text, '+');
  Int128 unscaled = 0;
  int64_t digits_after_point = 0;
  bool any_digit = false;
  bool after_point = false;
  const Int128 limit = PowerOfTen(38);
  while (!text.empty() && text.front() != 'e' && text.front() != 'E') {
    const char c = text.front();
    text.remove_prefix(1);
    if (c == '.' && !after_point) {
      after_point = true;
      continue;
    }
    if (c < '0' || c > '9') return std::nullopt;
    any_digit = true;
    if (unscaled >= limit / 10) {
      // A 39th digit can only be a zero after the point, which says nothing.
      if (!after_point || c != '0') return std::nullopt;
      continue;
    }
    unscaled = unscaled * 10 + (c - '0');
    if (after_point) ++digits_after_point;
  }
  if (!any_digit) return std::nullopt;
  int64_t exponent = 0;
  if (!text.empty()) {
    text.remove_prefix(1);
    if (!text.empty() && text.front() == '+') text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  }
  if (exponent < -1000 || exponent > 1000) return std::nullopt;
  int64_t shift = scale - digits_after_point + exponent;
  for (; shift > 0 && unscaled != 0; --shift) {
    if (unscaled >= limit / 10) return std::nullopt;
    unscaled *= 10;
  }
  for (; shift < 0 && unscaled != 0; ++shift) {
    if (unscaled % 10 != 0) return std::nullopt;
    unscaled /= 10;
  }
  if (unscaled >= PowerOfTen(precision)) return std::nullopt;
  return negative ? -unscaled : unscaled;
}

std::string DecimalToText(Int128 unscaled, int32_t scale) {
  const bool negative = unscaled < 0;
  __extension__ using Unsigned = unsigned __int128;
  Unsigned rest = negative ? -static_cast<Unsigned>(unscaled) : static_cast<Unsigned>(unscaled);
  std::string digits;
  const size_t least = static_cast<size_t>(scale) + (scale > 0 ? 2 : 1);  // "0.05", not ".05"
  while (rest != 0 || digits.size() < least) {
    digits.push_back(static_cast<char>('0' + static_cast<int>(rest % 10)));
    rest /= 10;
    if (static_cast<int32_t>(digits.size()) == scale && scale > 0) digits.push_back('.');
  }
  if (negative) digits.push_back('-');
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::optional<double> ParseFloating(TypeKind kind, std::string_view text) {
  const std::string lower = AsciiLower(text);
  if (lower == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (lower == "infinity" || lower == "inf" || lower == "+infinity") {
    return std::numeric_limits<double>::infinity();
  }
  if (lower == "-infinity" || lower == "-inf") return -std::numeric_limits<double>::infinity();
  if (text.starts_with('+')) text.remove_prefix(1);
  const char* const end = text.data() + text.size();
  if (kind == TypeKind::kFloat) {
    float number = 0;
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stop != end) return std::nullopt;
    return number;
  }
  double number = 0;
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

std::string FloatingToText(TypeKind kind, double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number > 0 ? "Infinity" : "-Infinity";
  char buffer[64];
  const auto result =
      kind == TypeKind::kFloat
          ? std::to_chars(buffer, buffer + sizeof(buffer), static_cast<float>(number))
          : std::to_chars(buffer, buffer + sizeof(buffer), number);
  std::string text(buffer, result.ptr);
  // "1" would be read as an integer by some; Java prints "1.0".
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::optional<int64_t> ParseInteger(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

bool FitsInteger(TypeKind kind, int64_t number) {
  switch (kind) {
    case TypeKind::kInt8:
      return number >= INT8_MIN && number <= INT8_MAX;
    case TypeKind::kInt16:
      return number >= INT16_MIN && number <= INT16_MAX;
    case TypeKind::kInt32:
      return number >= INT32_MIN && number <= INT32_MAX;
    default:
      return true;
  }
}

}  // namespace tarn::delta
