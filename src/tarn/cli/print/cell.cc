#include "tarn/cli/print/cell.h"

#include <arrow/array.h>
#include <arrow/array/array_dict.h>
#include <arrow/extension_type.h>
#include <arrow/scalar.h>
#include <arrow/type.h>
#include <arrow/util/decimal.h>

#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "tarn/base/json_text.h"
#include "tarn/base/text.h"
#include "tarn/model/civil_date.h"

namespace tarn::cli {
namespace {

using arrow::Type;

std::string DateText(int64_t days) {
  const auto [year, month, day] = CivilFromDays(days);
  if (year < 0) return fmt::format("-{:04}-{:02}-{:02}", -year, month, day);
  return fmt::format("{}{:04}-{:02}-{:02}", year > 9999 ? "+" : "", year, month, day);
}

// `ticks` since midnight, of `per_second` in a second.
std::string TimeText(int64_t ticks, int64_t per_second) {
  const int64_t seconds = ticks / per_second;
  int64_t fraction = ticks % per_second;
  std::string text =
      fmt::format("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
  if (fraction == 0) return text;
  int digits = per_second == 1000 ? 3 : per_second == 1000000 ? 6 : 9;
  while (fraction % 1000 == 0) {
    fraction /= 1000;
    digits -= 3;
  }
  return text + fmt::format(".{:0{}}", fraction, digits);
}

int64_t TicksPerSecond(arrow::TimeUnit::type unit) {
  switch (unit) {
    case arrow::TimeUnit::SECOND:
      return 1;
    case arrow::TimeUnit::MILLI:
      return 1000;
    case arrow::TimeUnit::MICRO:
      return 1000000;
    case arrow::TimeUnit::NANO:
      return 1000000000;
  }
  return 1;
}

std::string TimestampText(int64_t ticks, const arrow::TimestampType& type) {
  // DuckDB's infinities are the ends of the range.
  if (type.unit() == arrow::TimeUnit::MICRO && (ticks == INT64_MAX || ticks == -INT64_MAX)) {
    return ticks > 0 ? "infinity" : "-infinity";
  }
  const int64_t per_second = TicksPerSecond(type.unit());
  const int64_t per_day = 86400 * per_second;
  int64_t days = ticks / per_day;
  int64_t rest = ticks % per_day;
  if (rest < 0) {
    rest += per_day;
    --days;
  }
  return DateText(days) + "T" + TimeText(rest, per_second) + (type.timezone().empty() ? "" : "Z");
}

std::string DurationText(int64_t months, int64_t days, int64_t nanos) {
  std::string text = "P";
  if (months / 12 != 0) text += fmt::format("{}Y", months / 12);
  if (months % 12 != 0) text += fmt::format("{}M", months % 12);
  if (days != 0) text += fmt::format("{}D", days);
  if (nanos == 0) return text == "P" ? "PT0S" : text;
  text += "T";
  const int64_t seconds = nanos / 1000000000;
  if (seconds / 3600 != 0) text += fmt::format("{}H", seconds / 3600);
  if (seconds / 60 % 60 != 0) text += fmt::format("{}M", seconds / 60 % 60);
  const int64_t fraction = std::abs(nanos % 1000000000);
  if (seconds % 60 != 0 || fraction != 0) {
    text += nanos < 0 && seconds % 60 == 0 ? "-" : "";
    text += fmt::format("{}", seconds % 60);
    if (fraction != 0) {
      std::string digits = fmt::format("{:09}", fraction);
      digits.erase(digits.find_last_not_of('0') + 1);
      text += "." + digits;
    }
    text += "S";
  }
  return text;
}

template <class Float>
std::string FloatText(Float value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string UuidText(std::string_view bytes) {
  const std::string hex = HexEncode(bytes);
  return fmt::format("{}-{}-{}-{}-{}", hex.substr(0, 8), hex.substr(8, 4), hex.substr(12, 4),
                     hex.substr(16, 4), hex.substr(20));
}

template <class Array>
const Array& As(const arrow::Array& array) {
  return static_cast<const Array&>(array);
}

// The bytes of a string or binary of any layout.
std::string_view BytesOf(const arrow::Array& array, int64_t row) {
  switch (array.type_id()) {
    case Type::STRING:
    case Type::BINARY:
      return As<arrow::BinaryArray>(array).GetView(row);
    case Type::LARGE_STRING:
    case Type::LARGE_BINARY:
      return As<arrow::LargeBinaryArray>(array).GetView(row);
    case Type::STRING_VIEW:
    case Type::BINARY_VIEW:
      return As<arrow::BinaryViewArray>(array).GetView(row);
    default:
      return As<arrow::FixedSizeBinaryArray>(array).GetView(row);
  }
}

enum class Shape : uint8_t {
  kPlain,   // the text is a JSON number or literal
  kQuoted,  // text, dates and times
  kBinary,
  kList,
  kStruct,
  kMap,
  kDictionary,
  kExtension,
};

Shape ShapeOf(const arrow::DataType& type) {
  switch (type.id()) {
    case Type::NA:
    case Type::BOOL:
    case Type::UINT8:
    case Type::INT8:
    case Type::UINT16:
    case Type::INT16:
    case Type::UINT32:
    case Type::INT32:
    case Type::UINT64:
    case Type::INT64:
    case Type::HALF_FLOAT:
    case Type::FLOAT:
    case Type::DOUBLE:
    case Type::DECIMAL32:
    case Type::DECIMAL64:
    case Type::DECIMAL128:
    case Type::DECIMAL256:
      return Shape::kPlain;
    case Type::BINARY:
    case Type::LARGE_BINARY:
    case Type::BINARY_VIEW:
    case Type::FIXED_SIZE_BINARY:
      return Shape::kBinary;
    case Type::LIST:
    case Type::LARGE_LIST:
    case Type::FIXED_SIZE_LIST:
    case Type::LIST_VIEW:
    case Type::LARGE_LIST_VIEW:
      return Shape::kList;
    case Type::STRUCT:
      return Shape::kStruct;
    case Type::MAP:
      return Shape::kMap;
    case Type::DICTIONARY:
      return Shape::kDictionary;
    case Type::EXTENSION:
      return Shape::kExtension;
    default:
      return Shape::kQuoted;
  }
}

std::string ScalarText(const arrow::Array& array, int64_t row) {
  switch (array.type_id()) {
    case Type::NA:
      return "";
    case Type::BOOL:
      return As<arrow::BooleanArray>(array).Value(row) ? "true" : "false";
    case Type::INT8:
      return fmt::format("{}", As<arrow::Int8Array>(array).Value(row));
    case Type::UINT8:
      return fmt::format("{}", As<arrow::UInt8Array>(array).Value(row));
    case Type::INT16:
      return fmt::format("{}", As<arrow::Int16Array>(array).Value(row));
    case Type::UINT16:
      return fmt::format("{}", As<arrow::UInt16Array>(array).Value(row));
    case Type::INT32:
      return fmt::format("{}", As<arrow::Int32Array>(array).Value(row));
    case Type::UINT32:
      return fmt::format("{}", As<arrow::UInt32Array>(array).Value(row));
    case Type::INT64:
      return fmt::format("{}", As<arrow::Int64Array>(array).Value(row));
    case Type::UINT64:
      return fmt::format("{}", As<arrow::UInt64Array>(array).Value(row));
    case Type::FLOAT:
      return FloatText(As<arrow::FloatArray>(array).Value(row));
    case Type::DOUBLE:
      return FloatText(As<arrow::DoubleArray>(array).Value(row));
    case Type::DECIMAL32:
      return As<arrow::Decimal32Array>(array).FormatValue(row);
    case Type::DECIMAL64:
      return As<arrow::Decimal64Array>(array).FormatValue(row);
    case Type::DECIMAL128: {
      const arrow::Decimal128 value(As<arrow::Decimal128Array>(array).GetValue(row));
      const auto& type = static_cast<const arrow::Decimal128Type&>(*array.type());
      std::string digits = value.ToIntegerString();
      if (type.scale() <= 0) return digits;
      // Arrow's own text turns to exponents for small values.
      const bool negative = digits.front() == '-';
      if (negative) digits.erase(0, 1);
      const auto scale = static_cast<size_t>(type.scale());
      if (digits.size() <= scale) digits.insert(0, scale + 1 - digits.size(), '0');
      digits.insert(digits.size() - scale, ".");
      return (negative ? "-" : "") + digits;
    }
    case Type::DECIMAL256:
      return As<arrow::Decimal256Array>(array).FormatValue(row);
    case Type::DATE32:
      return DateText(As<arrow::Date32Array>(array).Value(row));
    case Type::DATE64: {
      const int64_t millis = As<arrow::Date64Array>(array).Value(row);
      return DateText((millis - (millis < 0 ? 86399999 : 0)) / 86400000);
    }
    case Type::TIME32:
      return TimeText(As<arrow::Time32Array>(array).Value(row),
                      TicksPerSecond(static_cast<const arrow::Time32Type&>(*array.type()).unit()));
    case Type::TIME64:
      return TimeText(As<arrow::Time64Array>(array).Value(row),
                      TicksPerSecond(static_cast<const arrow::Time64Type&>(*array.type()).unit()));
    case Type::TIMESTAMP:
      return TimestampText(As<arrow::TimestampArray>(array).Value(row),
                           static_cast<const arrow::TimestampType&>(*array.type()));
    case Type::INTERVAL_MONTH_DAY_NANO: {
      const auto value = As<arrow::MonthDayNanoIntervalArray>(array).GetValue(row);
      return DurationText(value.months, value.days, value.nanoseconds);
    }
    case Type::INTERVAL_MONTHS:
      return DurationText(As<arrow::MonthIntervalArray>(array).Value(row), 0, 0);
    case Type::DURATION: {
      const int64_t per_second =
          TicksPerSecond(static_cast<const arrow::DurationType&>(*array.type()).unit());
      return DurationText(0, 0,
                          As<arrow::DurationArray>(array).Value(row) * (1000000000 / per_second));
    }
    case Type::STRING:
    case Type::LARGE_STRING:
    case Type::STRING_VIEW:
      return std::string(BytesOf(array, row));
    default: {
      const auto scalar = array.GetScalar(row);
      return scalar.ok() ? (*scalar)->ToString() : "?";
    }
  }
}

bool IsUuid(const arrow::Array& array) {
  return static_cast<const arrow::ExtensionType&>(*array.type()).extension_name() == "arrow.uuid";
}

void AppendItemsJson(const arrow::Array& items, int64_t begin, int64_t length, std::string& out) {
  out += '[';
  for (int64_t i = 0; i < length; ++i) {
    if (i > 0) out += ',';
    AppendCellJson(items, begin + i, out);
  }
  out += ']';
}

void AppendListJson(const arrow::Array& array, int64_t row, std::string& out) {
  switch (array.type_id()) {
    case Type::LARGE_LIST: {
      const auto& list = As<arrow::LargeListArray>(array);
      return AppendItemsJson(*list.values(), list.value_offset(row), list.value_length(row), out);
    }
    case Type::FIXED_SIZE_LIST: {
      const auto& list = As<arrow::FixedSizeListArray>(array);
      return AppendItemsJson(*list.values(), list.value_offset(row), list.value_length(), out);
    }
    case Type::LIST_VIEW: {
      const auto& list = As<arrow::ListViewArray>(array);
      return AppendItemsJson(*list.values(), list.value_offset(row), list.value_length(row), out);
    }
    case Type::LARGE_LIST_VIEW: {
      const auto& list = As<arrow::LargeListViewArray>(array);
      return AppendItemsJson(*list.values(), list.value_offset(row), list.value_length(row), out);
    }
    default: {
      const auto& list = As<arrow::ListArray>(array);
      return AppendItemsJson(*list.values(), list.value_offset(row), list.value_length(row), out);
    }
  }
}

void AppendStructJson(const arrow::StructArray& array, int64_t row, std::string& out) {
  out += '{';
  for (int i = 0; i < array.num_fields(); ++i) {
    if (i > 0) out += ',';
    AppendJsonString(array.struct_type()->field(i)->name(), out);
    out += ':';
    AppendCellJson(*array.field(i), row, out);
  }
  out += '}';
}

void AppendMapJson(const arrow::MapArray& array, int64_t row, std::string& out) {
  const Shape key_shape = ShapeOf(*array.keys()->type());
  const bool object = key_shape == Shape::kQuoted;
  out += object ? '{' : '[';
  for (int64_t i = 0; i < array.value_length(row); ++i) {
    const int64_t at = array.value_offset(row) + i;
    if (i > 0) out += ',';
    if (!object) out += "{\"key\":";
    AppendCellJson(*array.keys(), at, out);
    out += object ? ":" : ",\"value\":";
    AppendCellJson(*array.items(), at, out);
    if (!object) out += '}';
  }
  out += object ? '}' : ']';
}

}  // namespace

std::string CellText(const arrow::Array& array, int64_t row) {
  switch (ShapeOf(*array.type())) {
    case Shape::kPlain:
    case Shape::kQuoted:
      return ScalarText(array, row);
    case Shape::kBinary:
      return HexEncode(BytesOf(array, row));
    case Shape::kDictionary: {
      const auto& dictionary = As<arrow::DictionaryArray>(array);
      return CellText(*dictionary.dictionary(), dictionary.GetValueIndex(row));
    }
    case Shape::kExtension: {
      const arrow::Array& storage = *As<arrow::ExtensionArray>(array).storage();
      return IsUuid(array) ? UuidText(BytesOf(storage, row)) : CellText(storage, row);
    }
    case Shape::kList:
    case Shape::kStruct:
    case Shape::kMap:
      break;
  }
  std::string json;
  AppendCellJson(array, row, json);
  return json;
}

void AppendCellJson(const arrow::Array& array, int64_t row, std::string& out) {
  if (array.IsNull(row)) {
    out += "null";
    return;
  }
  switch (ShapeOf(*array.type())) {
    case Shape::kPlain: {
      const std::string text = ScalarText(array, row);
      if (text == "NaN" || text.ends_with("Infinity")) {
        out += '"' + text + '"';
      } else {
        out += text;
      }
      return;
    }
    case Shape::kQuoted:
      return AppendJsonString(ScalarText(array, row), out);
    case Shape::kBinary:
      return AppendJsonString(Base64Encode(BytesOf(array, row)), out);
    case Shape::kList:
      return AppendListJson(array, row, out);
    case Shape::kStruct:
      return AppendStructJson(As<arrow::StructArray>(array), row, out);
    case Shape::kMap:
      return AppendMapJson(As<arrow::MapArray>(array), row, out);
    case Shape::kDictionary: {
      const auto& dictionary = As<arrow::DictionaryArray>(array);
      return AppendCellJson(*dictionary.dictionary(), dictionary.GetValueIndex(row), out);
    }
    case Shape::kExtension: {
      const arrow::Array& storage = *As<arrow::ExtensionArray>(array).storage();
      if (IsUuid(array)) return AppendJsonString(UuidText(BytesOf(storage, row)), out);
      return AppendCellJson(storage, row, out);
    }
  }
}

bool IsNumeric(const arrow::DataType& type) {
  return ShapeOf(type) == Shape::kPlain && type.id() != Type::BOOL && type.id() != Type::NA;
}

}  // namespace tarn::cli
