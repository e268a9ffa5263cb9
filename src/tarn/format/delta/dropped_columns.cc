#include "tarn/format/delta/dropped_columns.h"

#include <nlohmann/json.hpp>

#include "tarn/base/text.h"
#include "tarn/format/delta/schema_json.h"

namespace tarn::delta {
namespace {

using Json = nlohmann::ordered_json;

Error Malformed() {
  return Corrupt("delta: table property '" + std::string(kDroppedColumnsProperty) +
                 "' is not a list of dropped columns; remove it to go on without UNDROP");
}

// The struct's members in which a column of `path` stood, or null.
std::vector<Field>* SiblingsOf(Schema& schema, std::string_view path, std::string_view name) {
  // The last part of the path is the column's name, in backticks where it holds a dot.
  const bool quoted = !path.empty() && path.back() == '`';
  const size_t tail = name.size() + (quoted ? 2 : 0);
  if (path.size() <= tail) return &schema.fields;
  const std::string_view parent = path.substr(0, path.size() - tail - 1);
  const Field* found = schema.FindByPath(parent);
  if (found == nullptr || found->type.kind != TypeKind::kStruct) return nullptr;
  return &const_cast<Field*>(found)->type.fields;  // `schema` is ours to change
}

}  // namespace

Result<std::vector<DroppedColumn>> DroppedColumnsOf(
    const std::map<std::string, std::string>& properties) {
  std::vector<DroppedColumn> columns;
  const auto property = properties.find(std::string(kDroppedColumnsProperty));
  if (property == properties.end()) return columns;
  const Json list = Json::parse(property->second, nullptr, /*allow_exceptions=*/false);
  if (!list.is_array()) return Malformed();
  for (const Json& entry : list) {
    if (!entry.is_object() || !entry.contains("path") || !entry["path"].is_string() ||
        !entry.contains("field")) {
      return Malformed();
    }
    const Json schema = {{"type", "struct"}, {"fields", Json::array({entry["field"]})}};
    const Result<Schema> parsed = SchemaFromJson(schema.dump(), {}, ColumnMapping::kName);
    if (!parsed.ok() || parsed->fields.size() != 1) return Malformed();
    columns.push_back({entry["path"].get<std::string>(), parsed->fields[0]});
  }
  return columns;
}

Result<std::string> DroppedColumnsToProperty(const std::vector<DroppedColumn>& columns) {
  std::vector<std::string> entries;
  size_t bytes = 2;
  for (auto column = columns.rbegin(); column != columns.rend(); ++column) {
    Schema schema;
    schema.fields.push_back(column->field);
    TARN_ASSIGN_OR_RETURN(const std::string text,
                          SchemaToJson(schema, ColumnMapping::kName, NestedIds::kYes));
    const Json parsed = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    const Json entry = {{"path", column->path}, {"field", parsed["fields"][0]}};
    entries.push_back(entry.dump());
    bytes += entries.back().size() + 1;
    if (bytes > kDroppedColumnsBytesMax) {
      entries.pop_back();
      break;
    }
  }
  return "[" + Join({entries.rbegin(), entries.rend()}, ",") + "]";
}

Result<TableMetadata> UndropColumn(TableMetadata metadata, std::string_view path,
                                   std::optional<int32_t> id, std::string_view new_name) {
  TARN_ASSIGN_OR_RETURN(const std::vector<DroppedColumn> columns,
                        DroppedColumnsOf(metadata.properties));
  const DroppedColumn* chosen = nullptr;
  for (const DroppedColumn& column : columns) {
    if (AsciiEqualsIgnoreCase(column.path, path) && (!id || column.field.id == *id)) {
      chosen = &column;
    }
  }
  if (chosen == nullptr) {
    std::vector<std::string> known;
    for (const DroppedColumn& column : columns) known.push_back(column.path);
    return NotFound("undrop: no column '" + std::string(path) + "' was dropped" +
                    DidYouMean(path, known));
  }
  std::vector<Field>* siblings = SiblingsOf(metadata.schema, chosen->path, chosen->field.name);
  if (siblings == nullptr) {
    return NotFound("undrop: the struct that held '" + chosen->path + "' is gone");
  }
  Field field = chosen->field;
  field.source_name = field.file_name();
  if (!new_name.empty()) field.name = new_name;
  if (field.source_name == field.name) field.source_name.clear();
  for (const Field& sibling : *siblings) {
    if (AsciiEqualsIgnoreCase(sibling.name, field.name)) {
      return AlreadyExists("undrop: the name '" + field.name +
                           "' is taken; give the column another one");
    }
  }
  field.required = false;  // rows written meanwhile have no value
  siblings->push_back(std::move(field));
  return metadata;
}

}  // namespace tarn::delta
