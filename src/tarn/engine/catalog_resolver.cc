#include "tarn/engine/catalog_resolver.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <system_error>

#include "tarn/base/text.h"
#include "tarn/catalog/pointer_committer.h"
#include "tarn/engine/location.h"
#include "tarn/engine/warehouse_tree.h"
#include "tarn/table/committer.h"

namespace tarn {
namespace {

constexpr char kStateKey[] = "tarn.state";
constexpr char kCreating[] = "creating";

bool IsCreating(const TableEntry& entry) {
  const auto found = entry.properties.find(kStateKey);
  return found != entry.properties.end() && found->second == kCreating;
}

Error NoLake(const std::string& what) {
  return NotFound(what +
                  " is a name, and there is no lake to look it up in; say --lake DIR, run "
                  "inside a lake (`tarn init` makes one), or write a path such as './" +
                  what + "'");
}

std::vector<std::pair<std::string, std::string>> LongestFirst(
    std::vector<std::pair<std::string, std::string>> relocations) {
  std::stable_sort(relocations.begin(), relocations.end(),
                   [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
  return relocations;
}

// Tables of it that are made by name have their pointer in the catalog.
bool KeepsPointers(const TableFormat& format) { return !format.traits().head_folder.empty(); }

Error FoundByFolder(const TableName& name, const std::string& therefore) {
  return Invalid("table '" + name.ToText() +
                 "' is found by its folder in the warehouse: " + therefore);
}

// Names that differ by more than case: the first of each stays.
std::vector<std::string> Distinct(std::vector<std::string> names) {
  std::set<std::string> known;
  std::erase_if(names,
                [&](const std::string& name) { return !known.insert(AsciiLower(name)).second; });
  std::sort(names.begin(), names.end());
  return names;
}

// Whether the path alone says what is the table's newest state.
Status CheckOwnsItsPath(const TableName& name, const Table& table) {
  if (!KeepsPointers(*table.format)) return OkStatus();
  TARN_ASSIGN_OR_RETURN(const Snapshot newest, table.Load());
  if (newest.version.text.starts_with('v')) return OkStatus();
  return Invalid("the metadata at '/" + table.home.root.str() +
                 "' was written for a catalog, which alone knew the newest file; say which with "
                 "CALL system.register_table('" +
                 name.ToText() + "', '<file in its folder metadata>')");
}

}  // namespace

CatalogResolver::CatalogResolver(Runtime& runtime, Storage& storage,
                                 const Registry<TableFormat>& formats, const Lake* lake,
                                 std::string default_namespace,
                                 std::vector<std::pair<std::string, std::string>> relocations)
    : runtime_(runtime),
      storage_(storage),
      formats_(formats),
      lake_(lake),
      default_namespace_(std::move(default_namespace)),
      relocations_(LongestFirst(std::move(relocations))) {}

Result<TableReference> CatalogResolver::Parse(std::string_view name_or_path) const {
  TableReference reference;
  if (name_or_path.empty()) return Invalid("the name of a table is empty");
  if (LooksLikePath(name_or_path)) {
    reference.path = name_or_path;
    return reference;
  }
  TARN_ASSIGN_OR_RETURN(const TableName name, TableName::Parse(name_or_path));
  reference.parts = name.namespaces;
  reference.parts.push_back(name.table);
  if (!IsFolder(std::string(name_or_path))) return reference;
  // A name of the lake comes before a folder that happens to be called the same.
  if (lake_ != nullptr) {
    TARN_ASSIGN_OR_RETURN(const TableName full, NameOf(reference.parts));
    const Result<TableEntry> entry = lake_->catalog().Find(full);
    if (entry.ok()) return reference;
    if (entry.error().code != ErrorCode::kNotFound) return entry.error();
    TARN_ASSIGN_OR_RETURN(const std::string path, AbsolutePath(name_or_path));
    TARN_ASSIGN_OR_RETURN(const std::shared_ptr<Table> table, Detect("", path, ""));
    if (table == nullptr) return reference;
  }
  return TableReference{.path = std::string(name_or_path)};
}

Result<TableName> CatalogResolver::NameOf(const std::vector<std::string>& parts) const {
  if (parts.empty()) return Invalid("the name of a table is empty");
  if (lake_ == nullptr)
    return NoLake(TableName{{parts.begin(), parts.end() - 1}, parts.back()}.ToText());
  TableName name{{parts.begin(), parts.end() - 1}, parts.back()};
  if (name.namespaces.empty()) name.namespaces.push_back(default_namespace_);
  return name;
}

Result<const TableFormat*> CatalogResolver::FindFormat(const std::string& name) const {
  static constexpr std::array<std::string_view, 2> kLater = {"hudi", "hive"};
  Result<const TableFormat*> format = formats_.Find(AsciiLower(name));
  if (format.ok()) return format;
  const bool later = std::find(kLater.begin(), kLater.end(), AsciiLower(name)) != kLater.end();
  if (!later) return Invalid("no table format '" + name + "'" + DidYouMean(name, formats_.names()));
  return Unsupported("table format '" + name +
                     "' is not supported yet; supported: " + Join(formats_.names(), ", "));
}

Result<const TableFormat*> CatalogResolver::FormatOfPointers() const {
  for (const std::string& name : formats_.names()) {
    TARN_ASSIGN_OR_RETURN(const TableFormat* format, formats_.Find(name));
    if (KeepsPointers(*format)) return format;
  }
  return Unsupported("no table format keeps its pointer in a catalog");
}

Result<std::shared_ptr<Table>> CatalogResolver::TableAt(std::string name, const std::string& path,
                                                        const TableFormat& format) const {
  TARN_ASSIGN_OR_RETURN(Path root, Path::Make(std::string_view(path).substr(1)));
  return std::shared_ptr<Table>(
      new Table{std::move(name), TableHome{std::move(root), storage_, Head{}, relocations_},
                &format, &storage_, MakePathCommitter(storage_)});
}

Result<std::shared_ptr<Table>> CatalogResolver::TableOf(const Lake& lake,
                                                        const TableEntry& entry) const {
  TARN_ASSIGN_OR_RETURN(const TableFormat* format, FindFormat(entry.format));
  TARN_ASSIGN_OR_RETURN(std::string path, lake.PathOf(entry));
  const std::string& pointer = entry.pointer->metadata_location;
  if (!pointer.empty() && !relocations_.empty()) {
    const TableHome anywhere{Path(), storage_, Head{}, relocations_};
    TARN_ASSIGN_OR_RETURN(const Path folder, anywhere.Resolve(entry.location));
    path = "/" + folder.str();
  }
  TARN_ASSIGN_OR_RETURN(std::shared_ptr<Table> table, TableAt(entry.name.ToText(), path, *format));
  table->home.head = Head{.name = pointer, .authoritative = true};
  table->committer = MakePointerCommitter(storage_, runtime_.random, lake.catalog().pointers(),
                                          entry.pointer->key);
  return table;
}

Result<std::shared_ptr<Table>> CatalogResolver::PointedAt(const std::string& path) const {
  const std::optional<std::string> folder = Lake::FolderAbove(path);
  std::vector<const Lake*> lakes;
  if (lake_ != nullptr) lakes.push_back(lake_);
  std::unique_ptr<Lake> other;
  if (folder && (lake_ == nullptr || lake_->folder() != *folder)) {
    TARN_ASSIGN_OR_RETURN(other, Lake::Open(*folder));
    lakes.push_back(other.get());
  }
  for (const Lake* lake : lakes) {
    TARN_ASSIGN_OR_RETURN(const std::optional<TableEntry> entry, lake->EntryAt(path));
    if (entry && entry->pointer) return TableOf(*lake, *entry);
  }
  return std::shared_ptr<Table>();
}

Result<std::shared_ptr<Table>> CatalogResolver::Detect(const std::string& name,
                                                       const std::string& path,
                                                       const std::string& format) const {
  if (!IsFolder(path)) return std::shared_ptr<Table>();
  const std::vector<std::string> names =
      format.empty() ? formats_.names() : std::vector<std::string>{format};
  for (const std::string& candidate : names) {
    TARN_ASSIGN_OR_RETURN(const TableFormat* codec, FindFormat(candidate));
    TARN_ASSIGN_OR_RETURN(std::shared_ptr<Table> table, TableAt(name, path, *codec));
    TARN_ASSIGN_OR_RETURN(const bool here, codec->Detect(table->home));
    if (!here) continue;
    if (!KeepsPointers(*codec)) return table;
    TARN_ASSIGN_OR_RETURN(std::shared_ptr<Table> pointed, PointedAt(path));
    if (pointed == nullptr) return table;
    pointed->name = name.empty() ? pointed->name : name;
    return pointed;
  }
  return std::shared_ptr<Table>();
}

Result<std::shared_ptr<Table>> CatalogResolver::OpenPath(const std::string& path,
                                                         const std::string& format) const {
  TARN_ASSIGN_OR_RETURN(const std::string absolute, AbsolutePath(path));
  if (!format.empty()) TARN_RETURN_IF_ERROR(FindFormat(format));
  TARN_ASSIGN_OR_RETURN(std::shared_ptr<Table> table, Detect(path, absolute, format));
  if (table != nullptr) return table;
  if (!IsFolder(absolute)) return NotFound("no table at '" + path + "': there is no such folder");
  return NotFound("no table at '" + path + "': the folder holds none (looked for: " +
                  (format.empty() ? Join(formats_.names(), ", ") : format) + ")");
}

std::optional<std::string> CatalogResolver::InWarehouse(const TableName& name) const {
  if (!lake_->is_warehouse()) return std::nullopt;
  std::string path = WarehousePath(lake_->folder(), name);
  return IsWarehouseTable(path) ? std::optional(std::move(path)) : std::nullopt;
}

Result<std::shared_ptr<Table>> CatalogResolver::OpenName(const TableName& name) const {
  Result<TableEntry> found = lake_->catalog().Find(name);
  if (!found.ok()) {
    if (found.error().code != ErrorCode::kNotFound) return found.error();
    const std::optional<std::string> folder = InWarehouse(name);
    if (!folder) return found.error();
    TARN_ASSIGN_OR_RETURN(const TableFormat* format, FormatOfPointers());
    return TableAt(name.ToText(), *folder, *format);
  }
  TableEntry entry = *std::move(found);
  if (entry.pointer) return TableOf(*lake_, entry);
  TARN_ASSIGN_OR_RETURN(const std::string path, lake_->PathOf(entry));
  if (IsCreating(entry)) {
    TARN_ASSIGN_OR_RETURN(std::shared_ptr<Table> table,
                          Detect(entry.name.ToText(), path, entry.format));
    if (table == nullptr) return NotFound("no table '" + name.ToText() + "'");
    // Its creator died before it could say that it was done.
    entry.properties.erase(kStateKey);
    TARN_RETURN_IF_ERROR(lake_->catalog().Update(entry));
    return table;
  }
  TARN_ASSIGN_OR_RETURN(const TableFormat* format, FindFormat(entry.format));
  if (KeepsPointers(*format)) {
    // Registered under another name as well: two truths would part.
    TARN_ASSIGN_OR_RETURN(std::shared_ptr<Table> pointed, PointedAt(path));
    if (pointed != nullptr) {
      pointed->name = entry.name.ToText();
      return pointed;
    }
  }
  return TableAt(entry.name.ToText(), path, *format);
}

// delta.`events`: a path of one step, unless a namespace is called like the format.
Result<TableReference> CatalogResolver::Meant(TableReference reference) const {
  if (reference.parts.size() != 2) return reference;
  std::string format = AsciiLower(reference.parts[0]);
  if (!formats_.Find(format).ok()) return reference;
  if (lake_ != nullptr) {
    TARN_ASSIGN_OR_RETURN(const auto namespaces, lake_->catalog().ListNamespaces());
    if (std::any_of(namespaces.begin(), namespaces.end(), [&](const auto& levels) {
          return levels == std::vector<std::string>{reference.parts[0]};
        })) {
      return reference;
    }
  }
  return TableReference{.path = std::move(reference.parts[1]), .format = std::move(format)};
}

Result<std::shared_ptr<Table>> CatalogResolver::Open(const TableReference& named) {
  TARN_ASSIGN_OR_RETURN(const TableReference reference, Meant(named));
  if (!reference.path.empty()) return OpenPath(reference.path, reference.format);
  TARN_ASSIGN_OR_RETURN(const TableName name, NameOf(reference.parts));
  return OpenName(name);
}

Result<std::shared_ptr<Table>> CatalogResolver::Prepare(const TableReference& reference,
                                                        const CreateRequest& request) {
  return PrepareHome(reference, request, Mark::kYes);
}

Result<std::shared_ptr<Table>> CatalogResolver::Locate(const TableReference& reference,
                                                       const CreateRequest& request) {
  return PrepareHome(reference, request, Mark::kNo);
}

Result<std::shared_ptr<Table>> CatalogResolver::PrepareHome(const TableReference& named,
                                                            const CreateRequest& request,
                                                            Mark mark) const {
  TARN_ASSIGN_OR_RETURN(const TableReference reference, Meant(named));
  std::string format_name = request.format.empty() ? reference.format : request.format;
  if (format_name.empty()) format_name = "delta";
  TARN_ASSIGN_OR_RETURN(const TableFormat* format, FindFormat(format_name));
  if (reference.path.empty()) {
    TARN_ASSIGN_OR_RETURN(const TableName name, NameOf(reference.parts));
    return PrepareName(name, request, *format, mark);
  }
  if (!request.location.empty()) return Invalid("a table named by its path takes no LOCATION");
  TARN_ASSIGN_OR_RETURN(const std::string path, AbsolutePath(reference.path));
  TARN_ASSIGN_OR_RETURN(const std::shared_ptr<Table> there, Detect(reference.path, path, ""));
  if (there != nullptr) return AlreadyExists("a table stands at '" + reference.path + "' already");
  return TableAt(reference.path, path, *format);
}

Result<std::shared_ptr<Table>> CatalogResolver::PrepareName(const TableName& name,
                                                            const CreateRequest& request,
                                                            const TableFormat& format,
                                                            Mark mark) const {
  const Result<TableEntry> entry = lake_->catalog().Find(name);
  if (!entry.ok() && entry.error().code != ErrorCode::kNotFound) return entry.error();
  if (entry.ok() && !IsCreating(*entry)) {
    return AlreadyExists("table '" + name.ToText() + "' exists already");
  }
  TableEntry creating{
      name, std::string(format.name()), Lake::DefaultLocation(name), {{kStateKey, kCreating}}};
  if (!request.location.empty()) {
    TARN_ASSIGN_OR_RETURN(const std::string given, AbsolutePath(request.location));
    creating.location = lake_->SpellLocation(given);
  }
  TARN_ASSIGN_OR_RETURN(const std::string path, lake_->PathOf(creating));
  TARN_ASSIGN_OR_RETURN(std::shared_ptr<Table> there, Detect(name.ToText(), path, ""));
  // What a dropped table or a creation that died left behind is no table without its pointer.
  if (there != nullptr && KeepsPointers(format) && !there->home.head.authoritative) {
    const Status owns = CheckOwnsItsPath(name, *there);
    if (!owns.ok() && owns.error().code == ErrorCode::kInvalid) there = nullptr;
  }
  if (there != nullptr) {
    if (entry.ok()) return AlreadyExists("table '" + name.ToText() + "' exists already");
    TARN_ASSIGN_OR_RETURN(const std::optional<TableEntry> owner, lake_->EntryAt(path));
    if (owner) {
      return AlreadyExists("table '" + owner->name.ToText() + "' stands at '" + path +
                           "'; give the new one another place with LOCATION");
    }
    return AlreadyExists("'" + path +
                         "' holds a table that has no name here; give it one with CREATE "
                         "TABLE " +
                         name.ToText() + " LOCATION '" + path + "', or remove the folder");
  }
  if (KeepsPointers(format) && lake_->is_warehouse() && request.location.empty()) {
    if (entry.ok() && mark == Mark::kYes) TARN_RETURN_IF_ERROR(lake_->catalog().Unregister(name));
    return TableAt(name.ToText(), path, format);
  }
  if (KeepsPointers(format)) {
    // Nothing was made under the mark of another format, and nothing will be.
    if (entry.ok() && mark == Mark::kYes) {
      TARN_RETURN_IF_ERROR(lake_->catalog().Unregister(name));
    }
    TARN_ASSIGN_OR_RETURN(PointerKey key, lake_->catalog().PointerFor(name));
    creating.location = path;
    creating.pointer = TableEntry::Pointer{std::move(key), ""};
    return TableOf(*lake_, creating);
  }
  if (mark == Mark::kYes) {
    const Status marked =
        entry.ok() ? lake_->catalog().Update(creating) : lake_->catalog().Register(creating);
    // Another process may be creating the same table: the table's own first commit decides.
    if (!marked.ok() && marked.error().code != ErrorCode::kAlreadyExists) return marked.error();
  }
  return TableAt(name.ToText(), path, format);
}

Status CatalogResolver::RegisterName(const TableName& name, const Table& table) const {
  const std::string path = "/" + table.home.root.str();
  const TableEntry done{name, std::string(table.format->name()), lake_->SpellLocation(path), {}};
  const Result<TableEntry> entry = lake_->catalog().Find(name);
  if (!entry.ok()) {
    if (entry.error().code != ErrorCode::kNotFound) return entry.error();
    if (table.home.head.authoritative) {
      return AlreadyExists("the table at '" + path + "' has a name in the catalog already: '" +
                           table.name + "'");
    }
    // Its folder is its name.
    if (InWarehouse(name) == path) return OkStatus();
    TARN_RETURN_IF_ERROR(CheckOwnsItsPath(name, table));
    return lake_->catalog().Register(done);
  }
  if (IsCreating(*entry)) return lake_->catalog().Update(done);
  TARN_ASSIGN_OR_RETURN(const std::string place, lake_->PathOf(*entry));
  if (place == path && entry->format == done.format) return OkStatus();
  return AlreadyExists("table '" + name.ToText() + "' exists already, at '" + entry->location +
                       "'");
}

Status CatalogResolver::RegisterPath(const Table& table) const {
  const std::string path = "/" + table.home.root.str();
  const std::optional<std::string> folder = Lake::FolderAbove(path);
  if (!folder) return OkStatus();
  std::unique_ptr<Lake> other;
  const Lake* lake = lake_;
  if (lake == nullptr || lake->folder() != *folder) {
    TARN_ASSIGN_OR_RETURN(other, Lake::Open(*folder));
    lake = other.get();
  }
  TARN_ASSIGN_OR_RETURN(const std::optional<TableEntry> known, lake->EntryAt(path));
  if (known) return OkStatus();
  TARN_ASSIGN_OR_RETURN(const std::optional<TableName> name, lake->NameForPath(path));
  if (!name) return OkStatus();
  Status status = lake->catalog().Register(
      {*name, std::string(table.format->name()), lake->SpellLocation(path), {}});
  // The name may stand for another table; the path still works.
  if (!status.ok() && status.error().code == ErrorCode::kAlreadyExists) return OkStatus();
  return status;
}

Status CatalogResolver::Register(const TableReference& named, const Table& table) {
  TARN_ASSIGN_OR_RETURN(const TableReference reference, Meant(named));
  if (!reference.path.empty()) return RegisterPath(table);
  TARN_ASSIGN_OR_RETURN(const TableName name, NameOf(reference.parts));
  return RegisterName(name, table);
}

Status CatalogResolver::Drop(const TableReference& named, bool purge) {
  TARN_ASSIGN_OR_RETURN(const TableReference reference, Meant(named));
  if (reference.path.empty()) {
    TARN_ASSIGN_OR_RETURN(const TableName name, NameOf(reference.parts));
    const Result<TableEntry> found = lake_->catalog().Find(name);
    if (!found.ok()) {
      const std::optional<std::string> folder = InWarehouse(name);
      if (!folder || found.error().code != ErrorCode::kNotFound) return found.error();
      if (!purge) return FoundByFolder(name, "DROP TABLE … PURGE removes it");
      TARN_RETURN_IF_ERROR(CheckPurge(*folder, nullptr));
      return Purge(*folder);
    }
    const TableEntry& entry = *found;
    if (!purge) return lake_->catalog().Unregister(name);
    TARN_ASSIGN_OR_RETURN(const std::string path, lake_->PathOf(entry));
    TARN_RETURN_IF_ERROR(CheckPurge(path, &entry));
    TARN_RETURN_IF_ERROR(lake_->catalog().Unregister(name));
    return Purge(path);
  }
  TARN_ASSIGN_OR_RETURN(const std::shared_ptr<Table> table, Open(reference));
  const std::string path = "/" + table->home.root.str();
  std::optional<TableEntry> entry;
  if (lake_ != nullptr) {
    TARN_ASSIGN_OR_RETURN(entry, lake_->EntryAt(path));
  }
  if (!entry && table->home.head.authoritative) {
    return Invalid("'" + reference.path +
                   "' has its name in another lake's catalog; say --lake DIR to drop it there");
  }
  if (!entry && !purge) {
    return Invalid("'" + reference.path +
                   "' is a path without a name in the lake, so there is nothing "
                   "to forget; DROP TABLE … PURGE removes the data");
  }
  if (purge) TARN_RETURN_IF_ERROR(CheckPurge(path, entry ? &*entry : nullptr));
  if (entry) TARN_RETURN_IF_ERROR(lake_->catalog().Unregister(entry->name));
  return purge ? Purge(path) : OkStatus();
}

Status CatalogResolver::CheckPurge(const std::string& path, const TableEntry* entry) const {
  if (Lake::FolderAbove(path) == path) {
    return Invalid("'" + path + "' is a lake as well as a table; its folder is not removed");
  }
  if (lake_ == nullptr) return OkStatus();
  TARN_ASSIGN_OR_RETURN(const std::vector<TableEntry> all, lake_->catalog().List(std::nullopt));
  for (const TableEntry& other : all) {
    if (entry != nullptr && other.name == entry->name) continue;
    const Result<std::string> place = lake_->PathOf(other);
    if (!place.ok() || (*place != path && !place->starts_with(path + "/"))) continue;
    return Invalid("'" + path + "' also holds table '" + other.name.ToText() +
                   "'; drop the table without PURGE, or the other one first");
  }
  return OkStatus();
}

Status CatalogResolver::Purge(const std::string& path) const {
  TARN_ASSIGN_OR_RETURN(const Path root, Path::Make(std::string_view(path).substr(1)));
  constexpr int32_t kPage = 1000;
  // The log first: half removed, the table must not look like an older one.
  for (const Path& folder : {root / "_delta_log", root}) {
    Path after;
    while (true) {
      TARN_ASSIGN_OR_RETURN(const std::vector<ObjectInfo> page,
                            storage_.List(folder, after, kPage, Storage::Depth::kAll));
      for (const ObjectInfo& object : page) TARN_RETURN_IF_ERROR(storage_.Remove(object.path));
      if (page.size() < static_cast<size_t>(kPage)) break;
      after = page.back().path;
    }
  }
  // Storage knows no folders; on a disk empty ones would stay.
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
  return OkStatus();
}

Result<std::vector<std::string>> CatalogResolver::List(const std::optional<std::string>& within) {
  if (lake_ == nullptr) return NotFound("there is no lake here; say --lake DIR");
  Result<std::vector<TableEntry>> known = lake_->catalog().List(within);
  if (!known.ok()) {
    const bool is_folder = lake_->is_warehouse() && within.has_value() &&
                           IsFolder(lake_->folder() + "/" + Join(Split(*within, '.'), "/"));
    if (!is_folder) return known.error();
    known = std::vector<TableEntry>();
  }
  std::vector<std::string> names;
  for (const TableEntry& entry : *known) {
    if (IsCreating(entry)) {
      TARN_ASSIGN_OR_RETURN(const std::string path, lake_->PathOf(entry));
      TARN_ASSIGN_OR_RETURN(const std::shared_ptr<Table> table, Detect("", path, entry.format));
      if (table == nullptr) continue;
    }
    names.push_back(entry.name.ToText());
  }
  if (lake_->is_warehouse()) {
    TARN_ASSIGN_OR_RETURN(const WarehouseTree tree, ListWarehouse(lake_->folder()));
    for (const TableName& name : tree.tables) {
      if (within && !AsciiEqualsIgnoreCase(*within, NamespaceToText(name.namespaces))) continue;
      names.push_back(name.ToText());
    }
  }
  return Distinct(std::move(names));
}

Status CatalogResolver::CreateNamespace(const std::string& name) {
  if (lake_ == nullptr) return NoLake(name);
  TARN_ASSIGN_OR_RETURN(const std::vector<std::string> parts, ParseNamespace(name));
  return lake_->catalog().CreateNamespace(parts);
}

Status CatalogResolver::DropNamespace(const std::string& name) {
  if (lake_ == nullptr) return NoLake(name);
  TARN_ASSIGN_OR_RETURN(const std::vector<std::string> parts, ParseNamespace(name));
  return lake_->catalog().DropNamespace(parts);
}

Result<std::vector<std::string>> CatalogResolver::ListNamespaces() {
  if (lake_ == nullptr) return NotFound("there is no lake here; say --lake DIR");
  TARN_ASSIGN_OR_RETURN(const auto namespaces, lake_->catalog().ListNamespaces());
  std::vector<std::string> names;
  names.reserve(namespaces.size());
  for (const std::vector<std::string>& parts : namespaces) names.push_back(NamespaceToText(parts));
  if (lake_->is_warehouse()) {
    TARN_ASSIGN_OR_RETURN(const WarehouseTree tree, ListWarehouse(lake_->folder()));
    for (const auto& parts : tree.namespaces) names.push_back(NamespaceToText(parts));
  }
  return Distinct(std::move(names));
}

Status CatalogResolver::Rename(const TableReference& from, const TableReference& to) {
  if (!from.path.empty() || !to.path.empty()) {
    return Invalid("only names can be renamed; a table opened by its path is where its folder is");
  }
  TARN_ASSIGN_OR_RETURN(const TableName old_name, NameOf(from.parts));
  TARN_ASSIGN_OR_RETURN(const TableName new_name, NameOf(to.parts));
  Status renamed = lake_->catalog().Rename(old_name, new_name);
  if (!renamed.ok() && renamed.error().code == ErrorCode::kNotFound && InWarehouse(old_name)) {
    return FoundByFolder(old_name, "it cannot be renamed");
  }
  return renamed;
}

Result<std::shared_ptr<Table>> CatalogResolver::RegisterMetadata(const TableReference& reference,
                                                                 const std::string& metadata_file) {
  if (!reference.path.empty()) {
    return Invalid("'" + reference.path + "' is a path; a metadata file is registered by a name");
  }
  TARN_ASSIGN_OR_RETURN(const TableName name, NameOf(reference.parts));
  TARN_ASSIGN_OR_RETURN(const std::string file, AbsolutePath(metadata_file));
  const std::string folder = file.substr(0, file.rfind('/'));
  TARN_ASSIGN_OR_RETURN(const TableFormat* format, FormatOfPointers());
  const std::string below = "/" + std::string(format->traits().head_folder);
  if (!folder.ends_with(below)) {
    return Invalid("'" + metadata_file + "' is no metadata file of format '" +
                   std::string(format->name()) + "': those stand in a folder '" + below.substr(1) +
                   "' below the table's");
  }
  TARN_ASSIGN_OR_RETURN(PointerKey key, lake_->catalog().PointerFor(name));
  TableEntry entry{.name = name,
                   .format = std::string(format->name()),
                   .location = folder.substr(0, folder.size() - below.size())};
  TARN_ASSIGN_OR_RETURN(const Path object, Path::Make(std::string_view(file).substr(1)));
  entry.pointer = TableEntry::Pointer{std::move(key), UriOf(storage_, object)};
  TARN_ASSIGN_OR_RETURN(std::shared_ptr<Table> table, TableOf(*lake_, entry));
  TARN_RETURN_IF_ERROR(table->Load());
  TARN_RETURN_IF_ERROR(lake_->catalog().Register(entry));
  return table;
}

}  // namespace tarn
