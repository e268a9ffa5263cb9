#include <charconv>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "tarn/format/iceberg/schema_json_internal.h"
#include "tarn/format/iceberg/single_value.h"

namespace tarn::iceberg {
namespace {

// Schemas nest a few levels; a text made to overflow the stack nests thousands.
constexpr int kDepthMax = 100;

struct PrimitiveName {
  std::string_view name;
  TypeKind kind;
  int32_t since = 1;  // the format version that brought it
};
constexpr PrimitiveName kPrimitives[] = {
    {"boolean", TypeKind::kBoolean},
    {"int", TypeKind::kInt32},
    {"long", TypeKind::kInt64},
    {"float", TypeKind::kFloat},
    {"double", TypeKind::kDouble},
    {"date", TypeKind::kDate},
    {"time", TypeKind::kTime},
    {"timestamp", TypeKind::kTimestamp},
    {"timestamptz", TypeKind::kTimestampTz},
    {"timestamp_ns", TypeKind::kTimestampNs, 3},
    {"timestamptz_ns", TypeKind::kTimestampTzNs, 3},
    {"string", TypeKind::kString},
    {"uuid", TypeKind::kUuid},
    {"binary", TypeKind::kBinary},
    {"variant", TypeKind::kVariant, 3},
    {"unknown", TypeKind::kVoid, 3},
};

// The integers between brackets: "decimal(9, 2)", "fixed[16]".
std::vector<int32_t> Numbers(std::string_view text) {
  std::vector<int32_t> numbers;
  while (!text.empty()) {
    while (!text.empty() && (text[0] == ' ' || text[0] == ',')) text.remove_prefix(1);
    int32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return {};
    numbers.push_back(number);
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    while (!text.empty() && text[0] == ' ') text.remove_prefix(1);
    if (!text.empty() && text[0] != ',') return {};
  }
  return numbers;
}

Result<Type> PrimitiveFromName(std::string_view name, const std::string& where) {
  for (const PrimitiveName& primitive : kPrimitives) {
    if (primitive.name == name) return Type::Of(primitive.kind);
  }
  if (name.starts_with("decimal(") && name.ends_with(')')) {
    const auto numbers = Numbers(name.substr(8, name.size() - 9));
    if (numbers.size() == 2 && numbers[0] >= 1 && numbers[0] <= 38 && numbers[1] >= 0 &&
        numbers[1] <= numbers[0]) {
      return Type::Decimal(numbers[0], numbers[1]);
    }
    return Corrupt("iceberg: " + where + ": type '" + std::string(name) + "'");
  }
  if (name.starts_with("fixed[") && name.ends_with(']')) {
    const auto numbers = Numbers(name.substr(6, name.size() - 7));
    if (numbers.size() == 1 && numbers[0] > 0) return Type::Fixed(numbers[0]);
    return Corrupt("iceberg: " + where + ": type '" + std::string(name) + "'");
  }
  return Unsupported("iceberg: " + where + ": type '" + std::string(name) + "'");
}

// A scalar default. Nothing for a nested type, whose members have defaults of their own.
Result<std::optional<Value>> DefaultOf(const Json& json, const Type& type,
                                       const std::string& where) {
  if (type.IsNested() || type.kind == TypeKind::kVoid || type.kind == TypeKind::kVariant) {
    return std::optional<Value>();
  }
  std::optional<Value> value;
  if (json.is_string()) {
    value = ValueFromText(type, json.get_ref<const std::string&>());
  } else if (json.is_boolean() && type.kind == TypeKind::kBoolean) {
    value = Value(json.get<bool>());
  } else if (json.is_number_integer() && type.IsInteger()) {
    value = Value(json.get<int64_t>());
  } else if (json.is_number() && type.IsFloating()) {
    const double number = json.get<double>();
    value = Value(type.kind == TypeKind::kFloat ? double{static_cast<float>(number)} : number);
  } else if (json.is_number()) {
    value = ValueFromText(type, json.dump());
  }
  if (!value) {
    return Corrupt("iceberg: " + where + ": the default " + json.dump() + " is no " +
                   TypeToText(type));
  }
  return value;
}

class SchemaReader {
 public:
  Result<std::vector<Field>> ReadStruct(const Json& json, const std::string& where, int depth) {
    if (depth > kDepthMax) return Corrupt("iceberg: " + where + ": nested too deeply");
    TARN_ASSIGN_OR_RETURN(const std::string type, RequiredText(json, "type", where));
    if (type != "struct") return Corrupt("iceberg: " + where + ": type '" + type + "', not struct");
    TARN_ASSIGN_OR_RETURN(const Json* members, RequiredArray(json, "fields", where));
    std::vector<Field> fields;
    fields.reserve(members->size());
    for (const Json& member : *members) {
      TARN_ASSIGN_OR_RETURN(Field field, ReadField(member, where, depth));
      fields.push_back(std::move(field));
    }
    return fields;
  }

