#include "tarn/model/partition_spec.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cstring>

#include "tarn/base/text.h"
#include "tarn/model/civil_date.h"

namespace tarn {
namespace {

int64_t FloorDivide(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

// Murmur3, x86, 32 bits, seed 0: Iceberg spec, appendix B.
uint32_t Murmur3(std::string_view bytes) {
  constexpr uint32_t kC1 = 0xcc9e2d51, kC2 = 0x1b873593;
  uint32_t hash = 0;
  size_t at = 0;
  for (; at + 4 <= bytes.size(); at += 4) {
    uint32_t k = 0;
    std::memcpy(&k, bytes.data() + at, 4);
    hash ^= std::rotl(k * kC1, 15) * kC2;
    hash = std::rotl(hash, 13) * 5 + 0xe6546b64;
  }
  uint32_t tail = 0;
  for (size_t i = bytes.size(); i > at; --i) {
    tail = tail << 8 | static_cast<unsigned char>(bytes[i - 1]);
  }
  if (at < bytes.size()) hash ^= std::rotl(tail * kC1, 15) * kC2;
  hash ^= static_cast<uint32_t>(bytes.size());
  hash = (hash ^ hash >> 16) * 0x85ebca6b;
  hash = (hash ^ hash >> 13) * 0xc2b2ae35;
  return hash ^ hash >> 16;
}

uint32_t HashLong(int64_t value) {
  char bytes[8];
  std::memcpy(bytes, &value, 8);
  return Murmur3({bytes, 8});
}

// The minimal big-endian two's complement of a decimal's unscaled value.
uint32_t HashDecimal(Int128 value) {
  char bytes[16];
  for (int i = 0; i < 16; ++i) bytes[i] = static_cast<char>(value >> (8 * (15 - i)) & 0xFF);
  int first = 0;
  while (first < 15) {
    const auto byte = static_cast<unsigned char>(bytes[first]);
    const bool next_negative = (bytes[first + 1] & 0x80) != 0;
    if (!((byte == 0 && !next_negative) || (byte == 0xFF && next_negative))) break;
    ++first;
  }
  return Murmur3({bytes + first, static_cast<size_t>(16 - first)});
}

uint32_t Hash(const Type& type, const Value& value) {
  if (const auto* integer = std::get_if<int64_t>(&value)) {
    // Timestamps in ns are hashed as µs (spec, appendix B).
    if (type.kind == TypeKind::kTimestampNs || type.kind == TypeKind::kTimestampTzNs) {
      return HashLong(FloorDivide(*integer, 1000));
    }
    return HashLong(*integer);
  }
  if (const auto* decimal = std::get_if<Int128>(&value)) return HashDecimal(*decimal);
  return Murmur3(std::get<std::string>(value));
}

Value Truncate(const PartitionField& field, const Type& type, const Value& value) {
  if (const auto* integer = std::get_if<int64_t>(&value)) {
    const int64_t width = field.parameter;
    const int64_t above = (*integer % width + width) % width;
    // Below INT64_MIN it wraps around, as Iceberg's own arithmetic does.
    return static_cast<int64_t>(static_cast<uint64_t>(*integer) - static_cast<uint64_t>(above));
  }
  if (const auto* decimal = std::get_if<Int128>(&value)) {
    const Int128 width = field.parameter;
    return *decimal - ((*decimal % width + width) % width);
  }
  const std::string& text = std::get<std::string>(value);
  const auto length = static_cast<size_t>(field.parameter);
  if (type.kind != TypeKind::kString) return text.substr(0, length);
  size_t at = 0;
  for (size_t points = 0; at < text.size() && points < length; ++points) {
    do ++at;
    while (at < text.size() && (text[at] & 0xC0) == 0x80);
  }
  return text.substr(0, at);
}

// Days, and µs of the day, of a date or timestamp.
struct Moment {
  int64_t days;
  int64_t hours;  // since 1970-01-01 00:00
};

Moment ToMoment(const Type& type, int64_t value) {
  if (type.kind == TypeKind::kDate) return {value, value * 24};
  const int64_t per_second =
      type.kind == TypeKind::kTimestampNs || type.kind == TypeKind::kTimestampTzNs ? 1'000'000'000
                                                                                   : 1'000'000;
  return {FloorDivide(value, per_second * 86400), FloorDivide(value, per_second * 3600)};
}

// Months since 1970-01 of a day.
int64_t MonthsSince1970(int64_t days) {
  const CivilDate date = CivilFromDays(days);
  return (date.year - 1970) * 12 + date.month - 1;
}

struct NamedTransform {
  std::string_view name;
  TransformKind kind;
};
constexpr NamedTransform kNames[] = {
    {"identity", TransformKind::kIdentity}, {"bucket", TransformKind::kBucket},
    {"truncate", TransformKind::kTruncate}, {"year", TransformKind::kYear},
    {"month", TransformKind::kMonth},       {"day", TransformKind::kDay},
    {"hour", TransformKind::kHour},         {"void", TransformKind::kVoid},
};

}  // namespace

Result<Type> TransformedType(const PartitionField& field, const Type& type) {
  const auto refuse = [&]() -> Result<Type> {
    return Invalid(fmt::format("partition field '{}': {} does not apply to {}", field.name,
                               TransformToText(field), TypeToText(type)));
  };
  const bool date_or_time = type.kind == TypeKind::kDate || type.IsTimestamp();
  switch (field.transform) {
    case TransformKind::kIdentity:
      if (type.IsNested() || type.kind == TypeKind::kVariant || type.kind == TypeKind::kVoid) {
        return refuse();
      }
      return type;
    case TransformKind::kBucket:
      if (type.IsNested() || type.IsFloating() || type.kind == TypeKind::kBoolean ||
          type.kind == TypeKind::kVariant || type.kind == TypeKind::kVoid || field.parameter <= 0) {
        return refuse();
      }
      return Type::Of(TypeKind::kInt32);
    case TransformKind::kTruncate:
      if (field.parameter <= 0 ||
          !(type.IsInteger() || type.kind == TypeKind::kDecimal || type.kind == TypeKind::kString ||
            type.kind == TypeKind::kBinary)) {
        return refuse();
      }
      return type;
    case TransformKind::kYear:
    case TransformKind::kMonth:
      if (!date_or_time) return refuse();
      return Type::Of(TypeKind::kInt32);
    case TransformKind::kDay:
      if (!date_or_time) return refuse();
      return Type::Of(TypeKind::kDate);
    case TransformKind::kHour:
      if (!type.IsTimestamp()) return refuse();
      return Type::Of(TypeKind::kInt32);
    case TransformKind::kVoid:
      return type;
  }
  return refuse();
}

Value ApplyTransform(const PartitionField& field, const Type& type, const Value& value) {
  if (IsNull(value) || field.transform == TransformKind::kVoid) return {};
  switch (field.transform) {
    case TransformKind::kIdentity:
    case TransformKind::kVoid:
      return value;
    case TransformKind::kBucket:
      return static_cast<int64_t>((Hash(type, value) & 0x7FFFFFFF) %
                                  static_cast<uint32_t>(field.parameter));
    case TransformKind::kTruncate:
      return Truncate(field, type, value);
    case TransformKind::kYear:
      return FloorDivide(MonthsSince1970(ToMoment(type, std::get<int64_t>(value)).days), 12);
    case TransformKind::kMonth:
      return MonthsSince1970(ToMoment(type, std::get<int64_t>(value)).days);
    case TransformKind::kDay:
      return ToMoment(type, std::get<int64_t>(value)).days;
    case TransformKind::kHour:
      return ToMoment(type, std::get<int64_t>(value)).hours;
  }
  return {};
}

std::string TransformToText(const PartitionField& field) {
  for (const NamedTransform& named : kNames) {
    if (named.kind != field.transform) continue;
    const bool has_parameter =
        named.kind == TransformKind::kBucket || named.kind == TransformKind::kTruncate;
    return has_parameter ? fmt::format("{}[{}]", named.name, field.parameter)
                         : std::string(named.name);
  }
  return "void";
}

std::string TransformToSql(const PartitionField& field, const std::string& column) {
  if (field.transform == TransformKind::kIdentity) return column;
  std::string text;
  for (const NamedTransform& named : kNames) {
    if (named.kind == field.transform) text = std::string(named.name) + "(";
  }
  if (field.transform == TransformKind::kBucket || field.transform == TransformKind::kTruncate) {
    text += std::to_string(field.parameter) + ", ";
  }
  return text + column + ")";
}

std::string SpecToText(const PartitionSpec& spec, const Schema& schema) {
  std::string text;
  for (const PartitionField& field : spec.fields) {
    if (field.transform == TransformKind::kVoid) continue;
    if (!text.empty()) text += ", ";
    text += TransformToSql(field, schema.PathOf(field.source_id));
  }
  return text;
}

Result<PartitionField> ParseTransform(std::string_view text) {
  PartitionField field;
  const size_t bracket = text.find('[');
  const std::string_view name = text.substr(0, bracket);
  for (const NamedTransform& named : kNames) {
    if (named.name != name) continue;
    field.transform = named.kind;
    const bool wants =
        named.kind == TransformKind::kBucket || named.kind == TransformKind::kTruncate;
    if (!wants && bracket == std::string_view::npos) return field;
    if (wants && bracket != std::string_view::npos && text.back() == ']') {
      const char* begin = text.data() + bracket + 1;
      const char* end = text.data() + text.size() - 1;
      const auto [stop, code] = std::from_chars(begin, end, field.parameter);
      if (code == std::errc() && stop == end && field.parameter > 0) return field;
    }
  }
  return Invalid(
      fmt::format("'{}' is no partition transform; known: identity, bucket[N], truncate[N], "
                  "year, month, day, hour, void",
                  text));
}

Result<PartitionSpec> IdentitySpec(const Schema& schema, const std::vector<std::string>& columns) {
  PartitionSpec spec;
  for (const std::string& column : columns) {
    const std::optional<size_t> index = schema.IndexOf(column);
    if (!index) {
      std::vector<std::string> names;
      for (const Field& field : schema.fields) names.push_back(field.name);
      return NotFound(
          fmt::format("partition column '{}' is no column{}", column, DidYouMean(column, names)));
    }
    const Field& source = schema.fields[*index];
    PartitionField field{.source_id = source.id,
                         .field_id = 1000 + static_cast<int32_t>(spec.fields.size()),
                         .name = source.name};
    TARN_RETURN_IF_ERROR(TransformedType(field, source.type));
    for (const PartitionField& other : spec.fields) {
      if (other.source_id == source.id) {
        return Invalid(fmt::format("partition column '{}' is named twice", column));
      }
    }
    spec.fields.push_back(std::move(field));
  }
  return spec;
}

}  // namespace tarn
