#include "tarn/model/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "tarn/base/text.h"
#include "tarn/model/type_parser_internal.h"

namespace tarn {
namespace {

// Exact name first, then ignoring case; npos when there is none.
size_t IndexAmong(const std::vector<Field>& fields, std::string_view name) {
  for (size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].name == name) return i;
  }
  for (size_t i = 0; i < fields.size(); ++i) {
    if (AsciiEqualsIgnoreCase(fields[i].name, name)) return i;
  }
  return std::string_view::npos;
}

const Field* FindIn(const std::vector<Field>& fields, int32_t id) {
  for (const Field& field : fields) {
    if (field.id == id) return &field;
    if (const Field* found = FindIn(field.type.fields, id)) return found;
  }
  return nullptr;
}

std::optional<std::vector<int>> StepsIn(const std::vector<Field>& fields, int32_t id) {
  for (size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].id == id) return std::vector<int>{static_cast<int>(i)};
    if (fields[i].type.kind != TypeKind::kStruct) continue;
    auto below = StepsIn(fields[i].type.fields, id);
    if (!below) continue;
    below->insert(below->begin(), static_cast<int>(i));
    return below;
  }
  return std::nullopt;
}

std::string QuotePart(const std::string& name) {
  if (name.find_first_of(".`") == std::string::npos && !name.empty()) return name;
  std::string quoted = "`";
  for (char c : name) {
    if (c == '`') quoted += '`';
    quoted += c;
  }
  return quoted + "`";
}

bool PathIn(const std::vector<Field>& fields, int32_t id, std::string& path) {
  for (const Field& field : fields) {
    const size_t length = path.size();
    if (!path.empty()) path += '.';
    path += QuotePart(field.name);
    if (field.id == id || PathIn(field.type.fields, id, path)) return true;
    path.resize(length);
  }
  return false;
}

std::vector<std::string> PathParts(std::string_view path) {
  std::vector<std::string> parts(1);
  for (size_t i = 0; i < path.size(); ++i) {
    if (path[i] == '.') {
      parts.emplace_back();
    } else if (path[i] == '`') {
      for (++i; i < path.size(); ++i) {
        if (path[i] == '`') {
          if (i + 1 >= path.size() || path[i + 1] != '`') break;
          ++i;
        }
        parts.back() += path[i];
      }
    } else {
      parts.back() += path[i];
    }
  }
  return parts;
}

void Visit(const std::vector<Field>& fields, const std::string& prefix,
           const std::function<void(const Field&, const std::string&)>& visit) {
  for (const Field& field : fields) {
    const std::string path =
        prefix.empty() ? QuotePart(field.name) : prefix + "." + QuotePart(field.name);
    visit(field, path);
    Visit(field.type.fields, path, visit);
  }
}

void GiveIds(std::vector<Field>& fields, int32_t& last) {
  for (Field& field : fields) {
    if (field.id == 0) field.id = ++last;
  }
  for (Field& field : fields) GiveIds(field.type.fields, last);
}

int32_t HighestId(const std::vector<Field>& fields) {
  int32_t highest = 0;
  for (const Field& field : fields) {
    highest = std::max({highest, field.id, HighestId(field.type.fields)});
  }
  return highest;
}

Status ValidateFields(const std::vector<Field>& fields, const std::string& prefix,
                      std::set<int32_t>& ids) {
  std::set<std::string> folded;
  for (const Field& field : fields) {
    const std::string path = prefix.empty() ? field.name : prefix + "." + field.name;
    if (field.name.empty())
      return Invalid(fmt::format("schema: an empty column name below '{}'", prefix));
    if (!folded.insert(AsciiLower(field.name)).second) {
      return Invalid(
          fmt::format("schema: two columns are called '{}' (case does not count)", path));
    }
    if (field.id != 0 && !ids.insert(field.id).second) {
      return Invalid(
          fmt::format("schema: column '{}' has id {}, which another has too", path, field.id));
    }
    const Type& type = field.type;
    if (type.kind == TypeKind::kDecimal && (type.precision < 1 || type.precision > 38 ||
                                            type.scale < 0 || type.scale > type.precision)) {
      return Invalid(fmt::format("schema: column '{}': {} is no decimal", path, TypeToText(type)));
    }
    TARN_RETURN_IF_ERROR(ValidateFields(type.fields, path, ids));
  }
  return {};
}

}  // namespace

std::optional<size_t> Schema::IndexOf(std::string_view name) const {
  const size_t index = IndexAmong(fields, name);
  if (index == std::string_view::npos) return std::nullopt;
  return index;
}

const Field* Schema::FindById(int32_t id) const { return FindIn(fields, id); }

const Field* Schema::FindByPath(std::string_view path) const {
  const std::vector<Field>* level = &fields;
  const Field* found = nullptr;
  for (const std::string& part : PathParts(path)) {
    const size_t index = IndexAmong(*level, part);
    if (index == std::string_view::npos) return nullptr;
    found = &(*level)[index];
    level = &found->type.fields;
  }
  return found;
}

std::string Schema::PathOf(int32_t id) const {
  std::string path;
  PathIn(fields, id, path);
  return path;
}

std::optional<std::vector<int>> StepsThroughStructs(const Schema& schema, int32_t id) {
  return StepsIn(schema.fields, id);
}

void ForEachField(const Schema& schema,
                  const std::function<void(const Field&, const std::string& path)>& visit) {
  Visit(schema.fields, "", visit);
}

Schema AssignFreshIds(Schema schema) {
  schema.last_column_id = std::max(schema.last_column_id, HighestId(schema.fields));
  GiveIds(schema.fields, schema.last_column_id);
  return schema;
}

Status ValidateSchema(const Schema& schema) {
  std::set<int32_t> ids;
  return ValidateFields(schema.fields, "", ids);
}

Result<Schema> ParseColumns(std::string_view ddl) {
  Schema schema;
  TypeParser parser(ddl);
  do {
    Field field;
    TARN_ASSIGN_OR_RETURN(field.name, parser.Name());
    parser.Accept(':');
    TARN_ASSIGN_OR_RETURN(field.type, parser.ParseType());
    TARN_ASSIGN_OR_RETURN(field.required, parser.ParseNotNull());
    schema.fields.push_back(std::move(field));
  } while (parser.Accept(','));
  if (!parser.AtEnd()) return parser.Unexpected("',' or the end");
  TARN_RETURN_IF_ERROR(ValidateSchema(schema));
  return schema;
}

std::string SchemaToDdl(const Schema& schema) {
  std::string members = TypeToText(Type::Struct(schema.fields));
  // "struct<a: int32, b: …>" without its frame; the colons are accepted by ParseColumns.
  return members.substr(7, members.size() - 8);
}

}  // namespace tarn
