#include "tarn/datafile/avro_schema.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include "tarn/base/text.h"

namespace tarn {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchemaDepthMax = 64;
constexpr int kJsonDepthMax = 1024;
constexpr int64_t kNodesMax = 100'000;
constexpr int32_t kFixedMax = 64 << 10;

constexpr std::array<std::string_view, 14> kKindNames = {
    "null",   "boolean", "int",  "long",   "float", "double", "bytes",
    "string", "fixed",   "enum", "record", "array", "map",    "union"};

struct LogicalName {
  std::string_view text;
  AvroLogical logical;
};
constexpr std::array<LogicalName, 13> kLogicalNames = {{
    {"decimal", AvroLogical::kDecimal},
    {"date", AvroLogical::kDate},
    {"time-millis", AvroLogical::kTimeMillis},
    {"time-micros", AvroLogical::kTimeMicros},
    {"timestamp-millis", AvroLogical::kTimestampMillis},
    {"timestamp-micros", AvroLogical::kTimestampMicros},
    {"timestamp-nanos", AvroLogical::kTimestampNanos},
    {"local-timestamp-millis", AvroLogical::kLocalTimestampMillis},
    {"local-timestamp-micros", AvroLogical::kLocalTimestampMicros},
    {"local-timestamp-nanos", AvroLogical::kLocalTimestampNanos},
    {"uuid", AvroLogical::kUuid},
    {"duration", AvroLogical::kDuration},
    {"map", AvroLogical::kMap},
}};

std::string Quoted(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string Dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// How deeply brackets nest: what walks JSON by recursion must know before it starts.
int JsonDepth(std::string_view text) {
  int depth = 0, deepest = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        in_string = false;
      }
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return deepest;
}

const Json* Member(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

std::string TextOf(const Json& object, const char* key) {
  const Json* member = Member(object, key);
  return member != nullptr && member->is_string() ? member->get_ref<const std::string&>() : "";
}

// A number between the bounds, or 0.
int32_t IntOf(const Json& object, const char* key) {
  const Json* member = Member(object, key);
  if (member == nullptr || !member->is_number_integer()) return 0;
  const auto value = member->get<int64_t>();
  return value >= INT32_MIN && value <= INT32_MAX ? static_cast<int32_t>(value) : 0;
}

std::vector<std::string> TextsOf(const Json& object, const char* key) {
  std::vector<std::string> texts;
  const Json* member = Member(object, key);
  if (member == nullptr || !member->is_array()) return texts;
  for (const Json& item : *member) {
    if (item.is_string()) texts.push_back(item.get_ref<const std::string&>());
  }
  return texts;
}

// Digits that `size` bytes of two's complement always hold.
int32_t DigitsOf(int32_t size) {
  return static_cast<int32_t>(std::floor((8.0 * size - 1) * 0.30103));
}

bool Carries(const AvroType& type, AvroLogical logical) {
  switch (logical) {
    case AvroLogical::kNone:
      return true;
    case AvroLogical::kDecimal:
      return (type.kind == AvroKind::kBytes || type.kind == AvroKind::kFixed) &&
             type.precision >= 1 && type.precision <= 38 && type.scale >= 0 &&
             type.scale <= type.precision &&
             (type.kind == AvroKind::kBytes || type.precision <= DigitsOf(type.size));
    case AvroLogical::kDate:
    case AvroLogical::kTimeMillis:
      return type.kind == AvroKind::kInt;
    case AvroLogical::kUuid:
      return type.kind == AvroKind::kString || (type.kind == AvroKind::kFixed && type.size == 16);
    case AvroLogical::kDuration:
      return type.kind == AvroKind::kFixed && type.size == 12;
    case AvroLogical::kMap:
      return type.kind == AvroKind::kArray && EntryOf(type) != nullptr;
    default:
      return type.kind == AvroKind::kLong;
  }
}

AvroLogical Local(AvroLogical logical) {
  switch (logical) {
    case AvroLogical::kTimestampMillis:
      return AvroLogical::kLocalTimestampMillis;
    case AvroLogical::kTimestampMicros:
      return AvroLogical::kLocalTimestampMicros;
    case AvroLogical::kTimestampNanos:
      return AvroLogical::kLocalTimestampNanos;
    default:
      return logical;
  }
}

class SchemaParser {
 public:
  Result<AvroTypePtr> Parse(const Json& json, const std::string& space, const std::string& path,
                            int depth) {
    if (depth > kSchemaDepthMax) return TooDeep(path);
    if (json.is_string()) return Named(json.get_ref<const std::string&>(), space, path);
    if (json.is_array()) return Union(json, space, path, depth);
    if (!json.is_object()) return Bad(path, "expected a type, got " + Cut(Dumped(json)));
    const Json* type = Member(json, "type");
    if (type == nullptr) return Bad(path, "'type' is missing");
    if (!type->is_string()) return Parse(*type, space, path, depth + 1);
    return Complex(json, type->get_ref<const std::string&>(), space, path, depth);
  }

 private:
  struct Extent {
    int64_t nodes = 1;
    int height = 1;
  };

  static std::string Cut(std::string text) {
    if (text.size() > 40) text = text.substr(0, 40) + "…";
    return text;
  }
  static std::string Place(const std::string& path) {
    return path.empty() ? "avro: schema" : "avro: schema: field '" + path + "'";
  }
  static Error Bad(const std::string& path, const std::string& why) {
    return Corrupt(Place(path) + ": " + why);
  }
  static Error TooDeep(const std::string& path) {
    return Unsupported(Place(path) + ": nested more than " + std::to_string(kSchemaDepthMax) +
                       " levels deep");
  }

  // Counts what stands below, named types at each use: a small text may say a very large schema.
  Result<AvroTypePtr> Done(AvroType type, const std::string& path) {
    Extent extent;
    const auto add = [&](const AvroTypePtr& child) {
      const Extent& below = extents_.at(child.get());
      extent.nodes += below.nodes;
      extent.height = std::max(extent.height, below.height + 1);
    };
    for (const AvroTypePtr& child : type.children) add(child);
    for (const AvroField& field : type.fields) add(field.type);
    if (extent.nodes > kNodesMax) {
      return Unsupported(Place(path) + ": more than " + std::to_string(kNodesMax) + " fields");
    }
    if (extent.height > kSchemaDepthMax) return TooDeep(path);
    auto done = std::make_shared<const AvroType>(std::move(type));
    extents_[done.get()] = extent;
    kept_.push_back(done);
    return done;
  }

  Result<AvroTypePtr> Named(const std::string& text, const std::string& space,
                            const std::string& path) {
    for (size_t kind = 0; kind <= static_cast<size_t>(AvroKind::kString); ++kind) {
      if (text != kKindNames[kind]) continue;
      AvroTypePtr& made = primitives_[kind];
      if (made == nullptr) {
        TARN_ASSIGN_OR_RETURN(made, Done(AvroType{.kind = static_cast<AvroKind>(kind)}, path));
      }
      return made;
    }
    for (const std::string& name : {FullName(text, space), text}) {
      if (open_.count(name) > 0) {
        return Unsupported(Place(path) + ": record '" + name + "' contains itself");
      }
      if (const auto found = named_.find(name); found != named_.end()) return found->second;
    }
    return Bad(path, "no type '" + text + "'");
  }

  static std::string FullName(const std::string& name, const std::string& space) {
    return name.find('.') != std::string::npos || space.empty() ? name : space + "." + name;
  }

  Result<AvroTypePtr> Union(const Json& json, const std::string& space, const std::string& path,
                            int depth) {
    AvroType type{.kind = AvroKind::kUnion};
    if (json.empty()) return Bad(path, "a union of nothing");
    type.children.reserve(json.size());
    for (const Json& branch : json) {
      TARN_ASSIGN_OR_RETURN(auto parsed, Parse(branch, space, path, depth + 1));
      if (parsed->kind == AvroKind::kUnion) return Bad(path, "a union directly in a union");
      type.children.push_back(std::move(parsed));
    }
    return Done(std::move(type), path);
  }

  Result<AvroTypePtr> Complex(const Json& json, const std::string& kind, const std::string& space,
                              const std::string& path, int depth) {
    AvroType type;
    if (kind == "array" || kind == "map") {
      const bool array = kind == "array";
      type.kind = array ? AvroKind::kArray : AvroKind::kMap;
      const char* member = array ? "items" : "values";
      const Json* below = Member(json, member);
      if (below == nullptr) return Bad(path, "'" + std::string(member) + "' is missing");
      const std::string step = array ? "element" : "value";
      TARN_ASSIGN_OR_RETURN(
          auto child, Parse(*below, space, path.empty() ? step : path + "." + step, depth + 1));
      type.children.push_back(std::move(child));
      type.element_id = IntOf(json, "element-id");
      type.key_id = IntOf(json, "key-id");
      type.value_id = IntOf(json, "value-id");
      TakeAttributes(json, {"type", "items", "values"}, type);
      return Done(std::move(type), path);
    }
    if (kind == "record" || kind == "error" || kind == "enum" || kind == "fixed") {
      return Definition(json, kind, space, path, depth);
    }
    TARN_ASSIGN_OR_RETURN(auto plain, Named(kind, space, path));
    if (plain->kind > AvroKind::kString) return plain;
    type.kind = plain->kind;
    type.precision = IntOf(json, "precision");
    type.scale = IntOf(json, "scale");
    TakeAttributes(json, {"type"}, type);
    return type.attributes.empty() ? plain : Done(std::move(type), path);
  }

  Result<AvroTypePtr> Definition(const Json& json, const std::string& kind,
                                 const std::string& space, const std::string& path, int depth) {
    AvroType type;
    const std::string name = TextOf(json, "name");
    if (name.empty()) return Bad(path, "a " + kind + " without 'name'");
    const Json* own_space = Member(json, "namespace");
    type.name = FullName(name, own_space == nullptr ? space : TextOf(json, "namespace"));
    const size_t dot = type.name.rfind('.');
    const std::string inner = dot == std::string::npos ? "" : type.name.substr(0, dot);
    for (const std::string& alias : TextsOf(json, "aliases")) {
      type.aliases.push_back(FullName(alias, inner));
    }
    type.doc = TextOf(json, "doc");
    if (kind == "fixed") {
      type.kind = AvroKind::kFixed;
      const Json* size = Member(json, "size");
      if (size == nullptr || !size->is_number_integer() || size->get<int64_t>() < 0) {
        return Bad(path, "fixed '" + type.name + "': 'size' is missing or no size");
      }
      if (size->get<int64_t>() > kFixedMax) {
        return Unsupported(Place(path) + ": fixed '" + type.name + "' of more than " +
                           std::to_string(kFixedMax) + " bytes");
      }
      type.size = static_cast<int32_t>(size->get<int64_t>());
    } else if (kind == "enum") {
      type.kind = AvroKind::kEnum;
      type.symbols = TextsOf(json, "symbols");
      if (type.symbols.empty()) return Bad(path, "enum '" + type.name + "' without 'symbols'");
      if (const Json* symbol = Member(json, "default"); symbol != nullptr && symbol->is_string()) {
        type.symbol_default = symbol->get_ref<const std::string&>();
      }
    } else {
      type.kind = AvroKind::kRecord;
      open_.insert(type.name);
      TARN_RETURN_IF_ERROR(Fields(json, inner, path, depth, type));
      open_.erase(type.name);
    }
    type.precision = IntOf(json, "precision");
    type.scale = IntOf(json, "scale");
    std::set<std::string> known = {"type", "name", "namespace", "aliases",
                                   "doc",  "size", "symbols",   "fields"};
    if (type.kind == AvroKind::kEnum) known.insert("default");
    TakeAttributes(json, known, type);
    TARN_ASSIGN_OR_RETURN(auto done, Done(std::move(type), path));
    named_[done->name] = done;
    return done;
  }

  Status Fields(const Json& json, const std::string& space, const std::string& path, int depth,
                AvroType& record) {
    const Json* fields = Member(json, "fields");
    if (fields == nullptr || !fields->is_array()) {
      return Bad(path, "record '" + record.name + "' without 'fields'");
    }
    std::set<std::string> seen;
    record.fields.reserve(fields->size());
    for (const Json& member : *fields) {
      if (!member.is_object()) return Bad(path, "a field that is " + Cut(Dumped(member)));
      AvroField field;
      field.name = TextOf(member, "name");
      if (field.name.empty()) return Bad(path, "a field without 'name'");
      const std::string below = path.empty() ? field.name : path + "." + field.name;
      if (!seen.insert(field.name).second) return Bad(below, "stands twice in its record");
      const Json* type = Member(member, "type");
      if (type == nullptr) return Bad(below, "'type' is missing");
      TARN_ASSIGN_OR_RETURN(field.type, Parse(*type, space, below, depth + 1));
      field.aliases = TextsOf(member, "aliases");
      field.doc = TextOf(member, "doc");
      field.field_id = IntOf(member, "field-id");
      if (const Json* value = Member(member, "default")) field.default_json = Dumped(*value);
      for (const auto& [key, value] : member.items()) {
        if (key != "name" && key != "type" && key != "aliases" && key != "doc" &&
            key != "default") {
          field.attributes.emplace_back(key, Dumped(value));
        }
      }
      record.fields.push_back(std::move(field));
    }
    return OkStatus();
  }

  static void TakeAttributes(const Json& json, const std::set<std::string>& known, AvroType& type) {
    for (const auto& [key, value] : json.items()) {
      if (known.count(key) == 0) type.attributes.emplace_back(key, Dumped(value));
    }
    const std::string text = TextOf(json, "logicalType");
    const auto* found = std::find_if(kLogicalNames.begin(), kLogicalNames.end(),
                                     [&](const LogicalName& name) { return name.text == text; });
    if (found == kLogicalNames.end() || !Carries(type, found->logical)) return;
    type.logical = found->logical;
    const Json* utc = Member(json, "adjust-to-utc");
    if (utc != nullptr && utc->is_boolean() && !utc->get<bool>())
      type.logical = Local(type.logical);
  }

  std::map<std::string, AvroTypePtr> named_;
  std::set<std::string> open_;  // records whose fields are being read
  std::array<AvroTypePtr, static_cast<size_t>(AvroKind::kString) + 1> primitives_;
  std::map<const AvroType*, Extent> extents_;
  std::vector<AvroTypePtr> kept_;  // so that no address in extents_ is used again
};

void AppendAttributes(const AvroAttributes& attributes, std::string& out) {
  for (const auto& [key, value] : attributes) out += "," + Quoted(key) + ":" + value;
}

void AppendTexts(const char* key, const std::vector<std::string>& texts, std::string& out) {
  out += ",\"" + std::string(key) + "\":[";
  for (size_t i = 0; i < texts.size(); ++i) out += (i == 0 ? "" : ",") + Quoted(texts[i]);
  out += "]";
}

void AppendType(const AvroType& type, std::map<std::string, const AvroType*>& named,
                std::string& out);

void AppendField(const AvroField& field, std::map<std::string, const AvroType*>& named,
                 std::string& out) {
  out += "{\"name\":" + Quoted(field.name) + ",\"type\":";
  AppendType(*field.type, named, out);
  if (!field.doc.empty()) out += ",\"doc\":" + Quoted(field.doc);
  if (field.default_json) out += ",\"default\":" + *field.default_json;
  if (!field.aliases.empty()) AppendTexts("aliases", field.aliases, out);
  AppendAttributes(field.attributes, out);
  out += "}";
}

void AppendType(const AvroType& type, std::map<std::string, const AvroType*>& named,
                std::string& out) {
  const std::string kind(kKindNames[static_cast<size_t>(type.kind)]);
  if (type.kind == AvroKind::kUnion) {
    out += "[";
    for (size_t i = 0; i < type.children.size(); ++i) {
      if (i > 0) out += ",";
      AppendType(*type.children[i], named, out);
    }
    out += "]";
    return;
  }
  if (type.kind <= AvroKind::kString && type.attributes.empty()) {
    out += "\"" + kind + "\"";
    return;
  }
  if (!type.name.empty()) {
    const AvroType*& first = named[type.name];
    if (first == &type) {
      out += Quoted(type.name);
      return;
    }
    first = &type;
  }
  out += "{\"type\":\"" + kind + "\"";
  if (!type.name.empty()) out += ",\"name\":" + Quoted(type.name);
  // Without a namespace of its own a name would fall into the one that surrounds it.
  if (!type.name.empty() && type.name.find('.') == std::string::npos) {
    const bool spaced = std::any_of(named.begin(), named.end(), [](const auto& entry) {
      return entry.first.find('.') != std::string::npos;
    });
    if (spaced) out += ",\"namespace\":\"\"";
  }
  if (!type.doc.empty()) out += ",\"doc\":" + Quoted(type.doc);
  if (!type.aliases.empty()) AppendTexts("aliases", type.aliases, out);
  if (type.kind == AvroKind::kFixed) out += ",\"size\":" + std::to_string(type.size);
  if (type.kind == AvroKind::kEnum) {
    AppendTexts("symbols", type.symbols, out);
    if (type.symbol_default) out += ",\"default\":" + Quoted(*type.symbol_default);
  }
  if (type.kind == AvroKind::kRecord) {
    out += ",\"fields\":[";
    for (size_t i = 0; i < type.fields.size(); ++i) {
      if (i > 0) out += ",";
      AppendField(type.fields[i], named, out);
    }
    out += "]";
  }
  if (type.kind == AvroKind::kArray || type.kind == AvroKind::kMap) {
    out += type.kind == AvroKind::kArray ? ",\"items\":" : ",\"values\":";
    AppendType(*type.children[0], named, out);
  }
  AppendAttributes(type.attributes, out);
  out += "}";
}

}  // namespace

Result<AvroTypePtr> ParseAvroSchema(std::string_view text) {
  if (JsonDepth(text) > kJsonDepthMax) {
    return Unsupported("avro: schema: JSON nested more than " + std::to_string(kJsonDepthMax) +
                       " levels deep");
  }
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) {
    // A bare name without quotes is what some hand-written files say for a primitive.
    return Corrupt("avro: schema: no JSON: " + std::string(text.substr(0, 40)));
  }
  return SchemaParser().Parse(json, "", "", 1);
}

