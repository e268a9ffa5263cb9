#include "tarn/engine/lake.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "tarn/base/text.h"
#include "tarn/catalog/sqlite_catalog.h"
#include "tarn/engine/location.h"

namespace tarn {
namespace {

constexpr char kCatalogFolder[] = "/.tarn";
constexpr char kCatalogFile[] = "/.tarn/catalog.db";

bool IsFile(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

}  // namespace

Status Lake::Init(const std::string& folder) {
  TARN_ASSIGN_OR_RETURN(const std::string path, AbsolutePath(folder));
  std::error_code error;
  std::filesystem::create_directories(path + kCatalogFolder, error);
  if (error)
    return Invalid("cannot make the folder '" + path + kCatalogFolder + "': " + error.message());
  Status status = CreateSqliteCatalog(path + kCatalogFile);
  if (!status.ok() && status.error().code == ErrorCode::kAlreadyExists) {
    return AlreadyExists("'" + path + "' is a lake already");
  }
  return status;
}

Status Lake::Set(const std::string& folder, const LakeSettings& settings) {
  TARN_ASSIGN_OR_RETURN(const std::string path, AbsolutePath(folder));
  TARN_RETURN_IF_ERROR(Lake::Open(path));
  const std::string file = path + kCatalogFile;
  if (!settings.catalog_name.empty()) {
    TARN_RETURN_IF_ERROR(SetCatalogSetting(file, kSqlCatalogName, settings.catalog_name));
  }
  if (!settings.catalog_uri.empty()) {
    TARN_RETURN_IF_ERROR(SetCatalogSetting(file, kSqlCatalogUri, settings.catalog_uri));
  }
  return settings.warehouse ? SetCatalogSetting(file, kHadoopWarehouse, "true") : OkStatus();
}

Result<std::unique_ptr<Lake>> Lake::Open(const std::string& folder) {
  if (!IsFolder(folder)) return NotFound("no folder '" + folder + "'; `tarn init` makes a lake");
  if (!IsFile(folder + kCatalogFile)) {
    return NotFound("'" + folder +
                    "' is no lake (it has no .tarn/catalog.db); make it one with `tarn init " +
                    folder + "`");
  }
  TARN_ASSIGN_OR_RETURN(std::unique_ptr<Catalog> catalog, OpenSqliteCatalog(folder + kCatalogFile));
  TARN_ASSIGN_OR_RETURN(const std::string warehouse, catalog->Setting(kHadoopWarehouse));
  return std::unique_ptr<Lake>(new Lake(folder, std::move(catalog), warehouse == "true"));
}

std::optional<std::string> Lake::FolderAbove(std::string path) {
  while (!path.empty()) {
    if (IsFile(path + kCatalogFile)) return path;
    path.resize(path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
  }
  return std::nullopt;
}

std::string Lake::DefaultLocation(const TableName& name) {
  std::vector<std::string> folders;
  for (const std::string& part : name.namespaces) folders.push_back(FolderNameFor(part));
  folders.push_back(FolderNameFor(name.table));
  return Join(folders, "/");
}

Result<std::string> Lake::PathOf(const TableEntry& entry) const {
  const std::string& location = entry.location;
  // Iceberg's locations are not encoded; a scheme of another store is refused by name.
  if (entry.pointer && !location.starts_with('/')) {
    TARN_RETURN_IF_ERROR(AbsolutePath(location));
    return Invalid("table '" + entry.name.ToText() + "': its metadata location '" +
                   entry.pointer->metadata_location + "' is relative");
  }
  return AbsolutePath(location.starts_with('/') ? location : folder_ + "/" + location);
}

std::string Lake::SpellLocation(const std::string& path) const {
  return RelativeTo(folder_, path).value_or(path);
}

Result<std::optional<TableEntry>> Lake::EntryAt(const std::string& path) const {
  TARN_ASSIGN_OR_RETURN(std::vector<TableEntry> entries, catalog_->List(std::nullopt));
  const std::string location = SpellLocation(path);
  std::optional<TableEntry> found;
  for (TableEntry& entry : entries) {
    bool here = entry.location == location || entry.location == path;
    if (entry.pointer && !here) {
      const Result<std::string> place = PathOf(entry);
      here = place.ok() && *place == path;
    }
    if (here && (!found || entry.pointer)) found = std::move(entry);
  }
  return found;
}

Result<std::optional<TableName>> Lake::NameForPath(const std::string& path) const {
  const std::optional<std::string> relative = RelativeTo(folder_, path);
  if (!relative) return std::optional<TableName>();
  std::vector<std::string> parts;
  for (const std::string& folder : Split(*relative, '/')) parts.push_back(PercentDecode(folder));
  TableName name;
  name.table = parts.back();
  parts.pop_back();
  name.namespaces = parts.empty() ? std::vector<std::string>{"default"} : std::move(parts);
  TARN_ASSIGN_OR_RETURN(auto namespaces, catalog_->ListNamespaces());
  const bool known =
      std::find(namespaces.begin(), namespaces.end(), name.namespaces) != namespaces.end();
  return known ? std::optional(std::move(name)) : std::nullopt;
}

}  // namespace tarn
