#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "tarn/base/result.h"
#include "tarn/catalog/catalog.h"

namespace tarn {

// What a lake may be told when it is made or later.
struct LakeSettings {
  std::string catalog_name = {};  // whose rows of Iceberg's SQL tables are its; empty: as it was
  std::string catalog_uri = {};   // the PostgreSQL database with those tables; empty: as it was
  bool warehouse = false;  // it is a warehouse of Iceberg's HadoopCatalog, too; false: as it was
};

// A lake: a folder with a catalog in `.tarn/catalog.db`; tables stand at
// <folder>/<namespace>/<table> unless they were given another location. Thread-safe.
class Lake {
 public:
  // Makes `folder` (and what is missing above it) a lake. kAlreadyExists if it is one; kInvalid on
  // a network file system.
  static Status Init(const std::string& folder);
  // kNotFound if `folder` is no lake.
  static Status Set(const std::string& folder, const LakeSettings& settings);
  // `folder` absolute. kNotFound if it is no lake, saying how to make it one; else as
  // OpenSqliteCatalog.
  static Result<std::unique_ptr<Lake>> Open(const std::string& folder);
  // The nearest folder at or above `path` (absolute) that is a lake.
  static std::optional<std::string> FolderAbove(std::string path);

  const std::string& folder() const { return folder_; }
  Catalog& catalog() const { return *catalog_; }
  // Whether Iceberg tables are also found, and made, by their folders (engine/warehouse_tree.h).
  bool is_warehouse() const { return is_warehouse_; }

  // Where a table of this name goes when nobody says otherwise, relative to the lake.
  static std::string DefaultLocation(const TableName& name);
  // The absolute path of an entry's location.
  Result<std::string> PathOf(const TableEntry& entry) const;
  // How the catalog spells the location of a table at `path`: relative to the lake if below it.
  std::string SpellLocation(const std::string& path) const;
  // The entry whose table stands at `path`, if there is one; of several one with a pointer.
  Result<std::optional<TableEntry>> EntryAt(const std::string& path) const;
  // The name under which a table that was made by its path would be listed: lake/t is default.t and
  // lake/ns/t is ns.t where that namespace exists. Nothing for other places.
  Result<std::optional<TableName>> NameForPath(const std::string& path) const;

 private:
  Lake(std::string folder, std::unique_ptr<Catalog> catalog, bool is_warehouse)
      : folder_(std::move(folder)), catalog_(std::move(catalog)), is_warehouse_(is_warehouse) {}

  const std::string folder_;
  const std::unique_ptr<Catalog> catalog_;
  const bool is_warehouse_;
};

}  // namespace tarn
