#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tarn/base/text.h"
#include "tarn/datafile/avro_schema.h"

namespace tarn {
namespace {

bool IsAsciiLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool IsAsciiDigit(char c) { return c >= '0' && c <= '9'; }

// As Iceberg's libraries do it (AvroSchemaUtil.sanitize), so that two writers name alike; for
// letters beyond ASCII too, which not every Avro library takes.
std::string AvroName(const std::string& name) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string out;
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (IsAsciiLetter(c) || (i > 0 && IsAsciiDigit(c))) {
      out += c;
    } else if (IsAsciiDigit(c)) {
      out += '_';
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += "_x";
      if (byte >= 16) out += kHex[byte >> 4];
      out += kHex[byte & 15];
    }
  }
  return out.empty() ? "_" : out;
}

std::string Quote(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out += '\\';
    if (byte < 0x20) {
      out += "\\u00" + HexEncode(std::string_view(&c, 1));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

int32_t DecimalBytes(int32_t precision) {
  // The fewest bytes of two's complement that hold 10^precision - 1.
  Int128 most = 1;
  for (int32_t i = 0; i < precision; ++i) most *= 10;
  int32_t bytes = 1;
  while (bytes < 16 && ((Int128{1} << (8 * bytes - 1)) < most)) ++bytes;
  return bytes;
}

class SchemaBuilder {
 public:
  explicit SchemaBuilder(std::string_view name_attribute) : name_attribute_(name_attribute) {}

  Result<AvroTypePtr> Record(const std::vector<Field>& fields, std::string name,
                             const std::string& path) {
    AvroType record{.kind = AvroKind::kRecord, .name = std::move(name)};
    for (const Field& field : fields) {
      if (field.type.kind == TypeKind::kVoid) continue;
      TARN_ASSIGN_OR_RETURN(AvroField made,
                            Member(field, path.empty() ? field.name : path + "." + field.name));
      record.fields.push_back(std::move(made));
    }
    return Share(std::move(record));
  }

 private:
  static AvroTypePtr Share(AvroType type) {
    return std::make_shared<const AvroType>(std::move(type));
  }

  static AvroTypePtr Logical(AvroKind kind, AvroLogical logical, const char* name) {
    return Share({.kind = kind, .logical = logical, .attributes = {{"logicalType", Quote(name)}}});
  }

  static AvroTypePtr Timestamp(bool nanos, bool utc) {
    AvroType type{.kind = AvroKind::kLong};
    if (nanos) {
      type.logical = utc ? AvroLogical::kTimestampNanos : AvroLogical::kLocalTimestampNanos;
    } else {
      type.logical = utc ? AvroLogical::kTimestampMicros : AvroLogical::kLocalTimestampMicros;
    }
    type.attributes = {{"logicalType", nanos ? "\"timestamp-nanos\"" : "\"timestamp-micros\""},
                       {"adjust-to-utc", utc ? "true" : "false"}};
    return Share(std::move(type));
  }

  Result<AvroField> Member(const Field& field, const std::string& path) {
    AvroField made;
    made.name = AvroName(field.file_name());
    made.doc = field.doc;
    made.field_id = field.id;
    TARN_ASSIGN_OR_RETURN(made.type, Child(field, path));
    if (!field.required) made.default_json = "null";
    if (field.id != 0) made.attributes.emplace_back("field-id", std::to_string(field.id));
    if (made.name != field.file_name()) {
      made.attributes.emplace_back(name_attribute_, Quote(field.file_name()));
    }
    return made;
  }

  // The type of a field; a union with null where it may be NULL.
  Result<AvroTypePtr> Child(const Field& field, const std::string& path) {
    TARN_ASSIGN_OR_RETURN(auto type, Of(field, path));
    if (field.required) return type;
    return Share({.kind = AvroKind::kUnion,
                  .children = {Share({.kind = AvroKind::kNull}), std::move(type)}});
  }

  std::string NameOf(const char* prefix, int32_t id) {
    return prefix + (id != 0 ? std::to_string(id) : "_" + std::to_string(++unnamed_));
  }

  AvroTypePtr Fixed(std::string name, int32_t size, AvroType type = {}) {
    AvroTypePtr& shared = fixed_[name];
    if (shared == nullptr) {
      type.kind = AvroKind::kFixed;
      type.name = std::move(name);
      type.size = size;
      shared = Share(std::move(type));
    }
    return shared;
  }

  Result<AvroTypePtr> Of(const Field& field, const std::string& path) {
    const Type& type = field.type;
    switch (type.kind) {
      case TypeKind::kBoolean:
        return Share({.kind = AvroKind::kBoolean});
      case TypeKind::kInt8:
      case TypeKind::kInt16:
      case TypeKind::kInt32:
        return Share({.kind = AvroKind::kInt});
      case TypeKind::kInt64:
        return Share({.kind = AvroKind::kLong});
      case TypeKind::kFloat:
        return Share({.kind = AvroKind::kFloat});
      case TypeKind::kDouble:
        return Share({.kind = AvroKind::kDouble});
      case TypeKind::kString:
        return Share({.kind = AvroKind::kString});
      case TypeKind::kBinary:
        return Share({.kind = AvroKind::kBytes});
      case TypeKind::kDate:
        return Logical(AvroKind::kInt, AvroLogical::kDate, "date");
      case TypeKind::kTime:
        return Logical(AvroKind::kLong, AvroLogical::kTimeMicros, "time-micros");
      case TypeKind::kTimestamp:
        return Timestamp(false, false);
      case TypeKind::kTimestampTz:
        return Timestamp(false, true);
      case TypeKind::kTimestampNs:
        return Timestamp(true, false);
      case TypeKind::kTimestampTzNs:
        return Timestamp(true, true);
      case TypeKind::kFixed:
        return Fixed("fixed_" + std::to_string(type.length), type.length);
      case TypeKind::kUuid:
        return Fixed("uuid_fixed", 16,
                     {.logical = AvroLogical::kUuid, .attributes = {{"logicalType", "\"uuid\""}}});
      case TypeKind::kDecimal: {
        const std::string precision = std::to_string(type.precision);
        const std::string scale = std::to_string(type.scale);
        return Fixed(
            "decimal_" + precision + "_" + scale, DecimalBytes(type.precision),
            {.logical = AvroLogical::kDecimal,
             .precision = type.precision,
             .scale = type.scale,
             .attributes = {
                 {"logicalType", "\"decimal\""}, {"precision", precision}, {"scale", scale}}});
      }
      case TypeKind::kStruct:
        return Record(type.fields, NameOf("r", field.id), path);
      case TypeKind::kList: {
        const Field& element = type.fields[0];
        AvroType list{.kind = AvroKind::kArray, .element_id = element.id};
        TARN_ASSIGN_OR_RETURN(auto items, Child(element, path + ".element"));
        list.children.push_back(std::move(items));
        if (element.id != 0) list.attributes.emplace_back("element-id", std::to_string(element.id));
        return Share(std::move(list));
      }
      case TypeKind::kMap:
        return Map(type, path);
      case TypeKind::kVariant:
      case TypeKind::kVoid:
        break;
    }
    return Unsupported("avro: column '" + path + "': " + TypeToText(type) + " cannot be written");
  }

  Result<AvroTypePtr> Map(const Type& type, const std::string& path) {
    Field key = type.fields[0];
    Field value = type.fields[1];
    key.required = true;
    if (key.type.kind == TypeKind::kString) {
      AvroType map{.kind = AvroKind::kMap, .key_id = key.id, .value_id = value.id};
      TARN_ASSIGN_OR_RETURN(auto values, Child(value, path + ".value"));
      map.children.push_back(std::move(values));
      if (key.id != 0) map.attributes.emplace_back("key-id", std::to_string(key.id));
      if (value.id != 0) map.attributes.emplace_back("value-id", std::to_string(value.id));
      return Share(std::move(map));
    }
    key.name = "key";
    value.name = "value";
    std::string name = NameOf("k", key.id) + NameOf("_v", value.id);
    TARN_ASSIGN_OR_RETURN(auto entry,
                          Record({std::move(key), std::move(value)}, std::move(name), path));
    return Share({.kind = AvroKind::kArray,
                  .logical = AvroLogical::kMap,
                  .children = {std::move(entry)},
                  .attributes = {{"logicalType", "\"map\""}}});
  }

  const std::string name_attribute_;
  std::map<std::string, AvroTypePtr> fixed_;
  int unnamed_ = 0;
};

}  // namespace

Result<AvroTypePtr> AvroSchemaOf(const Schema& schema, std::string_view record_name,
                                 std::string_view name_attribute) {
  return SchemaBuilder(name_attribute)
      .Record(schema.fields, AvroName(std::string(record_name)), "");
}

}  // namespace tarn
