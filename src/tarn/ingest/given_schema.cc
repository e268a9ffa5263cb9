#include "tarn/ingest/given_schema.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include "tarn/base/text.h"

namespace tarn {
namespace {

using Json = nlohmann::ordered_json;

Error Bad(const std::string& path, const std::string& what) {
  return Invalid("JSON Schema: " + (path.empty() ? std::string("the root") : path) + ": " + what);
}

struct Parsed {
  Type type;
  bool nullable = false;
};

Result<Parsed> TypeFrom(const Json& node, const std::string& path);

Result<std::vector<Field>> MembersFrom(const Json& node, const std::string& path) {
  std::vector<std::string> required;
  if (const auto list = node.find("required"); list != node.end() && list->is_array()) {
    for (const Json& name : *list) {
      if (name.is_string()) required.push_back(name.get<std::string>());
    }
  }
  std::vector<Field> fields;
  for (const auto& [name, member] : node.at("properties").items()) {
    const std::string member_path = path.empty() ? name : path + "." + name;
    TARN_ASSIGN_OR_RETURN(Parsed parsed, TypeFrom(member, member_path));
    Field field;
    field.name = name;
    field.type = std::move(parsed.type);
    field.required =
        !parsed.nullable && std::find(required.begin(), required.end(), name) != required.end();
    if (const auto doc = member.find("description"); doc != member.end() && doc->is_string()) {
      field.doc = doc->get<std::string>();
    }
    fields.push_back(std::move(field));
  }
  return fields;
}

// Fraction digits of 0.01, 0.001, …; nothing for other numbers.
std::optional<int32_t> Scale(const Json& node) {
  const auto multiple = node.find("multipleOf");
  if (multiple == node.end() || !multiple->is_number()) return std::nullopt;
  double unit = 1;
  for (int32_t scale = 0; scale <= 18; ++scale, unit /= 10) {
    if (std::abs(multiple->get<double>() - unit) < unit * 1e-9) return scale;
  }
  return std::nullopt;
}

Type NumberFrom(const Json& node) {
  const std::optional<int32_t> scale = Scale(node);
  const auto maximum = node.find("maximum");
  if (!scale || maximum == node.end() || !maximum->is_number()) return Type::Of(TypeKind::kDouble);
  int32_t digits = 0;
  for (double limit = 1; limit <= maximum->get<double>() && digits < 38; limit *= 10) ++digits;
  return Type::Decimal(std::clamp(digits + *scale, 1, 38), *scale);
}

Type StringFrom(const Json& node) {
  const auto format = node.find("format");
  const std::string name =
      format != node.end() && format->is_string() ? format->get<std::string>() : std::string();
  if (name == "date") return Type::Of(TypeKind::kDate);
  if (name == "date-time") return Type::Of(TypeKind::kTimestampTz);
  if (name == "time") return Type::Of(TypeKind::kTime);
  if (name == "uuid") return Type::Of(TypeKind::kUuid);
  return Type::Of(TypeKind::kString);
}

Result<Type> ObjectFrom(const Json& node, const std::string& path) {
  const auto properties = node.find("properties");
  if (properties != node.end() && properties->is_object() && !properties->empty()) {
    TARN_ASSIGN_OR_RETURN(std::vector<Field> members, MembersFrom(node, path));
    return Type::Struct(std::move(members));
  }
  const auto others = node.find("additionalProperties");
  if (others == node.end() || !others->is_object()) {
    return Bad(path, "an object needs 'properties', or 'additionalProperties' with a type");
  }
  TARN_ASSIGN_OR_RETURN(Parsed value, TypeFrom(*others, path + ".value"));
  Field key_field, value_field;
  key_field.name = "key";
  key_field.type = Type::Of(TypeKind::kString);
  key_field.required = true;
  value_field.name = "value";
  value_field.type = std::move(value.type);
  return Type::Map(std::move(key_field), std::move(value_field));
}

Result<Parsed> TypeFrom(const Json& node, const std::string& path) {
  if (!node.is_object()) return Bad(path, "not an object");
  for (const char* key : {"$ref", "oneOf", "anyOf", "allOf"}) {
    if (node.contains(key)) {
      return Unsupported("JSON Schema: " + path + ": '" + key + "' has no type of a table");
    }
  }
  Parsed parsed;
  std::string name;
  const auto type = node.find("type");
  if (type != node.end() && type->is_string()) {
    name = type->get<std::string>();
  } else if (type != node.end() && type->is_array()) {
    for (const Json& one : *type) {
      if (one == "null") {
        parsed.nullable = true;
      } else if (one.is_string() && name.empty()) {
        name = one.get<std::string>();
      } else {
        return Unsupported("JSON Schema: " + path + ": several types");
      }
    }
  }
  if (name == "object") {
    TARN_ASSIGN_OR_RETURN(parsed.type, ObjectFrom(node, path));
  } else if (name == "array") {
    const auto items = node.find("items");
    if (items == node.end()) return Bad(path, "an array needs 'items'");
    TARN_ASSIGN_OR_RETURN(Parsed element, TypeFrom(*items, path + ".element"));
    Field field;
    field.name = "element";
    field.type = std::move(element.type);
    parsed.type = Type::List(std::move(field));
  } else if (name == "string") {
    parsed.type = StringFrom(node);
  } else if (name == "integer") {
    parsed.type = Type::Of(TypeKind::kInt64);
  } else if (name == "number") {
    parsed.type = NumberFrom(node);
  } else if (name == "boolean") {
    parsed.type = Type::Of(TypeKind::kBoolean);
  } else {
    return Bad(path, name.empty() ? "'type' is missing" : "no type '" + name + "'");
  }
  return parsed;
}

}  // namespace

Result<Schema> SchemaFromJsonSchema(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return Invalid("JSON Schema: not a JSON object");
  const auto properties = json.find("properties");
  if (properties == json.end() || !properties->is_object()) {
    return Bad("", "an object with 'properties' is needed");
  }
  Schema schema;
  TARN_ASSIGN_OR_RETURN(schema.fields, MembersFrom(json, ""));
  TARN_RETURN_IF_ERROR(ValidateSchema(AssignFreshIds(schema)));
  return schema;
}

Result<Schema> ReadGivenSchema(const Storage& local, const Registry<FileFormat>& file_formats,
                               const std::string& text) {
  namespace fs = std::filesystem;
  if (text.starts_with('{')) return SchemaFromJsonSchema(text);
  std::error_code error;
  const bool is_file = text.find('\n') == std::string::npos && fs::is_regular_file(text, error);
  const std::string lower = AsciiLower(text);
  const auto ends = [&lower](std::string_view ending) { return lower.ends_with(ending); };
  const bool parquet = ends(".parquet");
  const bool arrow = ends(".arrow") || ends(".arrows") || ends(".ipc") || ends(".feather");
  if (!is_file) {
    if (parquet || arrow || ends(".json") || ends(".sql") || ends(".ddl")) {
      return NotFound("schema: no file '" + text + "'");
    }
    return ParseColumns(text);
  }
  const std::string absolute = fs::absolute(text, error).lexically_normal().string();
  TARN_ASSIGN_OR_RETURN(const Path path, Path::Make(std::string_view(absolute).substr(1)));
  const auto read = [&]() -> Result<Schema> {
    if (parquet || arrow) {
      TARN_ASSIGN_OR_RETURN(const FileFormat* format,
                            file_formats.Find(parquet ? "parquet" : "arrow"));
      TARN_ASSIGN_OR_RETURN(const auto reader, local.OpenReader(path));
      return format->ReadSchema(*reader);
    }
    TARN_ASSIGN_OR_RETURN(const Bytes bytes, local.Read(path));
    const size_t first = bytes.find_first_not_of(" \t\r\n");
    if (first != std::string::npos && bytes[first] == '{') return SchemaFromJsonSchema(bytes);
    return ParseColumns(bytes);
  };
  Result<Schema> schema = read();
  if (!schema.ok()) return schema.error().WithContext(text);
  return schema;
}

}  // namespace tarn
