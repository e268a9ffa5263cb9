#include "tarn/format/delta/schema_json.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <vector>

#include <nlohmann/json.hpp>

#include "tarn/base/text.h"

namespace tarn::delta {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kMappingId = "delta.columnMapping.id";
constexpr std::string_view kMappingName = "delta.columnMapping.physicalName";
constexpr std::string_view kMappingNestedIds = "delta.columnMapping.nested.ids";
constexpr std::string_view kParquetNestedIds = "parquet.field.nested.ids";
constexpr std::string_view kParquetId = "parquet.field.id";
constexpr std::string_view kDefault = "CURRENT_DEFAULT";
// Schemas nest a few levels; a text made to overflow the stack nests thousands.
constexpr int kDepthMax = 200;
// Ids near 2^31 are others' reserved ones, and counting up from them would overflow.
constexpr int64_t kIdMax = INT32_MAX - (int64_t{1} << 20);

struct PrimitiveName {
  std::string_view name;
  TypeKind kind;
};
constexpr PrimitiveName kPrimitives[] = {
    {"string", TypeKind::kString},
    {"long", TypeKind::kInt64},
    {"integer", TypeKind::kInt32},
    {"short", TypeKind::kInt16},
    {"byte", TypeKind::kInt8},
    {"float", TypeKind::kFloat},
    {"double", TypeKind::kDouble},
    {"boolean", TypeKind::kBoolean},
    {"binary", TypeKind::kBinary},
    {"date", TypeKind::kDate},
    {"timestamp", TypeKind::kTimestampTz},
    {"timestamp_ntz", TypeKind::kTimestamp},
    {"void", TypeKind::kVoid},
    {"variant", TypeKind::kVariant},
    {"int", TypeKind::kInt32},
    {"null", TypeKind::kVoid},
};

std::string AppendPart(const std::string& path, const std::string& part) {
  std::string quoted = part;
  if (part.find_first_of(".`") != std::string::npos) {
    quoted = "`";
    for (const char c : part) {
      if (c == '`') quoted += '`';
      quoted += c;
    }
    quoted += '`';
  }
  return path.empty() ? quoted : path + "." + quoted;
}

// The int32 in a JSON number or, as some writers have it, a string; 0 when it is none above 0.
int32_t IdIn(const Json& value) {
  int64_t number = 0;
  if (value.is_number_integer()) {
    number = value.get<int64_t>();
  } else if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    std::from_chars(text.data(), text.data() + text.size(), number);
  }
  return number >= 1 && number <= kIdMax ? static_cast<int32_t>(number) : 0;
}

// One kind of claim to ids, by field, in the order of the schema's fields (parents first).
struct IdClaims {
  int32_t mapping = 0;
  int32_t parquet = 0;
};

// Turns the JSON of a schema into fields. Ids are gathered beside the fields and given afterwards,
// because a stronger claim further down beats a weaker one further up.
class SchemaReader {
 public:
  explicit SchemaReader(ColumnMapping mode) : mode_(mode) {}

  Result<std::vector<Field>> ReadStruct(const Json& json, const std::string& where, int depth) {
    if (depth > kDepthMax) return Corrupt("delta: schema nested too deeply at '" + where + "'");
    const auto members = json.find("fields");
    if (members == json.end() || !members->is_array()) {
      return Corrupt("delta: schema: struct '" + where + "' has no 'fields'");
    }
    std::vector<Field> fields;
    fields.reserve(members->size());
    for (const Json& member : *members) {
      TARN_ASSIGN_OR_RETURN(Field field, ReadField(member, where, depth));
      fields.push_back(std::move(field));
    }
    return fields;
  }

  // In the order in which the fields were met: parents before children.
  const std::vector<IdClaims>& claims() const { return claims_; }

