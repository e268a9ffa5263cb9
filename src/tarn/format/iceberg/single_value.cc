#include "tarn/format/iceberg/single_value.h"

#include <bit>
#include <charconv>
#include <chrono>
#include <cstring>

#include "tarn/base/text.h"

namespace tarn::iceberg {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr int64_t kMicrosPerDay = int64_t{86'400} * 1'000'000;

template <class T>
T Load(BytesView bytes) {
  T number{};
  std::memcpy(&number, bytes.data(), sizeof(T));
  return number;
}

template <class T>
Bytes Store(T number) {
  Bytes bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &number, sizeof(T));
  return bytes;
}

std::optional<Value> Integer(BytesView bytes) {
  if (bytes.size() == 4) return Value(int64_t{Load<int32_t>(bytes)});
  if (bytes.size() == 8) return Value(Load<int64_t>(bytes));
  return std::nullopt;
}

// Big-endian two's complement.
std::optional<Value> Decimal(BytesView bytes) {
  if (bytes.empty() || bytes.size() > 16) return std::nullopt;
  Int128 number = static_cast<signed char>(bytes[0]);
  for (const char byte : bytes.substr(1)) {
    number = static_cast<Int128>(static_cast<unsigned __int128>(number) << 8 |
                                 static_cast<unsigned char>(byte));
  }
  return Value(number);
}

// Reads "digits", "digits" between separators from the front.
class TextReader {
 public:
  explicit TextReader(std::string_view text) : rest_(text) {}

