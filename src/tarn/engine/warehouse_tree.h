#pragma once

#include <string>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/catalog/catalog.h"

namespace tarn {

// A warehouse of Iceberg's HadoopCatalog: folders are namespaces, or tables where their folder
// `metadata` holds "version-hint.text" or "v<n>.metadata.json" (metadata of other catalogs is named
// otherwise). A table at the top, which such a catalog has no name for, is in `default`. Names are
// folders' names, their case counts, and those that begin with '.' or '_' are passed over.

// Whether such a table stands at `path`.
bool IsWarehouseTable(const std::string& path);

// Where the warehouse `folder` has or would have the table: <folder>/<namespaces>/<table>, or, if
// one stands there, <folder>/<table> for those of `default`.
std::string WarehousePath(const std::string& folder, const TableName& name);

struct WarehouseTree {
  std::vector<std::vector<std::string>> namespaces;
  std::vector<TableName> tables;
};
// All of it, sorted. Costs a listing of every folder that is no table. kUnavailable.
Result<WarehouseTree> ListWarehouse(const std::string& folder);

}  // namespace tarn
