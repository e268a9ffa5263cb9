#include "tarn/format/delta/partition_values.h"

#include "tarn/base/text.h"
#include "tarn/format/delta/scalar_text.h"

namespace tarn::delta {
namespace {

std::optional<Value> Parse(const Type& type, std::string_view text) {
  switch (type.kind) {
    case TypeKind::kBoolean:
      if (AsciiEqualsIgnoreCase(text, "true")) return Value(true);
      if (AsciiEqualsIgnoreCase(text, "false")) return Value(false);
      return std::nullopt;
    case TypeKind::kInt8:
    case TypeKind::kInt16:
    case TypeKind::kInt32:
    case TypeKind::kInt64:
      if (const auto number = ParseInteger(text); number && FitsInteger(type.kind, *number)) {
        return Value(*number);
      }
      return std::nullopt;
    case TypeKind::kFloat:
    case TypeKind::kDouble:
      if (const auto number = ParseFloating(type.kind, text)) return Value(*number);
      return std::nullopt;
    case TypeKind::kDecimal:
      if (const auto number = ParseDecimal(text, type.precision, type.scale)) return Value(*number);
      return std::nullopt;
    case TypeKind::kDate:
      if (const auto days = ParseDate(text)) return Value(*days);
      return std::nullopt;
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampTz:
      if (const auto micros = ParseTimestamp(text)) return Value(*micros);
      return std::nullopt;
    case TypeKind::kString:
    case TypeKind::kBinary:
      return Value(std::string(text));
    default:
      return std::nullopt;
  }
}

bool CanPartition(const Type& type) {
  switch (type.kind) {
    case TypeKind::kBoolean:
    case TypeKind::kInt8:
    case TypeKind::kInt16:
    case TypeKind::kInt32:
    case TypeKind::kInt64:
    case TypeKind::kFloat:
    case TypeKind::kDouble:
    case TypeKind::kDecimal:
    case TypeKind::kDate:
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampTz:
    case TypeKind::kString:
    case TypeKind::kBinary:
      return true;
    default:
      return false;
  }
}

}  // namespace

Result<Value> PartitionValueFromText(const Type& type, std::optional<std::string_view> text) {
  if (!text || text->empty()) return Value();
  if (!CanPartition(type)) {
    return Unsupported("delta: a partition column of type " + TypeToText(type));
  }
  std::optional<Value> value = Parse(type, *text);
  if (!value) {
    return Corrupt("delta: partition value '" + std::string(*text) + "' is no " + TypeToText(type));
  }
  return *std::move(value);
}

Result<std::optional<std::string>> PartitionValueToText(const Type& type, const Value& value) {
  if (IsNull(value)) return std::optional<std::string>();
  switch (type.kind) {
    case TypeKind::kBoolean:
      return std::optional<std::string>(std::get<bool>(value) ? "true" : "false");
    case TypeKind::kInt8:
    case TypeKind::kInt16:
    case TypeKind::kInt32:
    case TypeKind::kInt64:
      return std::optional<std::string>(std::to_string(std::get<int64_t>(value)));
    case TypeKind::kFloat:
    case TypeKind::kDouble:
      return std::optional<std::string>(FloatingToText(type.kind, std::get<double>(value)));
    case TypeKind::kDecimal:
      return std::optional<std::string>(DecimalToText(std::get<Int128>(value), type.scale));
    case TypeKind::kDate:
      return std::optional<std::string>(DateToText(std::get<int64_t>(value)));
    case TypeKind::kTimestampTz:
      return std::optional<std::string>(TimestampToText(std::get<int64_t>(value), 'T') + "Z");
    case TypeKind::kTimestamp:
      return std::optional<std::string>(TimestampToText(std::get<int64_t>(value), ' '));
    case TypeKind::kString:
    case TypeKind::kBinary: {
      const auto& text = std::get<std::string>(value);
      if (text.empty()) {
        return Invalid(
            "delta: an empty string in a partition column would be read back as NULL; "
            "put NULL or another value there");
      }
      if (!IsUtf8(text)) return Invalid("delta: a partition value that is not valid UTF-8");
      return std::optional<std::string>(text);
    }
    default:
      return Unsupported("delta: a partition column of type " + TypeToText(type));
  }
}

}  // namespace tarn::delta