  bool Digits(size_t at_least, size_t at_most, int64_t& number) {
    size_t count = 0;
    number = 0;
    while (count < rest_.size() && count < at_most && rest_[count] >= '0' && rest_[count] <= '9') {
      number = number * 10 + (rest_[count] - '0');
      ++count;
    }
    rest_.remove_prefix(count);
    return count >= at_least;
  }
  // Fraction digits as a count of 10^-digits.
  bool Fraction(int digits, int64_t& number) {
    number = 0;
    if (!Skip('.')) return true;
    int seen = 0;
    while (!rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9') {
      if (seen < digits) number = number * 10 + (rest_[0] - '0');
      ++seen;
      rest_.remove_prefix(1);
    }
    for (int i = seen; i < digits; ++i) number *= 10;
    return seen > 0;
  }
  bool Skip(char c) {
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool done() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

bool TakeDate(TextReader& reader, int64_t& days) {
  const bool negative = reader.Skip('-');
  if (!negative) reader.Skip('+');
  int64_t year = 0;
  int64_t month = 0;
  int64_t day = 0;
  if (!reader.Digits(1, 9, year) || !reader.Skip('-') || !reader.Digits(1, 2, month) ||
      !reader.Skip('-') || !reader.Digits(1, 2, day)) {
    return false;
  }
  if (negative) year = -year;
  // chrono's years end at ±32767.
  if (year < -32'767 || year > 32'767) return false;
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(year)),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return false;
  days = std::chrono::sys_days(date).time_since_epoch().count();
  return true;
}

bool TakeTime(TextReader& reader, int digits, int64_t& units) {
  int64_t hour = 0;
  int64_t minute = 0;
  int64_t second = 0;
  int64_t fraction = 0;
  if (!reader.Digits(2, 2, hour) || !reader.Skip(':') || !reader.Digits(2, 2, minute)) return false;
  if (reader.Skip(':') && (!reader.Digits(2, 2, second) || !reader.Fraction(digits, fraction))) {
    return false;
  }
  if (hour > 23 || minute > 59 || second > 59) return false;
  int64_t per_second = 1;
  for (int i = 0; i < digits; ++i) per_second *= 10;
  units = (hour * 3600 + minute * 60 + second) * per_second + fraction;
  return true;
}

std::optional<Value> Timestamp(std::string_view text, int digits, bool zone) {
  TextReader reader(text);
  int64_t days = 0;
  int64_t units = 0;
  if (!TakeDate(reader, days) || (!reader.Skip('T') && !reader.Skip(' ')) ||
      !TakeTime(reader, digits, units)) {
    return std::nullopt;
  }
  int64_t per_second = 1;
  for (int i = 0; i < digits; ++i) per_second *= 10;
  if (zone && !reader.Skip('Z')) {
    const bool behind = reader.Skip('-');
    int64_t hour = 0;
    int64_t minute = 0;
    if ((!behind && !reader.Skip('+')) || !reader.Digits(2, 2, hour)) return std::nullopt;
    reader.Skip(':');
    if (!reader.Digits(2, 2, minute)) return std::nullopt;
    const int64_t offset = (hour * 3600 + minute * 60) * per_second;
    units += behind ? offset : -offset;
  }
  if (!reader.done()) return std::nullopt;
  int64_t at = 0;
  if (__builtin_mul_overflow(days, 86'400 * per_second, &at) ||
      __builtin_add_overflow(at, units, &at)) {
    return std::nullopt;
  }
  return Value(at);
}

std::optional<Value> DecimalFromText(const Type& type, std::string_view text) {
  TextReader reader(text);
  const bool negative = reader.Skip('-');
  Int128 number = 0;
  int32_t places = -1;
  int digits = 0;
  for (const char c : negative ? text.substr(1) : text) {
    if (c == '.' && places < 0) {
      places = 0;
      continue;
    }
    if (c < '0' || c > '9' || ++digits > 38) return std::nullopt;
    number = number * 10 + (c - '0');
    if (places >= 0) ++places;
  }
  if (digits == 0 || places > type.scale) return std::nullopt;
  for (int32_t i = places < 0 ? 0 : places; i < type.scale; ++i) number *= 10;
  return Value(negative ? -number : number);
}

template <class T>
std::optional<T> Number(std::string_view text) {
  T number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

template <class T>
std::optional<Value> AsValue(const std::optional<T>& value) {
  return value ? std::optional<Value>(Value(*value)) : std::nullopt;
}

}  // namespace

std::optional<Value> ValueFromBinary(const Type& type, BytesView bytes) {
  switch (type.kind) {
    case TypeKind::kBoolean:
      return bytes.size() == 1 ? std::optional<Value>(bytes[0] != 0) : std::nullopt;
    case TypeKind::kInt8:
    case TypeKind::kInt16:
    case TypeKind::kInt32:
    case TypeKind::kInt64:
    case TypeKind::kDate:
    case TypeKind::kTime:
    case TypeKind::kTimestampTz:
    case TypeKind::kTimestampTzNs:
      return Integer(bytes);
    case TypeKind::kTimestamp:
      if (bytes.size() == 4) return Value(Load<int32_t>(bytes) * kMicrosPerDay);
      return Integer(bytes);
    case TypeKind::kTimestampNs:
      if (bytes.size() == 4) return std::nullopt;
      return Integer(bytes);
    case TypeKind::kFloat:
    case TypeKind::kDouble:
      if (bytes.size() == 4) return Value(double{Load<float>(bytes)});
      return bytes.size() == 8 ? std::optional<Value>(Load<double>(bytes)) : std::nullopt;
    case TypeKind::kDecimal:
      return Decimal(bytes);
    case TypeKind::kString:
    case TypeKind::kBinary:
    case TypeKind::kFixed:
      return Value(std::string(bytes));
    case TypeKind::kUuid:
      return bytes.size() == 16 ? std::optional<Value>(std::string(bytes)) : std::nullopt;
    case TypeKind::kVariant:
    case TypeKind::kVoid:
    case TypeKind::kStruct:
    case TypeKind::kList:
    case TypeKind::kMap:
      return std::nullopt;
  }
  return std::nullopt;
}

Bytes ValueToBinary(const Type& type, const Value& value) {
  switch (type.kind) {
    case TypeKind::kBoolean:
      return Bytes(1, std::get<bool>(value) ? '\1' : '\0');
    case TypeKind::kInt8:
    case TypeKind::kInt16:
    case TypeKind::kInt32:
    case TypeKind::kDate:
      return Store(static_cast<int32_t>(std::get<int64_t>(value)));
    case TypeKind::kInt64:
    case TypeKind::kTime:
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampTz:
    case TypeKind::kTimestampNs:
    case TypeKind::kTimestampTzNs:
      return Store(std::get<int64_t>(value));
    case TypeKind::kFloat:
      return Store(static_cast<float>(std::get<double>(value)));
    case TypeKind::kDouble:
      return Store(std::get<double>(value));
    case TypeKind::kDecimal: {
      const Int128 number = std::get<Int128>(value);
      Bytes bytes;
      for (int shift = 120; shift >= 0; shift -= 8) {
        bytes.push_back(static_cast<char>(static_cast<unsigned __int128>(number) >> shift & 0xFFU));
      }
      const char sign = number < 0 ? '\xFF' : '\0';
      size_t skip = 0;
      while (skip < 15 && bytes[skip] == sign && ((bytes[skip + 1] ^ sign) & '\x80') == 0) ++skip;
      return bytes.substr(skip);
    }
    default:
      return std::get<std::string>(value);
  }
}

std::optional<Value> ValueFromText(const Type& type, std::string_view text) {
  switch (type.kind) {
    case TypeKind::kBoolean:
      if (text == "true") return Value(true);
      return text == "false" ? std::optional<Value>(false) : std::nullopt;
    case TypeKind::kInt8:
    case TypeKind::kInt16:
    case TypeKind::kInt32:
    case TypeKind::kInt64:
      return AsValue(Number<int64_t>(text));
    case TypeKind::kFloat:
      if (const auto number = Number<float>(text)) return Value(double{*number});
      return std::nullopt;
    case TypeKind::kDouble:
      return AsValue(Number<double>(text));
    case TypeKind::kDecimal:
      return DecimalFromText(type, text);
    case TypeKind::kDate: {
      TextReader reader(text);
      int64_t days = 0;
      if (!TakeDate(reader, days) || !reader.done()) return std::nullopt;
      return Value(days);
    }
    case TypeKind::kTime: {
      TextReader reader(text);
      int64_t micros = 0;
      if (!TakeTime(reader, 6, micros) || !reader.done()) return std::nullopt;
      return Value(micros);
    }
    case TypeKind::kTimestamp:
      return Timestamp(text, 6, false);
    case TypeKind::kTimestampTz:
      return Timestamp(text, 6, true);
    case TypeKind::kTimestampNs:
      return Timestamp(text, 9, false);
    case TypeKind::kTimestampTzNs:
      return Timestamp(text, 9, true);
    case TypeKind::kString:
      return Value(std::string(text));
    case TypeKind::kBinary:
    case TypeKind::kFixed:
      return AsValue(HexDecode(text));
    case TypeKind::kUuid: {
      std::string hex(text);
      std::erase(hex, '-');
      auto bytes = HexDecode(hex);
      if (!bytes || bytes->size() != 16) return std::nullopt;
      return Value(*std::move(bytes));
    }
    default:
      return std::nullopt;
  }
}

std::string ValueToSql(const Type& type, const Value& value) {
  const auto quoted = [](std::string_view text) {
    std::string sql = "'";
    for (const char c : text) {
      if (c == '\'') sql += '\'';
      sql += c;
    }
    return sql + "'";
  };
  if (IsNull(value)) return "NULL";
  const std::string text = ValueToText(type, value);
  switch (type.kind) {
    case TypeKind::kBoolean:
    case TypeKind::kInt8:
    case TypeKind::kInt16:
    case TypeKind::kInt32:
    case TypeKind::kInt64:
    case TypeKind::kDecimal:
      return text;
    case TypeKind::kDate:
      return "DATE " + quoted(text);
    case TypeKind::kTime:
      return "TIME " + quoted(text);
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampNs:
      return "TIMESTAMP " + quoted(text);
    case TypeKind::kTimestampTz:
    case TypeKind::kTimestampTzNs:
      return "TIMESTAMPTZ " + quoted(text);
    case TypeKind::kFloat:
      return quoted(text) + "::FLOAT";
    case TypeKind::kDouble:
      return quoted(text) + "::DOUBLE";
    case TypeKind::kUuid:
      return quoted(text) + "::UUID";
    case TypeKind::kBinary:
    case TypeKind::kFixed: {
      std::string escaped;
      for (size_t i = 0; i + 1 < text.size(); i += 2) escaped += "\\x" + text.substr(i, 2);
      return quoted(escaped) + "::BLOB";
    }
    default:
      return quoted(text);
  }
}

}  // namespace tarn::iceberg
