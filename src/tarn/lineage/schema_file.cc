#include "tarn/lineage/schema_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include "tarn/base/text.h"

namespace tarn::lineage {
namespace {

using Json = nlohmann::ordered_json;

// The lower-cased name with superfluous back-ticks taken off.
std::string KeyOf(std::string_view name) {
  std::string key = AsciiLower(name);
  if (key.find('`') == std::string::npos) return key;
  std::string out;
  for (size_t at = 0; at < key.size();) {
    const size_t close = key[at] == '`' ? key.find('`', at + 1) : std::string::npos;
    if (close == std::string::npos) {
      out += key[at++];
      continue;
    }
    const std::string_view part = std::string_view(key).substr(at, close + 1 - at);
    const std::string_view inner = part.substr(1, part.size() - 2);
    out += inner.find('.') == std::string_view::npos ? inner : part;
    at = close + 1;
  }
  return out;
}

Result<TableSchema> ParseColumns(const std::string& table, const Json& columns) {
  TableSchema schema;
  const auto wrong = [&](const std::string& what) {
    return Invalid("schema: '" + table + "': " + what);
  };
  if (columns.is_array()) {
    schema.columns.reserve(columns.size());
    for (const Json& column : columns) {
      if (!column.is_string()) return wrong("a column's name must be a string");
      schema.columns.push_back({AsciiLower(column.get<std::string>())});
    }
    return schema;
  }
  if (!columns.is_object()) return wrong("expected [\"col\", …] or {\"col\": \"type\", …}");
  schema.columns.reserve(columns.size());
  for (const auto& [name, type] : columns.items()) {
    if (!type.is_string()) return wrong("the type of '" + name + "' must be a string");
    schema.columns.push_back({AsciiLower(name), type.get<std::string>()});
  }
  return schema;
}

// Moves the columns `names` to the end, where partition columns stand.
void MarkPartitions(TableSchema& schema, const std::vector<std::string>& names) {
  const auto is_partition = [&](const ColumnSchema& column) {
    return std::find(names.begin(), names.end(), column.name) != names.end();
  };
  std::stable_partition(schema.columns.begin(), schema.columns.end(),
                        [&](const ColumnSchema& column) { return !is_partition(column); });
  schema.partition_columns = static_cast<uint32_t>(
      std::count_if(schema.columns.begin(), schema.columns.end(), is_partition));
}

using Tables = std::vector<std::pair<std::string, TableSchema>>;

TableSchema* TableOf(Tables& tables, std::string_view name) {
  const std::string key = KeyOf(name);
  for (auto& [table, schema] : tables) {
    if (table == key) return &schema;
  }
  return nullptr;
}

Status ParsePartitions(const Json& partitions, Tables& tables) {
  for (const auto& [table, columns] : partitions.items()) {
    TARN_ASSIGN_OR_RETURN(const TableSchema named, ParseColumns(table, columns));
    TableSchema* schema = TableOf(tables, table);
    if (schema == nullptr) {
      return Invalid("schema: partition_columns: '" + table + "' is not among the tables");
    }
    std::vector<std::string> names;
    names.reserve(named.columns.size());
    for (const ColumnSchema& column : named.columns) names.push_back(column.name);
    MarkPartitions(*schema, names);
  }
  return OkStatus();
}

Status ParseTypes(const Json& types, Tables& tables) {
  for (const auto& [path, type] : types.items()) {
    const size_t dot = path.rfind('.');
    TableSchema* schema =
        dot == std::string::npos ? nullptr : TableOf(tables, std::string_view(path).substr(0, dot));
    if (schema == nullptr || !type.is_string()) {
      return Invalid("schema: types: '" + path + "' is no column of the tables, or has no type");
    }
    const std::string name = AsciiLower(std::string_view(path).substr(dot + 1));
    for (ColumnSchema& column : schema->columns) {
      if (column.name == name) column.type = type.get<std::string>();
    }
  }
  return OkStatus();
}

Status ParseViews(const Json& views, Tables& tables) {
  for (const auto& [name, text] : views.items()) {
    if (!text.is_string()) return Invalid("schema: views: '" + name + "' must be a string of SQL");
    TableSchema* schema = TableOf(tables, name);
    if (schema == nullptr) schema = &tables.emplace_back(KeyOf(name), TableSchema{}).second;
    schema->view_sql = text.get<std::string>();
  }
  return OkStatus();
}

}  // namespace

void SchemaMap::Add(std::string_view name, TableSchema schema) {
  tables_.insert_or_assign(KeyOf(name), std::move(schema));
}

const TableSchema* SchemaMap::Find(std::string_view name) const {
  if (const auto found = tables_.find(name); found != tables_.end()) return &found->second;
  const std::string key = KeyOf(name);
  // From the whole name to its last part; a dot within back-ticks parts nothing.
  for (size_t at = 0;;) {
    const auto found = tables_.find(std::string_view(key).substr(at));
    if (found != tables_.end()) return &found->second;
    bool quoted = false;
    for (; at < key.size() && (quoted || key[at] != '.'); ++at) quoted ^= key[at] == '`';
    if (at == key.size()) return nullptr;
    ++at;
  }
}

Result<SchemaMap> ParseSchemaFile(std::string_view json) {
  const Json document = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (document.is_discarded()) return Invalid("schema: this is no JSON document");
  if (!document.is_object()) return Invalid("schema: expected an object {\"db.table\": […], …}");
  const bool wrapped = document.contains("schema") && document["schema"].is_object() &&
                       std::all_of(document["schema"].begin(), document["schema"].end(),
                                   [](const Json& columns) { return !columns.is_string(); });
  const Json& listed = wrapped ? document["schema"] : document;
  Tables tables;
  tables.reserve(listed.size());
  for (const auto& [name, columns] : listed.items()) {
    TARN_ASSIGN_OR_RETURN(TableSchema schema, ParseColumns(name, columns));
    tables.emplace_back(KeyOf(name), std::move(schema));
  }
  if (wrapped) {
    const auto part = [&](const char* key) { return document.value(key, Json::object()); };
    TARN_RETURN_IF_ERROR(ParsePartitions(part("partition_columns"), tables));
    TARN_RETURN_IF_ERROR(ParseTypes(part("types"), tables));
    TARN_RETURN_IF_ERROR(ParseViews(part("views"), tables));
  }
  SchemaMap map;
  for (auto& [name, schema] : tables) map.Add(name, std::move(schema));
  return map;
}

}  // namespace tarn::lineage
