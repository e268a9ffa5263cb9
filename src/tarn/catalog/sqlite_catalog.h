#pragma once

#include <memory>
#include <string>

#include "tarn/base/result.h"
#include "tarn/catalog/catalog.h"

namespace tarn {

// A catalog in one SQLite file with a rollback journal, so that it is one file at rest and several
// processes may use it. Our tables in it are called tarn_*; others may stand beside them: in those
// of Iceberg's JDBC catalog and PyIceberg's SqlCatalog (iceberg_tables.h), made when they are first
// needed, its entries with pointers are kept; or they are in a PostgreSQL database that it names. A
// writer waits up to ten seconds for another. Errors of every call: kUnavailable (locked for
// longer, disk full), kCorrupt, kInvalid (no permission).

// Makes `file`, whose folder exists, with the namespace `default`. kAlreadyExists if it is a
// catalog already; kInvalid on a network file system, with the reason.
Status CreateSqliteCatalog(const std::string& file);

// kNotFound if there is no such file; kInvalid on a network file system; kUnsupported if a newer
// Tarn made it; kCorrupt if it is no catalog.
Result<std::unique_ptr<Catalog>> OpenSqliteCatalog(const std::string& file);

// Settings. Which of the catalogs that share iceberg_tables is meant (IcebergTables::CatalogName);
// "true" if tables are also found by their folders (engine/warehouse_tree.h).
inline constexpr char kSqlCatalogName[] = "iceberg_catalog_name";
// The PostgreSQL database that has Iceberg's tables in place of the file (PostgresDatabase::Make).
inline constexpr char kSqlCatalogUri[] = "iceberg_catalog_uri";
inline constexpr char kHadoopWarehouse[] = "hadoop_warehouse";
// Errors as OpenSqliteCatalog; kInvalid for an empty value, and for a database while the file has
// tables of Iceberg itself; errors of reaching the database.
Status SetCatalogSetting(const std::string& file, const std::string& key, const std::string& value);

}  // namespace tarn