 private:
  Result<Field> ReadField(const Json& json, const std::string& parent, int depth) {
    Field field;
    TARN_ASSIGN_OR_RETURN(field.name, RequiredText(json, "name", "a field of " + parent));
    const std::string where = "field '" + field.name + "' of " + parent;
    TARN_ASSIGN_OR_RETURN(field.id, ReadId(json, "id", where));
    TARN_ASSIGN_OR_RETURN(const auto required, OptionalFlag(json, "required", where));
    field.required = required.value_or(false);
    TARN_ASSIGN_OR_RETURN(const auto doc, OptionalText(json, "doc", where));
    field.doc = doc.value_or("");
    const Json* type = Member(json, "type");
    if (type == nullptr) return Corrupt("iceberg: " + where + ": 'type' is missing");
    TARN_ASSIGN_OR_RETURN(field.type, ReadType(*type, where, depth + 1));
    if (const Json* value = Member(json, "initial-default")) {
      TARN_ASSIGN_OR_RETURN(field.initial_default, DefaultOf(*value, field.type, where));
    }
    if (const Json* value = Member(json, "write-default")) {
      TARN_ASSIGN_OR_RETURN(const auto written, DefaultOf(*value, field.type, where));
      if (written) field.write_default_sql = ValueToSql(field.type, *written);
    }
    return field;
  }

  static Result<int32_t> ReadId(const Json& json, const char* key, const std::string& where) {
    TARN_ASSIGN_OR_RETURN(const int64_t id, RequiredInteger(json, key, where));
    if (id < 1 || id > INT32_MAX) {
      return Corrupt("iceberg: " + where + ": '" + key + "' is " + std::to_string(id));
    }
    return static_cast<int32_t>(id);
  }

  Result<Field> ReadElement(const Json& json, const char* type_key, const char* id_key,
                            const char* required_key, const char* name, const std::string& parent,
                            int depth) {
    const std::string where = std::string(name) + " of " + parent;
    Field field;
    field.name = name;
    TARN_ASSIGN_OR_RETURN(field.id, ReadId(json, id_key, where));
    field.required = true;
    if (required_key != nullptr) {
      TARN_ASSIGN_OR_RETURN(const auto required, OptionalFlag(json, required_key, where));
      field.required = required.value_or(false);
    }
    const Json* type = Member(json, type_key);
    if (type == nullptr) return Corrupt("iceberg: " + where + ": '" + type_key + "' is missing");
    TARN_ASSIGN_OR_RETURN(field.type, ReadType(*type, where, depth + 1));
    return field;
  }

