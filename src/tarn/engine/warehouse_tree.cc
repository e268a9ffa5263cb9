#include "tarn/engine/warehouse_tree.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "tarn/engine/location.h"

namespace tarn {
namespace {

namespace fs = std::filesystem;

constexpr char kDefaultNamespace[] = "default";

// "v12.metadata.json", "v12.gz.metadata.json", "v12.metadata.json.gz"
bool IsNumberedMetadata(std::string_view name) {
  if (!name.starts_with('v') || name.find(".metadata.json") == std::string_view::npos) return false;
  const std::string_view number = name.substr(1, name.find('.') - 1);
  return !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
}

Status Walk(const std::string& folder, const std::vector<std::string>& within,
            WarehouseTree& tree) {
  std::error_code error;
  std::vector<std::string> names;
  for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::end(entry);
       entry.increment(error)) {
    std::string name = entry->path().filename().string();
    if (name.starts_with('.') || name.starts_with('_')) continue;
    // A link may lead back to where it stands.
    std::error_code ignored;
    if (entry->is_symlink(ignored) || !entry->is_directory(ignored)) continue;
    names.push_back(std::move(name));
  }
  if (error) return Unavailable("warehouse '" + folder + "': " + error.message());
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    const std::string path = folder + "/" + name;
    if (IsWarehouseTable(path)) {
      tree.tables.push_back(
          {within.empty() ? std::vector<std::string>{kDefaultNamespace} : within, name});
      continue;
    }
    // Tables of another kind are no namespaces.
    if (IsFolder(path + "/_delta_log") || IsFolder(path + "/metadata")) continue;
    std::vector<std::string> inside = within;
    inside.push_back(name);
    tree.namespaces.push_back(inside);
    TARN_RETURN_IF_ERROR(Walk(path, inside, tree));
  }
  return OkStatus();
}

}  // namespace

bool IsWarehouseTable(const std::string& path) {
  std::error_code error;
  if (fs::exists(path + "/metadata/version-hint.text", error)) return true;
  for (auto entry = fs::directory_iterator(path + "/metadata", error);
       !error && entry != fs::end(entry); entry.increment(error)) {
    if (IsNumberedMetadata(entry->path().filename().string())) return true;
  }
  return false;
}

std::string WarehousePath(const std::string& folder, const TableName& name) {
  std::string path = folder;
  for (const std::string& part : name.namespaces) path += "/" + FolderNameFor(part);
  path += "/" + FolderNameFor(name.table);
  const bool in_default = name.namespaces == std::vector<std::string>{kDefaultNamespace};
  if (!in_default || IsWarehouseTable(path)) return path;
  const std::string at_the_top = folder + "/" + FolderNameFor(name.table);
  return IsWarehouseTable(at_the_top) ? at_the_top : path;
}

Result<WarehouseTree> ListWarehouse(const std::string& folder) {
  WarehouseTree tree;
  TARN_RETURN_IF_ERROR(Walk(folder, {}, tree));
  std::sort(tree.namespaces.begin(), tree.namespaces.end());
  std::sort(tree.tables.begin(), tree.tables.end());
  return tree;
}

}  // namespace tarn