 private:
  Result<Field> ReadField(const Json& json, const std::string& parent, int depth) {
    const auto name = json.find("name");
    if (!json.is_object() || name == json.end() || !name->is_string()) {
      return Corrupt("delta: schema: a field of '" + parent + "' has no name");
    }
    Field field;
    field.name = name->get<std::string>();
    const std::string where = AppendPart(parent, field.name);
    if (const auto nullable = json.find("nullable"); nullable != json.end()) {
      if (!nullable->is_boolean()) return Corrupt("delta: schema: 'nullable' of '" + where + "'");
      field.required = !nullable->get<bool>();
    }
    IdClaims claims;
    Json nested_ids;
    if (const auto metadata = json.find("metadata"); metadata != json.end()) {
      if (metadata->is_object()) TakeMetadata(*metadata, field, claims, nested_ids);
    }
    claims_.push_back(claims);
    const auto type = json.find("type");
    if (type == json.end()) return Corrupt("delta: schema: field '" + where + "' has no type");
    TARN_ASSIGN_OR_RETURN(field.type,
                          ReadType(*type, where, nested_ids, field.file_name(), depth + 1));
    return field;
  }

  void TakeMetadata(const Json& metadata, Field& field, IdClaims& claims, Json& nested_ids) {
    for (const auto& [key, value] : metadata.items()) {
      if (mode_ != ColumnMapping::kNone && key == kMappingId) {
        claims.mapping = IdIn(value);
      } else if (mode_ != ColumnMapping::kNone && key == kMappingName && value.is_string()) {
        field.source_name = value.get<std::string>();
        if (field.source_name == field.name) field.source_name.clear();
      } else if (key == kMappingNestedIds || key == kParquetNestedIds) {
        if (value.is_object()) nested_ids = value;
      } else if (key == "comment" && value.is_string()) {
        field.doc = value.get<std::string>();
      } else if (key == kDefault && value.is_string()) {
        field.write_default_sql = value.get<std::string>();
      } else {
        if (key == kParquetId) claims.parquet = IdIn(value);
        field.annotations[key] = value.dump(-1, ' ', false, Json::error_handler_t::replace);
      }
    }
  }

  // A list's element, a map's key or value: `nested_ids` of the nearest field names its id under
  // `id_path` ("col-1.value.element").
  Result<Field> ReadElement(const Json& owner, const char* type_key, const char* nulls_key,
                            std::string name, const std::string& where, const Json& nested_ids,
                            const std::string& id_path, int depth) {
    const auto type = owner.find(type_key);
    if (type == owner.end()) {
      return Corrupt("delta: schema: '" + where + "' has no '" + type_key + "'");
    }
    Field field;
    field.name = std::move(name);
    const std::string path = where + "." + field.name;
    const std::string own_id_path = id_path + "." + field.name;
    field.required = nulls_key == nullptr;
    if (nulls_key != nullptr) {
      const auto nulls = owner.find(nulls_key);
      field.required = nulls != owner.end() && nulls->is_boolean() && !nulls->get<bool>();
    }
    IdClaims claims;
    if (nested_ids.is_object()) {
      if (const auto id = nested_ids.find(own_id_path); id != nested_ids.end()) {
        claims.mapping = IdIn(*id);
      }
    }
    claims_.push_back(claims);
    TARN_ASSIGN_OR_RETURN(field.type, ReadType(*type, path, nested_ids, own_id_path, depth + 1));
    return field;
  }

