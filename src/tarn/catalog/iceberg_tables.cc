#include "tarn/catalog/iceberg_tables.h"

#include <set>
#include <utility>

#include "tarn/base/text.h"

namespace tarn {
namespace {

constexpr char kDefaultCatalogName[] = "tarn";
constexpr char kKeyColumns[] = " catalog_name = ? AND table_namespace = ? AND table_name = ?";
constexpr char kKeyColumnsAnyCase[] =
    " catalog_name = ? AND lower(table_namespace) = ? AND lower(table_name) = ?";

std::vector<std::string> Values(const PointerKey& key) {
  return {key.catalog_name, key.table_namespace, key.table_name};
}

std::vector<std::string> LowerValues(const PointerKey& key) {
  return {key.catalog_name, AsciiLower(key.table_namespace), AsciiLower(key.table_name)};
}

}  // namespace

Result<IcebergTables::Layout> IcebergTables::FindLayout() const {
  TARN_ASSIGN_OR_RETURN(const auto columns, database_->ColumnsOf("iceberg_tables"));
  if (columns.empty()) return Layout::kNone;
  for (const std::string& column : columns) {
    if (AsciiEqualsIgnoreCase(column, "iceberg_type")) return Layout::kV1;
  }
  return Layout::kV0;
}

Status IcebergTables::Make() {
  TARN_RETURN_IF_ERROR(database_->Execute(
      "CREATE TABLE IF NOT EXISTS iceberg_tables ("
      "catalog_name VARCHAR(255) NOT NULL, table_namespace VARCHAR(255) NOT NULL, "
      "table_name VARCHAR(255) NOT NULL, metadata_location VARCHAR(1000), "
      "previous_metadata_location VARCHAR(1000), iceberg_type VARCHAR(5), "
      "PRIMARY KEY (catalog_name, table_namespace, table_name))",
      {}));
  return database_
      ->Execute(
          "CREATE TABLE IF NOT EXISTS iceberg_namespace_properties ("
          "catalog_name VARCHAR(255) NOT NULL, namespace VARCHAR(255) NOT NULL, "
          "property_key VARCHAR(255) NOT NULL, property_value VARCHAR(1000) NOT NULL, "
          "PRIMARY KEY (catalog_name, namespace, property_key))",
          {})
      .status();
}

Result<int64_t> IcebergTables::Change(const std::string& statement,
                                      const std::vector<std::string>& values) {
  TARN_ASSIGN_OR_RETURN(const Layout layout, FindLayout());
  if (layout == Layout::kNone) return int64_t{0};
  return database_->Execute(statement + TablesOnly(layout), values);
}

std::string IcebergTables::TablesOnly(Layout layout) {
  return std::string(layout == Layout::kV1 ? " AND (iceberg_type = 'TABLE' OR iceberg_type IS NULL)"
                                           : "");
}

Result<std::string> IcebergTables::CatalogName(const std::string& configured) const {
  if (!configured.empty()) return configured;
  TARN_ASSIGN_OR_RETURN(const Layout layout, FindLayout());
  if (layout == Layout::kNone) return std::string(kDefaultCatalogName);
  for (const char* from : {"iceberg_tables", "iceberg_namespace_properties"}) {
    TARN_ASSIGN_OR_RETURN(const auto columns, database_->ColumnsOf(from));
    if (columns.empty()) break;
    TARN_ASSIGN_OR_RETURN(
        const auto names,
        database_->Query("SELECT DISTINCT catalog_name FROM " + std::string(from), {}));
    if (names.size() == 1) return names[0][0];
    if (names.size() > 1) break;
  }
  return std::string(kDefaultCatalogName);
}

Result<std::vector<IcebergTables::Row>> IcebergTables::List(
    const std::string& catalog_name, const std::optional<std::string>& table_namespace) const {
  std::vector<Row> found;
  TARN_ASSIGN_OR_RETURN(const Layout layout, FindLayout());
  if (layout == Layout::kNone) return found;
  std::vector<std::string> values = {catalog_name};
  if (table_namespace) values.push_back(AsciiLower(*table_namespace));
  TARN_ASSIGN_OR_RETURN(
      auto rows,
      database_->Query(
          "SELECT table_namespace, table_name, metadata_location FROM iceberg_tables WHERE "
          "catalog_name = ? AND metadata_location IS NOT NULL" +
              std::string(table_namespace ? " AND lower(table_namespace) = ?" : "") +
              TablesOnly(layout) + " ORDER BY table_namespace, table_name",
          values));
  for (auto& row : rows) {
    found.push_back({{catalog_name, std::move(row[0]), std::move(row[1])}, std::move(row[2])});
  }
  return found;
}

Result<std::optional<IcebergTables::Row>> IcebergTables::Find(const PointerKey& key) const {
  TARN_ASSIGN_OR_RETURN(const Layout layout, FindLayout());
  if (layout == Layout::kNone) return std::optional<Row>();
  const std::string select =
      "SELECT table_namespace, table_name, metadata_location FROM iceberg_tables WHERE "
      "metadata_location IS NOT NULL AND";
  TARN_ASSIGN_OR_RETURN(auto rows,
                        database_->Query(select + kKeyColumns + TablesOnly(layout), Values(key)));
  if (rows.empty()) {
    TARN_ASSIGN_OR_RETURN(
        rows, database_->Query(select + kKeyColumnsAnyCase + TablesOnly(layout), LowerValues(key)));
  }
  if (rows.empty()) return std::optional<Row>();
  if (rows.size() > 1) {
    return Invalid("table '" + key.table_namespace + "." + key.table_name + "' may be '" +
                   rows[0][0] + "." + rows[0][1] + "' or '" + rows[1][0] + "." + rows[1][1] +
                   "'; spell it as it is listed");
  }
  return std::optional(
      Row{{key.catalog_name, std::move(rows[0][0]), std::move(rows[0][1])}, std::move(rows[0][2])});
}

Result<bool> IcebergTables::IsTaken(const PointerKey& key) const {
  TARN_ASSIGN_OR_RETURN(const Layout layout, FindLayout());
  if (layout == Layout::kNone) return false;
  TARN_ASSIGN_OR_RETURN(const auto rows, database_->Query("SELECT 1 FROM iceberg_tables WHERE" +
                                                              std::string(kKeyColumnsAnyCase),
                                                          LowerValues(key)));
  return !rows.empty();
}

Result<bool> IcebergTables::Insert(const PointerKey& key, const std::string& metadata_location) {
  TARN_RETURN_IF_ERROR(Make());
  TARN_ASSIGN_OR_RETURN(const Layout layout, FindLayout());
  std::vector<std::string> values = Values(key);
  values.push_back(metadata_location);
  const bool typed = layout == Layout::kV1;
  TARN_ASSIGN_OR_RETURN(
      const int64_t added,
      database_->Execute("INSERT INTO iceberg_tables (catalog_name, table_namespace, table_name, "
                         "metadata_location" +
                             std::string(typed ? ", iceberg_type) VALUES (?, ?, ?, ?, 'TABLE')"
                                               : ") VALUES (?, ?, ?, ?)") +
                             " ON CONFLICT DO NOTHING",
                         values));
  return added > 0;
}

Result<bool> IcebergTables::Swap(const PointerKey& key, const std::string& expected,
                                 const std::string& next) {
  TARN_ASSIGN_OR_RETURN(
      const int64_t changed,
      Change(
          "UPDATE iceberg_tables SET metadata_location = ?, previous_metadata_location = ? WHERE" +
              std::string(kKeyColumns) + " AND metadata_location = ?",
          {next, expected, key.catalog_name, key.table_namespace, key.table_name, expected}));
  return changed > 0;
}

Result<bool> IcebergTables::Delete(const PointerKey& key) {
  TARN_ASSIGN_OR_RETURN(
      const int64_t gone,
      Change("DELETE FROM iceberg_tables WHERE" + std::string(kKeyColumns), Values(key)));
  return gone > 0;
}

Result<bool> IcebergTables::Rename(const PointerKey& from, const PointerKey& to) {
  TARN_ASSIGN_OR_RETURN(
      const int64_t moved,
      Change("UPDATE iceberg_tables SET table_namespace = ?, table_name = ? WHERE" +
                 std::string(kKeyColumns),
             {to.table_namespace, to.table_name, from.catalog_name, from.table_namespace,
              from.table_name}));
  return moved > 0;
}

Result<std::vector<std::string>> IcebergTables::Namespaces(const std::string& catalog_name) const {
  std::set<std::string> names;
  const std::pair<const char*, const char*> columns[] = {
      {"iceberg_tables", "table_namespace"}, {"iceberg_namespace_properties", "namespace"}};
  for (const auto& [table, column] : columns) {
    TARN_ASSIGN_OR_RETURN(const auto known, database_->ColumnsOf(table));
    if (known.empty()) continue;
    TARN_ASSIGN_OR_RETURN(const auto rows,
                          database_->Query("SELECT DISTINCT " + std::string(column) + " FROM " +
                                               table + " WHERE catalog_name = ?",
                                           {catalog_name}));
    for (const auto& row : rows) {
      std::string name = row[0];
      while (!name.empty()) {
        names.insert(name);
        const size_t dot = name.rfind('.');
        name.resize(dot == std::string::npos ? 0 : dot);
      }
    }
  }
  return std::vector<std::string>(names.begin(), names.end());
}

Status IcebergTables::AddNamespace(const std::string& catalog_name, const std::string& name) {
  return database_
      ->Execute(
          "INSERT INTO iceberg_namespace_properties "
          "(catalog_name, namespace, property_key, property_value) VALUES (?, ?, 'exists', 'true') "
          "ON CONFLICT DO NOTHING",
          {catalog_name, name})
      .status();
}

Status IcebergTables::DropNamespace(const std::string& catalog_name, const std::string& name) {
  return database_
      ->Execute(
          "DELETE FROM iceberg_namespace_properties WHERE catalog_name = ? AND lower(namespace) = "
          "?",
          {catalog_name, AsciiLower(name)})
      .status();
}

}  // namespace tarn
