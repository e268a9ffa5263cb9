#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/catalog/pointer_store.h"
#include "tarn/catalog/sql_database.h"

namespace tarn {

// The SQL of the two tables that Iceberg's JDBC catalog and PyIceberg's SqlCatalog share:
// iceberg_tables (a row per table and view, with its pointer) and iceberg_namespace_properties. All
// of their SQL is here, in words that SQLite and PostgreSQL share. Rows of views are passed over.
// Names are found ignoring ASCII case, an exact match first. The caller holds the transaction where
// more than one call must be one step.
class IcebergTables {
 public:
  explicit IcebergTables(SqlDatabase& database) : database_(&database) {}

  // What stands in the database. V0 has no column iceberg_type; it is used as it is.
  enum class Layout : uint8_t { kNone, kV0, kV1 };
  Result<Layout> FindLayout() const;
  // Makes what is missing, in V1; a layout that stands is never altered.
  Status Make();

  // The name of the catalog whose rows are meant: `configured` unless empty; else the only one that
  // has tables, or without tables the only one that has namespaces; else "tarn".
  Result<std::string> CatalogName(const std::string& configured) const;

  struct Row {
    PointerKey key;
    std::string metadata_location;
  };
  // Of one catalog, sorted by name; those of one namespace, or all.
  Result<std::vector<Row>> List(const std::string& catalog_name,
                                const std::optional<std::string>& table_namespace) const;
  // kInvalid if only rows of another case match, and several do.
  Result<std::optional<Row>> Find(const PointerKey& key) const;
  // Whether a table or view has the name, in whatever case.
  Result<bool> IsTaken(const PointerKey& key) const;
  // False if a row with the very key is there.
  Result<bool> Insert(const PointerKey& key, const std::string& metadata_location);
  // False unless the row says `expected`.
  Result<bool> Swap(const PointerKey& key, const std::string& expected, const std::string& next);
  Result<bool> Delete(const PointerKey& key);
  // The row's new name; false if there is no row `from`.
  Result<bool> Rename(const PointerKey& from, const PointerKey& to);

  // Namespaces, by the JDBC catalog's rule: with a table or property in it or below it. Dotted.
  Result<std::vector<std::string>> Namespaces(const std::string& catalog_name) const;
  Status AddNamespace(const std::string& catalog_name, const std::string& name);
  Status DropNamespace(const std::string& catalog_name, const std::string& name);

 private:
  // Runs a statement that ends in conditions, for rows of tables; the number of rows changed.
  Result<int64_t> Change(const std::string& statement, const std::vector<std::string>& values);
  // The condition that leaves views out.
  static std::string TablesOnly(Layout layout);

  SqlDatabase* database_;
};

}  // namespace tarn