  Result<Type> ReadType(const Json& json, const std::string& where, const Json& nested_ids,
                        const std::string& id_path, int depth) {
    if (depth > kDepthMax) return Corrupt("delta: schema nested too deeply at '" + where + "'");
    if (json.is_string()) return TypeFromName(json.get<std::string>(), where);
    const auto kind = json.find("type");
    if (!json.is_object() || kind == json.end() || !kind->is_string()) {
      return Corrupt("delta: schema: type of '" + where + "' is neither a name nor an object");
    }
    const std::string name = kind->get<std::string>();
    if (name == "struct") {
      TARN_ASSIGN_OR_RETURN(std::vector<Field> fields, ReadStruct(json, where, depth + 1));
      return Type::Struct(std::move(fields));
    }
    if (name == "array") {
      TARN_ASSIGN_OR_RETURN(Field element,
                            ReadElement(json, "elementType", "containsNull", "element", where,
                                        nested_ids, id_path, depth));
      return Type::List(std::move(element));
    }
    if (name == "map") {
      TARN_ASSIGN_OR_RETURN(Field key, ReadElement(json, "keyType", nullptr, "key", where,
                                                   nested_ids, id_path, depth));
      TARN_ASSIGN_OR_RETURN(Field value, ReadElement(json, "valueType", "valueContainsNull",
                                                     "value", where, nested_ids, id_path, depth));
      return Type::Map(std::move(key), std::move(value));
    }
    return TypeFromName(name, where);
  }

  const ColumnMapping mode_;
  std::vector<IdClaims> claims_;
};

// Calls visit(field, physical path) for each field, parents before children, as SchemaReader does.
template <class FieldType, class Visit>
void VisitPhysical(std::vector<FieldType>& fields, const std::string& parent, const Visit& visit) {
  for (auto& field : fields) {
    const std::string path = AppendPart(parent, field.file_name());
    visit(field, path);
    VisitPhysical(field.type.fields, path, visit);
  }
}
template <class Visit>
void VisitPhysical(const std::vector<Field>& fields, const std::string& parent,
                   const Visit& visit) {
  for (const Field& field : fields) {
    const std::string path = AppendPart(parent, field.file_name());
    visit(field, path);
    VisitPhysical(field.type.fields, path, visit);
  }
}

Result<Json> TypeToJson(const Type& type, const std::string& where, ColumnMapping mode,
                        NestedIds nested_ids);

void CollectNestedIds(const Type& type, const std::string& id_path, Json& ids) {
  if (type.kind != TypeKind::kList && type.kind != TypeKind::kMap) return;
  for (const Field& child : type.fields) {
    const std::string path = id_path + "." + child.name;
    ids[path] = child.id;
    CollectNestedIds(child.type, path, ids);
  }
}

Json FieldMetadata(const Field& field, ColumnMapping mode, NestedIds nested_ids) {
  Json metadata = Json::object();
  if (!field.doc.empty()) metadata["comment"] = field.doc;
  if (field.write_default_sql) metadata[std::string(kDefault)] = *field.write_default_sql;
  for (const auto& [key, text] : field.annotations) {
    if (key == kParquetId) continue;
    if (mode != ColumnMapping::kNone && (key == kMappingId || key == kMappingName)) continue;
    Json value = Json::parse(text, nullptr, false);
    metadata[key] = value.is_discarded() ? Json(text) : std::move(value);
  }
  if (mode == ColumnMapping::kNone) return metadata;
  metadata[std::string(kMappingId)] = field.id;
  metadata[std::string(kMappingName)] = field.file_name();
  if (nested_ids == NestedIds::kYes) {
    Json ids = Json::object();
    CollectNestedIds(field.type, field.file_name(), ids);
    if (!ids.empty()) metadata[std::string(kMappingNestedIds)] = std::move(ids);
  }
  return metadata;
}

Result<Json> StructToJson(const std::vector<Field>& fields, const std::string& where,
                          ColumnMapping mode, NestedIds nested_ids) {
  Json members = Json::array();
  for (const Field& field : fields) {
    TARN_ASSIGN_OR_RETURN(Json type,
                          TypeToJson(field.type, AppendPart(where, field.name), mode, nested_ids));
    Json member = Json::object();
    member["name"] = field.name;
    member["type"] = std::move(type);
    member["nullable"] = !field.required;
    member["metadata"] = FieldMetadata(field, mode, nested_ids);
    members.push_back(std::move(member));
  }
  Json json = Json::object();
  json["type"] = "struct";
  json["fields"] = std::move(members);
  return json;
}