std::string AvroSchemaToJson(const AvroType& type) {
  std::string out;
  std::map<std::string, const AvroType*> named;
  AppendType(type, named, out);
  return out;
}

std::string AvroTypeToText(const AvroType& type) {
  if (type.logical == AvroLogical::kDecimal) {
    return "decimal(" + std::to_string(type.precision) + "," + std::to_string(type.scale) + ")";
  }
  if (type.logical != AvroLogical::kNone) {
    for (const LogicalName& name : kLogicalNames) {
      if (name.logical == type.logical) return std::string(name.text);
    }
  }
  std::string text(kKindNames[static_cast<size_t>(type.kind)]);
  switch (type.kind) {
    case AvroKind::kFixed:
      return text + "(" + std::to_string(type.size) + ")";
    case AvroKind::kEnum:
    case AvroKind::kRecord:
      return text + " " + type.name;
    case AvroKind::kArray:
    case AvroKind::kMap:
    case AvroKind::kUnion: {
      text += "[";
      for (size_t i = 0; i < type.children.size(); ++i) {
        text += (i == 0 ? "" : ", ") + AvroTypeToText(*type.children[i]);
      }
      return text + "]";
    }
    default:
      return text;
  }
}

std::string ColumnNameOf(const AvroField& field) {
  for (const auto& [key, value] : field.attributes) {
    if (!key.ends_with(kNameAttributeSuffix)) continue;
    const Json name = Json::parse(value, nullptr, /*allow_exceptions=*/false);
    if (name.is_string()) return name.get<std::string>();
  }
  return field.name;
}

const AvroType* EntryOf(const AvroType& array) {
  if (array.kind != AvroKind::kArray) return nullptr;
  const AvroOptional optional = OptionalOf(*array.children[0]);
  const AvroType& items = optional.value != nullptr ? **optional.value : *array.children[0];
  return items.kind == AvroKind::kRecord && items.fields.size() == 2 ? &items : nullptr;
}

AvroOptional OptionalOf(const AvroType& type) {
  if (type.kind != AvroKind::kUnion || type.children.size() != 2) return {};
  for (int branch = 0; branch < 2; ++branch) {
    if (type.children[branch]->kind != AvroKind::kNull) continue;
    if (type.children[1 - branch]->kind == AvroKind::kNull) return {};
    return {&type.children[1 - branch], branch};
  }
  return {};
}

}  // namespace tarn