  Result<Type> ReadType(const Json& json, const std::string& where, int depth) {
    if (depth > kDepthMax) return Corrupt("iceberg: " + where + ": nested too deeply");
    if (json.is_string()) return PrimitiveFromName(json.get_ref<const std::string&>(), where);
    TARN_ASSIGN_OR_RETURN(const std::string type, RequiredText(json, "type", where));
    if (type == "struct") {
      TARN_ASSIGN_OR_RETURN(auto members, ReadStruct(json, where, depth + 1));
      return Type::Struct(std::move(members));
    }
    if (type == "list") {
      TARN_ASSIGN_OR_RETURN(
          Field element,
          ReadElement(json, "element", "element-id", "element-required", "element", where, depth));
      return Type::List(std::move(element));
    }
    if (type == "map") {
      TARN_ASSIGN_OR_RETURN(Field key,
                            ReadElement(json, "key", "key-id", nullptr, "key", where, depth));
      TARN_ASSIGN_OR_RETURN(Field value, ReadElement(json, "value", "value-id", "value-required",
                                                     "value", where, depth));
      return Type::Map(std::move(key), std::move(value));
    }
    return PrimitiveFromName(type, where);
  }
};

Json DefaultToJson(const Type& type, const Value& value) {
  switch (type.kind) {
    case TypeKind::kBoolean:
      return std::get<bool>(value);
    case TypeKind::kInt32:
    case TypeKind::kInt64:
      return std::get<int64_t>(value);
    case TypeKind::kFloat:
    case TypeKind::kDouble:
      return std::get<double>(value);
    case TypeKind::kTimestampTz:
    case TypeKind::kTimestampTzNs: {
      std::string text = ValueToText(type, value);
      text.replace(text.size() - 1, 1, "+00:00");
      return text;
    }
    default:
      return ValueToText(type, value);
  }
}

class SchemaWriter {
 public:
  explicit SchemaWriter(int32_t format_version) : version_(format_version) {}

  Result<Json> WriteFields(const std::vector<Field>& fields, const std::string& parent) const {
    Json members = Json::array();
    for (const Field& field : fields) {
      const std::string where = parent.empty() ? field.name : parent + "." + field.name;
      Json json;
      json["id"] = field.id;
      json["name"] = field.name;
      json["required"] = field.required;
      TARN_ASSIGN_OR_RETURN(json["type"], WriteType(field.type, where));
      if (!field.doc.empty()) json["doc"] = field.doc;
      if (field.initial_default && !IsNull(*field.initial_default)) {
        if (version_ < 3) {
          return Unsupported("iceberg: column '" + where +
                             "': defaults need format version 3; set 'format-version' to 3");
        }
        json["initial-default"] = DefaultToJson(field.type, *field.initial_default);
        json["write-default"] = DefaultToJson(field.type, *field.initial_default);
      }
      members.push_back(std::move(json));
    }
    return members;
  }

 private:
  Result<Json> WriteType(const Type& type, const std::string& where) const {
    Json json;
    switch (type.kind) {
      case TypeKind::kDecimal:
        return Json("decimal(" + std::to_string(type.precision) + ", " +
                    std::to_string(type.scale) + ")");
      case TypeKind::kFixed:
        return Json("fixed[" + std::to_string(type.length) + "]");
      case TypeKind::kStruct: {
        json["type"] = "struct";
        TARN_ASSIGN_OR_RETURN(json["fields"], WriteFields(type.fields, where));
        return json;
      }
      case TypeKind::kList: {
        const Field& element = type.fields[0];
        json["type"] = "list";
        json["element-id"] = element.id;
        TARN_ASSIGN_OR_RETURN(json["element"], WriteType(element.type, where + ".element"));
        json["element-required"] = element.required;
        return json;
      }
      case TypeKind::kMap: {
        json["type"] = "map";
        json["key-id"] = type.fields[0].id;
        TARN_ASSIGN_OR_RETURN(json["key"], WriteType(type.fields[0].type, where + ".key"));
        json["value-id"] = type.fields[1].id;
        TARN_ASSIGN_OR_RETURN(json["value"], WriteType(type.fields[1].type, where + ".value"));
        json["value-required"] = type.fields[1].required;
        return json;
      }
      default:
        break;
    }
    for (const PrimitiveName& primitive : kPrimitives) {
      if (primitive.kind != type.kind) continue;
      if (primitive.since <= version_) return Json(std::string(primitive.name));
      return Unsupported("iceberg: column '" + where + "': type " + TypeToText(type) +
                         " needs format version " + std::to_string(primitive.since) +
                         "; set 'format-version' to it");
    }
    return Unsupported("iceberg: column '" + where + "': type " + TypeToText(type) +
                       "; Iceberg has int32 and int64");
  }