Result<Json> TypeToJson(const Type& type, const std::string& where, ColumnMapping mode,
                        NestedIds nested_ids) {
  switch (type.kind) {
    case TypeKind::kDecimal:
      return Json("decimal(" + std::to_string(type.precision) + "," + std::to_string(type.scale) +
                  ")");
    case TypeKind::kStruct:
      return StructToJson(type.fields, where, mode, nested_ids);
    case TypeKind::kList: {
      TARN_ASSIGN_OR_RETURN(Json element,
                            TypeToJson(type.fields[0].type, where + ".element", mode, nested_ids));
      Json json = Json::object();
      json["type"] = "array";
      json["elementType"] = std::move(element);
      json["containsNull"] = !type.fields[0].required;
      return json;
    }
    case TypeKind::kMap: {
      TARN_ASSIGN_OR_RETURN(Json key,
                            TypeToJson(type.fields[0].type, where + ".key", mode, nested_ids));
      TARN_ASSIGN_OR_RETURN(Json value,
                            TypeToJson(type.fields[1].type, where + ".value", mode, nested_ids));
      Json json = Json::object();
      json["type"] = "map";
      json["keyType"] = std::move(key);
      json["valueType"] = std::move(value);
      json["valueContainsNull"] = !type.fields[1].required;
      return json;
    }
    default:
      break;
  }
  for (const PrimitiveName& primitive : kPrimitives) {
    if (primitive.kind == type.kind) return Json(primitive.name);
  }
  return Unsupported("delta: Delta has no type " + TypeToText(type) + " (column '" + where + "')");
}

}  // namespace

Result<Type> TypeFromName(const std::string& name, const std::string& where) {
  for (const PrimitiveName& primitive : kPrimitives) {
    if (name == primitive.name) return Type::Of(primitive.kind);
  }
  if (name == "decimal") return Type::Decimal(10, 0);
  if (name.starts_with("decimal(") && name.ends_with(')')) {
    const std::vector<std::string> parts = Split(name.substr(8, name.size() - 9), ',');
    int32_t numbers[2] = {0, 0};
    bool good = parts.size() == 2;
    for (size_t i = 0; good && i < 2; ++i) {
      const std::string digits =
          parts[i].substr(std::min(parts[i].find_first_not_of(' '), parts[i].size()));
      const auto [end, error] =
          std::from_chars(digits.data(), digits.data() + digits.size(), numbers[i]);
      good = error == std::errc() &&
             std::string_view(end).find_first_not_of(' ') == std::string_view::npos;
    }
    if (good && numbers[0] >= 1 && numbers[0] <= 38 && numbers[1] >= 0 &&
        numbers[1] <= numbers[0]) {
      return Type::Decimal(numbers[0], numbers[1]);
    }
    return Corrupt("delta: schema: type '" + name + "' of '" + where + "'");
  }
  return Unsupported("delta: type '" + name + "' of column '" + where + "'");
}

Result<ColumnMapping> ColumnMappingOf(const std::map<std::string, std::string>& configuration) {
  const auto found = configuration.find("delta.columnMapping.mode");
  if (found == configuration.end()) return ColumnMapping::kNone;
  const std::string mode = AsciiLower(found->second);
  if (mode == "none") return ColumnMapping::kNone;
  if (mode == "name") return ColumnMapping::kName;
  if (mode == "id") return ColumnMapping::kId;
  return Unsupported("delta: delta.columnMapping.mode '" + found->second + "'");
}

std::string_view ColumnMappingName(ColumnMapping mode) {
  switch (mode) {
    case ColumnMapping::kNone:
      return "none";
    case ColumnMapping::kName:
      return "name";
    case ColumnMapping::kId:
      return "id";
  }
  return "none";
}

