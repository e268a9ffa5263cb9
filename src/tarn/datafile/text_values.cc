#include "tarn/datafile/text_values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <type_traits>

#include "tarn/base/text.h"

namespace tarn {
namespace {

__extension__ using UInt128 = unsigned __int128;

bool IsDigit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

constexpr int64_t kMicrosPerDay = 86'400'000'000;

// Powers of ten that fit 128 bits: 10^0 … 10^38.
constexpr std::array<UInt128, 39> MakePowers() {
  std::array<UInt128, 39> powers{};
  powers[0] = 1;
  for (size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}
constexpr std::array<UInt128, 39> kPowers = MakePowers();

// Digits without the point, significant ones only: value = digits × 10^exponent.
struct Decomposed {
  bool negative = false;
  std::string_view whole, fraction;  // as written, leading and trailing zeros stripped
  int64_t exponent = 0;              // of the last digit of whole + fraction
};

bool Decompose(std::string_view text, Decomposed* out) {
  size_t i = 0;
  if (i < text.size() && (text[i] == '-' || text[i] == '+')) out->negative = text[i++] == '-';
  const size_t whole_begin = i;
  while (i < text.size() && IsDigit(text[i])) ++i;
  out->whole = text.substr(whole_begin, i - whole_begin);
  if (i < text.size() && text[i] == '.') {
    const size_t fraction_begin = ++i;
    while (i < text.size() && IsDigit(text[i])) ++i;
    out->fraction = text.substr(fraction_begin, i - fraction_begin);
  }
  if (out->whole.empty() && out->fraction.empty()) return false;
  int64_t exponent = 0;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    bool negative = false;
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) negative = text[i++] == '-';
    if (i == text.size()) return false;
    for (; i < text.size() && IsDigit(text[i]); ++i) {
      exponent = std::min<int64_t>(exponent * 10 + (text[i] - '0'), 1'000'000'000);
    }
    if (!IsDigit(text[i - 1])) return false;
    if (negative) exponent = -exponent;
  }
  if (i != text.size()) return false;
  // Zeros without meaning: at the end of the fraction, then of the whole; at the front of both.
  while (!out->fraction.empty() && out->fraction.back() == '0') out->fraction.remove_suffix(1);
  exponent -= static_cast<int64_t>(out->fraction.size());
  if (out->fraction.empty()) {
    while (!out->whole.empty() && out->whole.back() == '0') {
      out->whole.remove_suffix(1);
      ++exponent;
    }
  }
  while (!out->whole.empty() && out->whole.front() == '0') out->whole.remove_prefix(1);
  if (out->whole.empty()) {
    while (!out->fraction.empty() && out->fraction.front() == '0') out->fraction.remove_prefix(1);
  }
  out->exponent = exponent;
  return true;
}

// Years 1 to 9999; http://howardhinnant.github.io/date_algorithms.html#days_from_civil
int32_t DaysFromCivil(int32_t year, int32_t month, int32_t day) {
  year -= month <= 2 ? 1 : 0;
  const int32_t era = year / 400;
  const int32_t year_of_era = year - era * 400;
  const int32_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  const int32_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + day_of_era - 719468;
}

int32_t DaysInMonth(int32_t year, int32_t month) {
  constexpr int32_t kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return month == 2 && leap ? 29 : kDays[month - 1];
}

// Two digits at `p`, or a number above 99.
int32_t TwoDigits(const char* p) {
  const auto a = static_cast<unsigned char>(p[0] - '0');
  const auto b = static_cast<unsigned char>(p[1] - '0');
  return a < 10 && b < 10 ? a * 10 + b : 100;
}

// "YYYY-MM-DD" at the front of `text`.
TimeProblem DateAtFront(std::string_view text, int32_t* days) {
  if (text.size() < 10 || text[4] != '-' || text[7] != '-') return "not a date YYYY-MM-DD";
  const int32_t century = TwoDigits(text.data());
  const int32_t of_century = TwoDigits(text.data() + 2);
  const int32_t month = TwoDigits(text.data() + 5);
  const int32_t day = TwoDigits(text.data() + 8);
  if (century > 99 || of_century > 99 || month > 99 || day > 99) return "not a date YYYY-MM-DD";
  const int32_t year = century * 100 + of_century;
  if (year == 0) return "year 0000 does not exist";
  if (month < 1 || month > 12) return "no such month";
  if (day < 1 || day > DaysInMonth(year, month)) return "no such day";
  *days = DaysFromCivil(year, month, day);
  return nullptr;
}

// "hh:mm[:ss[.fraction]]" from *rest, which is left behind it. `digits` of a second: 6 or 9.
TimeProblem TimeAtFront(std::string_view* rest, int digits, int64_t* ticks) {
  std::string_view text = *rest;
  if (text.size() < 5 || text[2] != ':') return "not a time hh:mm:ss";
  const int32_t hour = TwoDigits(text.data());
  const int32_t minute = TwoDigits(text.data() + 3);
  int32_t second = 0;
  int64_t fraction = 0;
  text.remove_prefix(5);
  if (!text.empty() && text[0] == ':') {
    if (text.size() < 3) return "not a time hh:mm:ss";
    second = TwoDigits(text.data() + 1);
    text.remove_prefix(3);
    if (!text.empty() && (text[0] == '.' || text[0] == ',')) {
      size_t i = 1;
      int taken = 0;
      for (; i < text.size() && IsDigit(text[i]); ++i, ++taken) {
        if (taken < digits) {
          fraction = fraction * 10 + (text[i] - '0');
        } else if (text[i] != '0') {
          return digits == 6 ? "finer than microseconds" : "finer than nanoseconds";
        }
      }
      if (taken == 0) return "not a time hh:mm:ss";
      for (; taken < digits; ++taken) fraction *= 10;
      text.remove_prefix(i);
    }
  }
  if (hour > 99 || minute > 99 || second > 99) return "not a time hh:mm:ss";
  if (hour > 23) return "no such hour";
  if (minute > 59) return "no such minute";
  if (second == 60) return "a leap second";
  if (second > 59) return "no such second";
  const int64_t unit = digits == 6 ? 1'000'000 : 1'000'000'000;
  *ticks = ((hour * 60 + minute) * 60 + second) * unit + fraction;
  *rest = text;
  return nullptr;
}

// "", "Z", "+hh", "+hhmm", "+hh:mm", a space before it allowed: seconds east of UTC.
TimeProblem ZoneAtFront(std::string_view text, bool* has_zone, int32_t* offset_seconds) {
  constexpr TimeProblem kBad = "not an offset Z or ±hh:mm";
  *has_zone = false;
  *offset_seconds = 0;
  if (text.empty()) return nullptr;
  if (text[0] == ' ') text.remove_prefix(1);
  if (text.empty()) return kBad;
  *has_zone = true;
  if (text == "Z" || text == "z") return nullptr;
  if ((text[0] != '+' && text[0] != '-') || text.size() < 3) return kBad;
  const int32_t hours = TwoDigits(text.data() + 1);
  int32_t minutes = 0;
  if (text.size() == 5) {
    minutes = TwoDigits(text.data() + 3);
  } else if (text.size() == 6 && text[3] == ':') {
    minutes = TwoDigits(text.data() + 4);
  } else if (text.size() != 3) {
    return kBad;
  }
  if (hours > 18 || minutes > 59) return kBad;
  *offset_seconds = (hours * 60 + minutes) * 60;
  if (text[0] == '-') *offset_seconds = -*offset_seconds;
  return nullptr;
}

// Numbers of few digits: both the digits and the power of ten are exact doubles, so one division is
// rounded once, to the nearest (Clinger's fast path).
bool SimpleDouble(std::string_view text, double* value) {
  constexpr double kTens[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                              1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  if (text.size() > 16) return false;
  const bool negative = text[0] == '-';
  int64_t digits = 0;
  size_t i = negative ? 1 : 0;
  const size_t begin = i;
  for (; i < text.size() && IsDigit(text[i]); ++i) digits = digits * 10 + (text[i] - '0');
  if (i == begin) return false;
  size_t fraction = 0;
  if (i < text.size() && text[i] == '.') {
    const size_t point = i++;
    for (; i < text.size() && IsDigit(text[i]); ++i) digits = digits * 10 + (text[i] - '0');
    fraction = i - point - 1;
    if (fraction == 0) return false;
  }
  if (i != text.size() || digits > kExactDoubleMax) return false;
  const double magnitude = static_cast<double>(digits) / kTens[fraction];
  *value = negative ? -magnitude : magnitude;
  return true;
}

template <class T>
NumberOutcome ParseFloating(std::string_view text, T* value) {
  std::string_view digits = text;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  const std::string_view magnitude = digits.starts_with('-') ? digits.substr(1) : digits;
  if (magnitude.empty()) return NumberOutcome::kNotANumber;
  if (!IsDigit(magnitude[0]) && magnitude[0] != '.') {
    const std::string word = AsciiLower(magnitude);
    if (word == "nan") {
      *value = std::numeric_limits<T>::quiet_NaN();
    } else if (word == "infinity" || word == "inf") {
      *value = std::numeric_limits<T>::infinity();
      if (digits.size() != magnitude.size()) *value = -*value;
    } else {
      return NumberOutcome::kNotANumber;
    }
    return NumberOutcome::kOk;
  }
  if constexpr (std::is_same_v<T, double>) {
    if (SimpleDouble(digits, value)) return NumberOutcome::kOk;
  }
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, *value);
  if (stop != end || error == std::errc::invalid_argument) return NumberOutcome::kNotANumber;
  if (error == std::errc()) return NumberOutcome::kOk;
  // Out of range: from_chars does not say in which direction. Too small is the nearest: zero.
  Decomposed number;
  if (!Decompose(digits, &number)) return NumberOutcome::kNotANumber;
  const int64_t magnitude_exponent =
      number.exponent + static_cast<int64_t>(number.whole.size() + number.fraction.size());
  if (magnitude_exponent > 0) return NumberOutcome::kPrecision;
  *value = number.negative ? -T{0} : T{0};
  return NumberOutcome::kOk;
}

}  // namespace

NumberOutcome ParseDecimal(std::string_view text, int32_t precision, int32_t scale,
                           Int128* unscaled) {
  Decomposed number;
  if (!Decompose(text, &number)) return NumberOutcome::kNotANumber;
  const auto digits = static_cast<int64_t>(number.whole.size() + number.fraction.size());
  if (digits == 0) {
    *unscaled = 0;
    return NumberOutcome::kOk;
  }
  const int64_t shift = number.exponent + scale;
  if (shift < 0) return NumberOutcome::kScale;
  if (digits + shift > precision) return NumberOutcome::kPrecision;
  UInt128 value = 0;
  for (const char c : number.whole) value = value * 10 + static_cast<unsigned>(c - '0');
  for (const char c : number.fraction) value = value * 10 + static_cast<unsigned>(c - '0');
  value *= kPowers[static_cast<size_t>(shift)];
  *unscaled = number.negative ? -static_cast<Int128>(value) : static_cast<Int128>(value);
  return NumberOutcome::kOk;
}

NumberOutcome ParseInt64(std::string_view text, int64_t* value) {
  if (!text.empty()) {
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
    if (error == std::errc() && stop == text.data() + text.size()) return NumberOutcome::kOk;
  }
  Int128 exact = 0;
  const NumberOutcome outcome = ParseDecimal(text, 19, 0, &exact);
  if (outcome != NumberOutcome::kOk) return outcome;
  if (exact < std::numeric_limits<int64_t>::min() || exact > std::numeric_limits<int64_t>::max()) {
    return NumberOutcome::kPrecision;
  }
  *value = static_cast<int64_t>(exact);
  return NumberOutcome::kOk;
}

NumberOutcome ParseDouble(std::string_view text, double* value) {
  return ParseFloating(text, value);
}

NumberOutcome ParseFloat(std::string_view text, float* value) { return ParseFloating(text, value); }

TimeProblem ParseDate(std::string_view text, int32_t* days) {
  if (text.size() != 10) return "not a date YYYY-MM-DD";
  return DateAtFront(text, days);
}

TimeProblem ParseTime(std::string_view text, int64_t* micros) {
  const TimeProblem problem = TimeAtFront(&text, 6, micros);
  if (problem != nullptr) return problem;
  return text.empty() ? nullptr : "not a time hh:mm:ss";
}

TimeProblem ParseTimestamp(std::string_view text, TimestampUnit unit, ParsedTimestamp* value) {
  int32_t days = 0;
  if (const TimeProblem problem = DateAtFront(text, &days)) return problem;
  const bool nanos = unit == TimestampUnit::kNanos;
  const int64_t day = nanos ? kMicrosPerDay * 1000 : kMicrosPerDay;
  int64_t ticks = 0;
  int32_t offset_seconds = 0;
  value->has_zone = false;
  value->date_only = text.size() == 10;
  if (!value->date_only) {
    if (text[10] != 'T' && text[10] != ' ' && text[10] != 't') return "not a timestamp";
    std::string_view rest = text.substr(11);
    if (const TimeProblem problem = TimeAtFront(&rest, nanos ? 9 : 6, &ticks)) return problem;
    if (const TimeProblem problem = ZoneAtFront(rest, &value->has_zone, &offset_seconds)) {
      return problem;
    }
    ticks -= offset_seconds * (nanos ? int64_t{1'000'000'000} : int64_t{1'000'000});
  }
  int64_t whole = 0;
  if (__builtin_mul_overflow(static_cast<int64_t>(days), day, &whole) ||
      __builtin_add_overflow(whole, ticks, &value->ticks)) {
    return "outside the range of nanoseconds";
  }
  return nullptr;
}

std::optional<bool> ParseBoolean(std::string_view text) {
  if (AsciiEqualsIgnoreCase(text, "true")) return true;
  if (AsciiEqualsIgnoreCase(text, "false")) return false;
  return std::nullopt;
}

std::string Shown(std::string_view text) {
  constexpr size_t kBytesMax = 40;
  if (text.size() <= kBytesMax) return std::string(text);
  size_t cut = kBytesMax;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) --cut;
  return std::string(text.substr(0, cut)) + "…";
}

std::string NumberReason(NumberOutcome outcome, const Type& expected, std::string_view got) {
  std::string reason = "expected " + TypeToText(expected) + ", got " + Shown(got);
  switch (outcome) {
    case NumberOutcome::kOk:
    case NumberOutcome::kNotANumber:
      break;
    case NumberOutcome::kScale:
      reason += expected.IsInteger() ? ": not an integer" : ": too many fraction digits";
      break;
    case NumberOutcome::kPrecision:
      reason +=
          expected.kind == TypeKind::kDecimal ? ": too many integer digits" : ": out of range";
      break;
  }
  return reason;
}

namespace {

Error Mismatch(const Type& type, std::string_view text, const char* problem = nullptr) {
  std::string reason = "expected " + TypeToText(type) + ", got string \"" + Shown(text) + "\"";
  if (problem != nullptr) reason += std::string(": ") + problem;
  return Invalid(std::move(reason));
}

Result<Value> NumberValue(const Type& type, std::string_view text) {
  NumberOutcome outcome = NumberOutcome::kOk;
  Value value;
  if (type.kind == TypeKind::kDecimal) {
    Int128 unscaled = 0;
    outcome = ParseDecimal(text, type.precision, type.scale, &unscaled);
    value = unscaled;
  } else if (type.kind == TypeKind::kDouble) {
    double number = 0;
    outcome = ParseDouble(text, &number);
    value = number;
  } else if (type.kind == TypeKind::kFloat) {
    float number = 0;
    outcome = ParseFloat(text, &number);
    value = static_cast<double>(number);
  } else {
    int64_t number = 0;
    outcome = ParseInt64(text, &number);
    const int bits = type.kind == TypeKind::kInt8    ? 8
                     : type.kind == TypeKind::kInt16 ? 16
                     : type.kind == TypeKind::kInt32 ? 32
                                                     : 64;
    if (outcome == NumberOutcome::kOk && bits < 64) {
      const int64_t limit = int64_t{1} << (bits - 1);
      if (number < -limit || number >= limit) outcome = NumberOutcome::kPrecision;
    }
    value = number;
  }
  if (outcome == NumberOutcome::kNotANumber) return Mismatch(type, text);
  if (outcome != NumberOutcome::kOk) return Invalid(NumberReason(outcome, type, text));
  return value;
}

Result<Value> TimestampValue(const Type& type, std::string_view text) {
  const bool nanos = type.kind == TypeKind::kTimestampNs || type.kind == TypeKind::kTimestampTzNs;
  const bool zoned = type.kind == TypeKind::kTimestampTz || type.kind == TypeKind::kTimestampTzNs;
  ParsedTimestamp parsed;
  const TimeProblem problem =
      ParseTimestamp(text, nanos ? TimestampUnit::kNanos : TimestampUnit::kMicros, &parsed);
  if (problem != nullptr) return Mismatch(type, text, problem);
  if (parsed.has_zone && !zoned) return Mismatch(type, text, "an offset in a type without zone");
  return Value(parsed.ticks);
}

Result<Value> UuidValue(const Type& type, std::string_view text) {
  if (text.size() == 36 && text[8] == '-' && text[13] == '-' && text[18] == '-' &&
      text[23] == '-') {
    std::string hex(text);
    std::erase(hex, '-');
    if (std::optional<std::string> bytes = HexDecode(hex); bytes && bytes->size() == 16) {
      return Value(std::move(*bytes));
    }
  }
  return Mismatch(type, text, "not a UUID");
}

}  // namespace

Result<Value> ParseValue(const Type& type, std::string_view text) {
  switch (type.kind) {
    case TypeKind::kBoolean: {
      const std::optional<bool> value = ParseBoolean(text);
      if (!value) return Mismatch(type, text);
      return Value(*value);
    }
    case TypeKind::kInt8:
    case TypeKind::kInt16:
    case TypeKind::kInt32:
    case TypeKind::kInt64:
    case TypeKind::kFloat:
    case TypeKind::kDouble:
    case TypeKind::kDecimal:
      return NumberValue(type, text);
    case TypeKind::kDate: {
      int32_t days = 0;
      if (const TimeProblem problem = ParseDate(text, &days)) return Mismatch(type, text, problem);
      return Value(static_cast<int64_t>(days));
    }
    case TypeKind::kTime: {
      int64_t micros = 0;
      if (const TimeProblem problem = ParseTime(text, &micros)) {
        return Mismatch(type, text, problem);
      }
      return Value(micros);
    }
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampTz:
    case TypeKind::kTimestampNs:
    case TypeKind::kTimestampTzNs:
      return TimestampValue(type, text);
    case TypeKind::kString:
      return Value(std::string(text));
    case TypeKind::kBinary:
    case TypeKind::kFixed: {
      std::optional<std::string> bytes = Base64Decode(text);
      if (!bytes) return Mismatch(type, text, "not base64");
      if (type.kind == TypeKind::kFixed && bytes->size() != static_cast<size_t>(type.length)) {
        return Mismatch(type, text, "another length");
      }
      return Value(std::move(*bytes));
    }
    case TypeKind::kUuid:
      return UuidValue(type, text);
    case TypeKind::kVariant:
    case TypeKind::kVoid:
    case TypeKind::kStruct:
    case TypeKind::kList:
    case TypeKind::kMap:
      break;
  }
  return Mismatch(type, text);
}

}  // namespace tarn