  int32_t version_;
};

void ForEachMutable(std::vector<Field>& fields, const std::function<void(Field&)>& visit) {
  for (Field& field : fields) {
    visit(field);
    ForEachMutable(field.type.fields, visit);
  }
}

using IdParents = std::map<int32_t, int32_t>;

void TakeParents(const std::vector<Field>& fields, int32_t parent, IdParents& parents) {
  for (const Field& field : fields) {
    parents[field.id] = parent;
    TakeParents(field.type.fields, field.id, parents);
  }
}

class MappingReader {
 public:
  explicit MappingReader(IdParents parents) : parents_(std::move(parents)) {}

  Status Take(const Json& fields, int32_t parent, int depth) {
    if (depth > kDepthMax || !fields.is_array()) {
      return Corrupt("iceberg: 'schema.name-mapping.default' is no list of fields");
    }
    for (const Json& field : fields) {
      TARN_ASSIGN_OR_RETURN(const auto given, OptionalInteger(field, "field-id", "name mapping"));
      TARN_ASSIGN_OR_RETURN(const Json* aliases, OptionalArray(field, "names", "name mapping"));
      const auto id = static_cast<int32_t>(given.value_or(0));
      const auto known = parents_.find(id);
      if (known != parents_.end() && known->second != parent) fits_ = false;
      if (id != 0 && aliases != nullptr) {
        for (const Json& alias : *aliases) {
          if (alias.is_string()) names_[id].push_back(alias.get<std::string>());
        }
      }
      if (const Json* children = Member(field, "fields")) {
        TARN_RETURN_IF_ERROR(Take(*children, id, depth + 1));
      }
    }
    return OkStatus();
  }

  bool fits() const { return fits_; }
  const std::map<int32_t, std::vector<std::string>>& names() const { return names_; }

 private:
  const IdParents parents_;
  std::map<int32_t, std::vector<std::string>> names_;
  bool fits_ = true;
};

}  // namespace

Result<Schema> SchemaFromJson(const Json& json, std::string_view where) {
  Schema schema;
  TARN_ASSIGN_OR_RETURN(const auto id, OptionalInteger(json, "schema-id", where));
  schema.id = static_cast<int32_t>(id.value_or(0));
  TARN_ASSIGN_OR_RETURN(schema.fields, SchemaReader().ReadStruct(json, std::string(where), 0));
  ForEachField(schema, [&](const Field& field, const std::string&) {
    schema.last_column_id = std::max(schema.last_column_id, field.id);
  });
  return schema;
}

Result<Json> SchemaToJson(const Schema& schema, int32_t format_version) {
  Json json;
  json["type"] = "struct";
  json["schema-id"] = schema.id;
  TARN_ASSIGN_OR_RETURN(json["fields"],
                        SchemaWriter(format_version).WriteFields(schema.fields, ""));
  return json;
}

Status ApplyNameMapping(const std::string* mapping, std::vector<Schema>& schemas) {
  IdParents parents;
  for (const Schema& schema : schemas) TakeParents(schema.fields, 0, parents);
  MappingReader reader(std::move(parents));
  if (mapping != nullptr) {
    TARN_ASSIGN_OR_RETURN(const Json json, ParseJson(*mapping, "'schema.name-mapping.default'"));
    TARN_RETURN_IF_ERROR(reader.Take(json, 0, 0));
  }
  for (Schema& schema : schemas) {
    ForEachMutable(schema.fields, [&](Field& field) {
      if (mapping == nullptr || !reader.fits()) {
        field.aliases = {field.name};
        return;
      }
      const auto found = reader.names().find(field.id);
      if (found != reader.names().end()) field.aliases = found->second;
    });
  }
  return OkStatus();
}

}  // namespace tarn::iceberg