Result<Schema> SchemaFromJson(std::string_view schema_string,
                              const std::map<std::string, std::string>& configuration,
                              ColumnMapping mode) {
  // The depth is bounded before parsing: the parser itself keeps its stack on the heap, but freeing
  // a tree of a million levels does not.
  int depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < schema_string.size(); ++i) {
    const char c = schema_string[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (++depth > 4 * kDepthMax) return Corrupt("delta: schema nested too deeply");
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  const Json json = Json::parse(schema_string, nullptr, false);
  if (json.is_discarded() || !json.is_object()) {
    return Corrupt("delta: schemaString is no JSON object");
  }
  SchemaReader reader(mode);
  Schema schema;
  TARN_ASSIGN_OR_RETURN(schema.fields, reader.ReadStruct(json, "", 0));

  SchemaIds own;
  if (const auto text = configuration.find(std::string(kSchemaIdsProperty));
      text != configuration.end()) {
    TARN_ASSIGN_OR_RETURN(own, SchemaIdsFromProperty(text->second));
  }
  schema.last_column_id = own.last;
  if (const auto text = configuration.find(std::string(kMaxColumnIdProperty));
      text != configuration.end()) {
    schema.last_column_id = std::max(schema.last_column_id, IdIn(Json(text->second)));
  }

  std::set<int32_t> used;
  std::string twice;
  const auto claim = [&](Field& field, int32_t id) {
    if (field.id != 0 || id < 1) return false;
    if (!used.insert(id).second) return false;
    field.id = id;
    schema.last_column_id = std::max(schema.last_column_id, id);
    return true;
  };
  size_t index = 0;
  VisitPhysical(schema.fields, "", [&](Field& field, const std::string& path) {
    const int32_t id = reader.claims()[index++].mapping;
    if (id != 0 && !claim(field, id) && twice.empty()) twice = path;
  });
  if (!twice.empty() && mode != ColumnMapping::kNone) {
    return Corrupt("delta: schema: the column id of '" + twice + "' is used twice");
  }
  VisitPhysical(schema.fields, "", [&](Field& field, const std::string& path) {
    if (const auto id = own.by_path.find(path); id != own.by_path.end()) claim(field, id->second);
  });
  index = 0;
  VisitPhysical(schema.fields, "", [&](Field& field, const std::string&) {
    claim(field, reader.claims()[index++].parquet);
  });
  return AssignFreshIds(std::move(schema));
}

Result<std::string> SchemaToJson(const Schema& schema, ColumnMapping mode, NestedIds nested_ids) {
  TARN_ASSIGN_OR_RETURN(const Json json, StructToJson(schema.fields, "", mode, nested_ids));
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string SchemaIdsToProperty(const Schema& schema) {
  Json ids = Json::object();
  VisitPhysical(schema.fields, "",
                [&](const Field& field, const std::string& path) { ids[path] = field.id; });
  Json json = Json::object();
  json["last"] = schema.last_column_id;
  json["ids"] = std::move(ids);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<SchemaIds> SchemaIdsFromProperty(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  const std::string context = "delta: property " + std::string(kSchemaIdsProperty);
  if (json.is_discarded() || !json.is_object()) return Corrupt(context + " is no JSON object");
  SchemaIds ids;
  if (const auto last = json.find("last"); last != json.end()) ids.last = IdIn(*last);
  const auto by_path = json.find("ids");
  if (by_path == json.end() || !by_path->is_object()) return Corrupt(context + " has no 'ids'");
  for (const auto& [path, id] : by_path->items()) {
    const int32_t number = IdIn(id);
    if (number == 0) continue;
    ids.by_path[path] = number;
    ids.last = std::max(ids.last, number);
  }
  return ids;
}

std::map<int32_t, std::string> PhysicalPaths(const Schema& schema) {
  std::map<int32_t, std::string> paths;
  VisitPhysical(schema.fields, "",
                [&](const Field& field, const std::string& path) { paths[field.id] = path; });
  return paths;
}

}  // namespace tarn::delta
