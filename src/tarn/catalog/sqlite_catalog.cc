#include "tarn/catalog/sqlite_catalog.h"

#include <unistd.h>

#include <cstdlib>
#include <map>
#include <mutex>
#include <utility>

#include "tarn/base/text.h"
#include "tarn/catalog/iceberg_tables.h"
#include "tarn/catalog/network_filesystem.h"
#include "tarn/catalog/postgres_database.h"
#include "tarn/catalog/sqlite_database.h"

namespace tarn {
namespace {

constexpr int kSchemaVersion = 1;
constexpr char kDefaultNamespace[] = "default";

std::string FolderOf(const std::string& file) {
  const size_t slash = file.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : file.substr(0, slash);
}

Status MakeTables(SqliteDatabase& database) {
  static const std::vector<std::string> kStatements = {
      "CREATE TABLE tarn_catalog (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
      "CREATE TABLE tarn_namespaces (name TEXT COLLATE NOCASE PRIMARY KEY)",
      "CREATE TABLE tarn_tables ("
      " namespace TEXT COLLATE NOCASE NOT NULL REFERENCES tarn_namespaces (name),"
      " name TEXT COLLATE NOCASE NOT NULL, format TEXT NOT NULL, location TEXT NOT NULL,"
      " PRIMARY KEY (namespace, name))",
      "CREATE TABLE tarn_table_properties ("
      " namespace TEXT COLLATE NOCASE NOT NULL, name TEXT COLLATE NOCASE NOT NULL,"
      " key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (namespace, name, key),"
      " FOREIGN KEY (namespace, name) REFERENCES tarn_tables (namespace, name)"
      " ON DELETE CASCADE ON UPDATE CASCADE)",
  };
  for (const std::string& statement : kStatements) {
    TARN_RETURN_IF_ERROR(database.Execute(statement, {}));
  }
  TARN_RETURN_IF_ERROR(database.Execute("INSERT INTO tarn_catalog VALUES ('schema_version', ?)",
                                        {std::to_string(kSchemaVersion)}));
  return database.Execute("INSERT INTO tarn_namespaces VALUES (?)", {kDefaultNamespace}).status();
}

Result<bool> HasTables(SqliteDatabase& database) {
  TARN_ASSIGN_OR_RETURN(
      auto rows,
      database.Query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'tarn_catalog'",
                     {}));
  return !rows.empty();
}

// Namespaces of Iceberg's tables are joined by dots, so no part can hold one.
Result<std::string> IcebergNamespace(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (name.find('.') == std::string::npos) continue;
    return Invalid("namespace '" + NamespaceToText(names) +
                   "' holds no Iceberg tables: a SQL catalog of Iceberg separates namespaces by "
                   "dots; use a name without one");
  }
  return Join(names, ".");
}

// Nothing for names that Tarn has no words for (without a namespace).
std::optional<std::vector<std::string>> FromIcebergNamespace(const std::string& text) {
  std::vector<std::string> names = Split(text, '.');
  for (const std::string& name : names) {
    if (name.empty()) return std::nullopt;
  }
  return names;
}

// The folder of the table whose metadata file stands at `location`: above "metadata".
std::string FolderOfTable(std::string_view location) {
  for (const std::string_view scheme : {"file://localhost/", "file:///", "file:/"}) {
    if (!location.starts_with(scheme)) continue;
    location.remove_prefix(scheme.size() - 1);
    break;
  }
  location = location.substr(0, location.rfind('/'));
  constexpr std::string_view kFolder = "/metadata";
  if (location.ends_with(kFolder)) location.remove_suffix(kFolder.size());
  return std::string(location);
}

std::optional<TableEntry> EntryOf(IcebergTables::Row row) {
  auto names = FromIcebergNamespace(row.key.table_namespace);
  if (!names || row.key.table_name.empty()) return std::nullopt;
  TableEntry entry{.name = {*std::move(names), row.key.table_name},
                   .format = "iceberg",
                   .location = FolderOfTable(row.metadata_location)};
  entry.pointer = TableEntry::Pointer{std::move(row.key), std::move(row.metadata_location)};
  return entry;
}

// The open file, and the database with Iceberg's tables if that is another: for the catalog and its
// pointers.
struct OpenFile {
  OpenFile(std::unique_ptr<SqliteDatabase> own, std::unique_ptr<SqlDatabase> shared)
      : database(std::move(own)), other(std::move(shared)), iceberg(of_iceberg()) {}

  SqlDatabase& of_iceberg() const { return other == nullptr ? *database : *other; }

  // `work` on both. Only what is in both can be half done, by a death between two commits:
  // namespaces, which may be made and dropped again.
  Status InTransaction(const std::function<Status()>& work) const {
    if (other == nullptr) return database->InTransaction(work);
    return database->InTransaction([&] { return other->InTransaction(work); });
  }

  Result<bool> HasOwnTable(const std::string& within, const std::string& table) const {
    TARN_ASSIGN_OR_RETURN(
        const auto rows,
        database->Query("SELECT 1 FROM tarn_tables WHERE namespace = ? AND name = ?",
                        {within, table}));
    return !rows.empty();
  }

  // Whatever is called so already, but for the row `but`.
  Status RequireFree(const PointerKey& key, const PointerKey* but = nullptr) const {
    const auto taken = [&]() -> Error {
      return AlreadyExists("table '" + key.table_namespace + "." + key.table_name +
                           "' exists already");
    };
    if (const auto names = FromIcebergNamespace(key.table_namespace)) {
      TARN_ASSIGN_OR_RETURN(const bool own, HasOwnTable(NamespaceToText(*names), key.table_name));
      if (own) return taken();
    }
    const bool same = but != nullptr &&
                      AsciiEqualsIgnoreCase(key.table_namespace, but->table_namespace) &&
                      AsciiEqualsIgnoreCase(key.table_name, but->table_name);
    if (same) return OkStatus();
    TARN_ASSIGN_OR_RETURN(const bool row, iceberg.IsTaken(key));
    if (row) return taken();
    return OkStatus();
  }

  // With Iceberg's tables made if there are none yet: then our namespaces are theirs, too.
  Result<bool> Insert(const PointerKey& key, const std::string& metadata_location) {
    TARN_ASSIGN_OR_RETURN(const auto layout, iceberg.FindLayout());
    TARN_RETURN_IF_ERROR(iceberg.Make());
    if (layout == IcebergTables::Layout::kNone) {
      TARN_ASSIGN_OR_RETURN(const auto rows,
                            database->Query("SELECT name FROM tarn_namespaces", {}));
      for (const auto& row : rows) {
        TARN_ASSIGN_OR_RETURN(const std::vector<std::string> names, ParseNamespace(row[0]));
        const Result<std::string> text = IcebergNamespace(names);
        if (text.ok()) TARN_RETURN_IF_ERROR(iceberg.AddNamespace(key.catalog_name, *text));
      }
    }
    return iceberg.Insert(key, metadata_location);
  }

  std::mutex mutex;
  const std::unique_ptr<SqliteDatabase> database;
  const std::unique_ptr<SqlDatabase> other;  // or null
  IcebergTables iceberg;
};

class SqlitePointers final : public PointerStore {
 public:
  explicit SqlitePointers(std::shared_ptr<OpenFile> file) : file_(std::move(file)) {}

  Result<std::optional<std::string>> Find(const PointerKey& key) const override {
    const std::lock_guard<std::mutex> lock(file_->mutex);
    TARN_ASSIGN_OR_RETURN(auto row, file_->iceberg.Find(key));
    if (!row || !IsSame(row->key, key)) return std::optional<std::string>();
    return std::optional(std::move(row->metadata_location));
  }

  Result<bool> Swap(const PointerKey& key, const std::optional<std::string>& expected,
                    const std::string& next) override {
    const std::lock_guard<std::mutex> lock(file_->mutex);
    bool swapped = false;
    TARN_RETURN_IF_ERROR(file_->of_iceberg().InTransaction([&]() -> Status {
      if (expected) {
        TARN_ASSIGN_OR_RETURN(swapped, file_->iceberg.Swap(key, *expected, next));
        return OkStatus();
      }
      TARN_ASSIGN_OR_RETURN(const auto row, file_->iceberg.Find(key));
      if (row && IsSame(row->key, key)) return OkStatus();
      TARN_RETURN_IF_ERROR(file_->RequireFree(key));
      TARN_ASSIGN_OR_RETURN(swapped, file_->Insert(key, next));
      return OkStatus();
    }));
    return swapped;
  }

 private:
  static bool IsSame(const PointerKey& a, const PointerKey& b) {
    return a.table_namespace == b.table_namespace && a.table_name == b.table_name;
  }

  const std::shared_ptr<OpenFile> file_;
};

class SqliteCatalog final : public Catalog {
 public:
  SqliteCatalog(std::unique_ptr<SqliteDatabase> database, std::unique_ptr<SqlDatabase> of_iceberg)
      : file_(std::make_shared<OpenFile>(std::move(database), std::move(of_iceberg))),
        database_(file_->database.get()),
        iceberg_(file_->iceberg),
        pointers_(std::make_shared<SqlitePointers>(file_)) {}

  Status CreateNamespace(const std::vector<std::string>& names) override {
    const std::lock_guard<std::mutex> lock(file_->mutex);
    const std::string name = NamespaceToText(names);
    return file_->InTransaction([&]() -> Status {
      if (names.size() > 1) {
        TARN_RETURN_IF_ERROR(RequireNamespace(NamespaceToText({names.begin(), names.end() - 1})));
      }
      TARN_ASSIGN_OR_RETURN(const auto known, FindNamespace(name));
      if (known) return AlreadyExists("namespace '" + name + "' exists already");
      TARN_RETURN_IF_ERROR(
          database_->Execute("INSERT OR IGNORE INTO tarn_namespaces VALUES (?)", {name}));
      TARN_ASSIGN_OR_RETURN(const auto layout, iceberg_.FindLayout());
      const Result<std::string> theirs = IcebergNamespace(names);
      if (layout == IcebergTables::Layout::kNone || !theirs.ok()) return OkStatus();
      TARN_RETURN_IF_ERROR(iceberg_.Make());
      TARN_ASSIGN_OR_RETURN(const std::string catalog_name, CatalogName());
      return iceberg_.AddNamespace(catalog_name, *theirs);
    });
  }

  Status DropNamespace(const std::vector<std::string>& names) override {
    const std::lock_guard<std::mutex> lock(file_->mutex);
    const std::string name = NamespaceToText(names);
    if (AsciiEqualsIgnoreCase(name, kDefaultNamespace)) {
      return Invalid("namespace 'default' always exists and cannot be dropped");
    }
    return file_->InTransaction([&]() -> Status {
      TARN_RETURN_IF_ERROR(RequireNamespace(name));
      TARN_ASSIGN_OR_RETURN(
          const auto inside,
          database_->Query("SELECT name FROM tarn_tables WHERE namespace = ? LIMIT 1", {name}));
      TARN_ASSIGN_OR_RETURN(const std::string catalog_name, CatalogName());
      TARN_ASSIGN_OR_RETURN(const auto tables, iceberg_.List(catalog_name, name));
      TARN_ASSIGN_OR_RETURN(const auto namespaces, Namespaces());
      std::string held;
      if (!inside.empty()) held = inside[0][0];
      if (!tables.empty()) held = tables[0].key.table_name;
      for (const std::string& other : namespaces) {
        if (AsciiLower(other).starts_with(AsciiLower(name) + ".")) held = other;
      }
      if (!held.empty()) {
        return Invalid("namespace '" + name + "' is not empty ('" + held +
                       "' is in it); drop what it holds first");
      }
      TARN_RETURN_IF_ERROR(
          database_->Execute("DELETE FROM tarn_namespaces WHERE name = ?", {name}));
      TARN_ASSIGN_OR_RETURN(const auto layout, iceberg_.FindLayout());
      if (layout == IcebergTables::Layout::kNone) return OkStatus();
      TARN_RETURN_IF_ERROR(iceberg_.Make());
      return iceberg_.DropNamespace(catalog_name, name);
    });
  }

  Result<std::vector<std::vector<std::string>>> ListNamespaces() const override {
    const std::lock_guard<std::mutex> lock(file_->mutex);
    TARN_ASSIGN_OR_RETURN(const std::vector<std::string> known, Namespaces());
    std::vector<std::vector<std::string>> namespaces;
    for (const std::string& name : known) {
      TARN_ASSIGN_OR_RETURN(std::vector<std::string> names, ParseNamespace(name));
      namespaces.push_back(std::move(names));
    }
    return namespaces;
  }

  Result<TableEntry> Find(const TableName& name) const override {
    const std::lock_guard<std::mutex> lock(file_->mutex);
    return FindEntry(name);
  }

  Result<std::vector<TableEntry>> List(const std::optional<std::string>& within) const override {
    const std::lock_guard<std::mutex> lock(file_->mutex);
    if (within) TARN_RETURN_IF_ERROR(RequireNamespace(*within));
    return All(within);
  }

  Status Register(const TableEntry& entry) override {
    const std::lock_guard<std::mutex> lock(file_->mutex);
    const std::string within = NamespaceToText(entry.name.namespaces);
    return file_->InTransaction([&]() -> Status {
      TARN_RETURN_IF_ERROR(RequireNamespace(within));
      if (entry.pointer) {
        TARN_RETURN_IF_ERROR(file_->RequireFree(entry.pointer->key));
        return file_->Insert(entry.pointer->key, entry.pointer->metadata_location).status();
      }
      TARN_RETURN_IF_ERROR(RequireNoIcebergTable(entry.name));
      TARN_RETURN_IF_ERROR(
          database_->Execute("INSERT OR IGNORE INTO tarn_namespaces VALUES (?)", {within}));
      TARN_ASSIGN_OR_RETURN(
          const int64_t added,
          database_->Execute("INSERT OR IGNORE INTO tarn_tables VALUES (?, ?, ?, ?)",
                             {within, entry.name.table, entry.format, entry.location}));
      if (added == 0) return AlreadyExists("table '" + entry.name.ToText() + "' exists already");
      return InsertProperties(entry);
    });
  }

  Status Update(const TableEntry& entry) override {
    const std::lock_guard<std::mutex> lock(file_->mutex);
    const std::string within = NamespaceToText(entry.name.namespaces);
    return file_->InTransaction([&]() -> Status {
      TARN_ASSIGN_OR_RETURN(
          const int64_t changed,
          database_->Execute("UPDATE tarn_tables SET format = ?, location = ? "
                             "WHERE namespace = ? AND name = ?",
                             {entry.format, entry.location, within, entry.name.table}));
      if (changed == 0) return Missing(entry.name);
      TARN_RETURN_IF_ERROR(
          database_->Execute("DELETE FROM tarn_table_properties WHERE namespace = ? AND name = ?",
                             {within, entry.name.table}));
      return InsertProperties(entry);
    });
  }

  Status Unregister(const TableName& name) override {
    const std::lock_guard<std::mutex> lock(file_->mutex);
    return file_->InTransaction([&]() -> Status {
      TARN_ASSIGN_OR_RETURN(const TableEntry entry, FindEntry(name));
      if (entry.pointer) return iceberg_.Delete(entry.pointer->key).status();
      return database_
          ->Execute("DELETE FROM tarn_tables WHERE namespace = ? AND name = ?",
                    {NamespaceToText(name.namespaces), name.table})
          .status();
    });
  }

  Status Rename(const TableName& from, const TableName& to) override {
    const std::lock_guard<std::mutex> lock(file_->mutex);
    const std::string within = NamespaceToText(to.namespaces);
    return file_->InTransaction([&]() -> Status {
      TARN_RETURN_IF_ERROR(RequireNamespace(within));
      TARN_ASSIGN_OR_RETURN(const TableEntry entry, FindEntry(from));
      if (entry.pointer) {
        TARN_ASSIGN_OR_RETURN(const PointerKey key, KeyFor(to));
        TARN_RETURN_IF_ERROR(file_->RequireFree(key, &entry.pointer->key));
        return iceberg_.Rename(entry.pointer->key, key).status();
      }
      TARN_RETURN_IF_ERROR(RequireNoIcebergTable(to));
      TARN_RETURN_IF_ERROR(
          database_->Execute("INSERT OR IGNORE INTO tarn_namespaces VALUES (?)", {within}));
      TARN_ASSIGN_OR_RETURN(
          const int64_t moved,
          database_->Execute("UPDATE OR IGNORE tarn_tables SET namespace = ?, name = ? "
                             "WHERE namespace = ? AND name = ?",
                             {within, to.table, NamespaceToText(from.namespaces), from.table}));
      if (moved > 0) return OkStatus();
      return AlreadyExists("table '" + to.ToText() + "' exists already");
    });
  }

  Result<std::string> Setting(const std::string& key) const override {
    const std::lock_guard<std::mutex> lock(file_->mutex);
    return SettingOf(key);
  }

  Result<PointerKey> PointerFor(const TableName& name) const override {
    const std::lock_guard<std::mutex> lock(file_->mutex);
    TARN_RETURN_IF_ERROR(RequireNamespace(NamespaceToText(name.namespaces)));
    return KeyFor(name);
  }

  std::shared_ptr<PointerStore> pointers() const override { return pointers_; }

 private:
  Status InsertProperties(const TableEntry& entry) {
    for (const auto& [key, value] : entry.properties) {
      TARN_RETURN_IF_ERROR(database_->Execute(
          "INSERT INTO tarn_table_properties VALUES (?, ?, ?, ?)",
          {NamespaceToText(entry.name.namespaces), entry.name.table, key, value}));
    }
    return OkStatus();
  }

  Result<std::string> SettingOf(const std::string& key) const {
    TARN_ASSIGN_OR_RETURN(const auto rows,
                          database_->Query("SELECT value FROM tarn_catalog WHERE key = ?", {key}));
    return rows.empty() ? std::string() : rows[0][0];
  }

  Result<std::string> CatalogName() const {
    TARN_ASSIGN_OR_RETURN(const std::string configured, SettingOf(kSqlCatalogName));
    return iceberg_.CatalogName(configured);
  }

  // Ours and Iceberg's, sorted; of two that differ by case as Iceberg's tables spell it.
  Result<std::vector<std::string>> Namespaces() const {
    TARN_ASSIGN_OR_RETURN(const std::string catalog_name, CatalogName());
    TARN_ASSIGN_OR_RETURN(const auto theirs, iceberg_.Namespaces(catalog_name));
    TARN_ASSIGN_OR_RETURN(auto rows, database_->Query("SELECT name FROM tarn_namespaces", {}));
    std::map<std::string, std::string> by_lower;
    for (const std::string& text : theirs) {
      const auto names = FromIcebergNamespace(text);
      if (names) by_lower.emplace(AsciiLower(NamespaceToText(*names)), NamespaceToText(*names));
    }
    for (auto& row : rows) by_lower.emplace(AsciiLower(row[0]), std::move(row[0]));
    std::vector<std::string> namespaces;
    namespaces.reserve(by_lower.size());
    for (auto& [lower, name] : by_lower) namespaces.push_back(std::move(name));
    return namespaces;
  }

  // As it is spelled.
  Result<std::optional<std::string>> FindNamespace(const std::string& name) const {
    TARN_ASSIGN_OR_RETURN(std::vector<std::string> namespaces, Namespaces());
    for (std::string& known : namespaces) {
      if (AsciiEqualsIgnoreCase(known, name)) return std::optional(std::move(known));
    }
    return std::optional<std::string>();
  }

  Status RequireNamespace(const std::string& name) const {
    TARN_ASSIGN_OR_RETURN(const auto found, FindNamespace(name));
    if (found) return OkStatus();
    TARN_ASSIGN_OR_RETURN(const std::vector<std::string> known, Namespaces());
    return NotFound("no namespace '" + name + "'" + DidYouMean(name, known));
  }

  Result<PointerKey> KeyFor(const TableName& name) const {
    TARN_ASSIGN_OR_RETURN(std::string within, IcebergNamespace(name.namespaces));
    TARN_ASSIGN_OR_RETURN(const auto spelled, FindNamespace(NamespaceToText(name.namespaces)));
    if (spelled) {
      TARN_ASSIGN_OR_RETURN(const std::vector<std::string> names, ParseNamespace(*spelled));
      TARN_ASSIGN_OR_RETURN(within, IcebergNamespace(names));
    }
    TARN_ASSIGN_OR_RETURN(std::string catalog_name, CatalogName());
    return PointerKey{std::move(catalog_name), std::move(within), name.table};
  }

  Status RequireNoIcebergTable(const TableName& name) const {
    const Result<PointerKey> key = KeyFor(name);
    if (!key.ok()) return OkStatus();  // none can be called so
    TARN_ASSIGN_OR_RETURN(const bool taken, iceberg_.IsTaken(*key));
    if (taken) return AlreadyExists("table '" + name.ToText() + "' exists already");
    return OkStatus();
  }

  Result<TableEntry> FindEntry(const TableName& name) const {
    TARN_ASSIGN_OR_RETURN(auto entries, Select("WHERE namespace = ? AND name = ?",
                                               {NamespaceToText(name.namespaces), name.table}));
    if (!entries.empty()) return std::move(entries[0]);
    const Result<std::string> within = IcebergNamespace(name.namespaces);
    if (within.ok()) {
      TARN_ASSIGN_OR_RETURN(std::string catalog_name, CatalogName());
      TARN_ASSIGN_OR_RETURN(auto row,
                            iceberg_.Find({std::move(catalog_name), *within, name.table}));
      if (row) {
        auto entry = EntryOf(*std::move(row));
        if (entry) return *std::move(entry);
      }
    }
    return Missing(name);
  }

  Error Missing(const TableName& name) const {
    std::vector<std::string> known;
    auto entries = All(std::nullopt);
    if (entries.ok()) {
      for (const TableEntry& entry : entries.value()) known.push_back(entry.name.ToText());
    }
    return NotFound("no table '" + name.ToText() + "'" + DidYouMean(name.ToText(), known));
  }

  // Sorted by name. A row of Iceberg's that is called as a table of ours is hidden by it.
  Result<std::vector<TableEntry>> All(const std::optional<std::string>& within) const {
    TARN_ASSIGN_OR_RETURN(auto entries,
                          within ? Select("WHERE namespace = ?", {*within}) : Select("", {}));
    TARN_ASSIGN_OR_RETURN(const std::string catalog_name, CatalogName());
    TARN_ASSIGN_OR_RETURN(auto rows, iceberg_.List(catalog_name, within));
    std::map<std::pair<std::string, std::string>, TableEntry> sorted;
    const auto add = [&](TableEntry entry) {
      std::pair key(AsciiLower(NamespaceToText(entry.name.namespaces)),
                    AsciiLower(entry.name.table));
      if (entry.pointer && sorted.contains(key)) {
        if (!sorted.at(key).pointer) return;
        key.second += '\0' + entry.name.ToText();  // another table, by a case that we do not tell
      }
      sorted.emplace(std::move(key), std::move(entry));
    };
    for (TableEntry& entry : entries) add(std::move(entry));
    for (IcebergTables::Row& row : rows) {
      if (auto entry = EntryOf(std::move(row))) add(*std::move(entry));
    }
    entries.clear();
    for (auto& [key, entry] : sorted) entries.push_back(std::move(entry));
    return entries;
  }

  Result<std::vector<TableEntry>> Select(const std::string& clauses,
                                         const std::vector<std::string>& values) const {
    TARN_ASSIGN_OR_RETURN(
        auto rows,
        database_->Query("SELECT namespace, name, format, location FROM tarn_tables " + clauses,
                         values));
    std::vector<TableEntry> entries;
    for (auto& row : rows) {
      TableEntry entry;
      TARN_ASSIGN_OR_RETURN(entry.name.namespaces, ParseNamespace(row[0]));
      entry.name.table = row[1];
      entry.format = row[2];
      entry.location = row[3];
      TARN_ASSIGN_OR_RETURN(auto properties,
                            database_->Query("SELECT key, value FROM tarn_table_properties "
                                             "WHERE namespace = ? AND name = ?",
                                             {row[0], row[1]}));
      for (auto& property : properties) entry.properties[property[0]] = property[1];
      entries.push_back(std::move(entry));
    }
    return entries;
  }

  const std::shared_ptr<OpenFile> file_;
  SqliteDatabase* const database_;
  IcebergTables& iceberg_;
  const std::shared_ptr<SqlitePointers> pointers_;
};

// Whether Iceberg's tables of the lake may be those in the database `uri` from now on: it can be
// reached, and none would be lost sight of.
Status CheckMove(SqliteDatabase& own, const std::string& uri) {
  TARN_ASSIGN_OR_RETURN(const auto database, PostgresDatabase::Make(uri));
  TARN_RETURN_IF_ERROR(database->ColumnsOf("iceberg_tables"));
  TARN_ASSIGN_OR_RETURN(const auto columns, own.ColumnsOf("iceberg_tables"));
  if (columns.empty()) return OkStatus();
  TARN_ASSIGN_OR_RETURN(const auto rows,
                        own.Query("SELECT table_namespace, table_name FROM iceberg_tables", {}));
  if (rows.empty()) return OkStatus();
  return Invalid("the lake has tables in its own catalog, '" + rows[0][0] + "." + rows[0][1] +
                 "' for one, which another catalog would not show; drop them (without PURGE), then "
                 "register their metadata files there");
}

}  // namespace

Status CreateSqliteCatalog(const std::string& file) {
  TARN_RETURN_IF_ERROR(RefuseNetworkFilesystem(FolderOf(file)));
  TARN_ASSIGN_OR_RETURN(auto database, SqliteDatabase::Open(file, SqliteDatabase::Create::kYes));
  return database->InTransaction([&]() -> Status {
    TARN_ASSIGN_OR_RETURN(const bool exists, HasTables(*database));
    if (exists) return AlreadyExists("'" + file + "' is a catalog already");
    return MakeTables(*database);
  });
}

Status SetCatalogSetting(const std::string& file, const std::string& key,
                         const std::string& value) {
  if (value.empty()) return Invalid("catalog '" + file + "': '" + key + "' is empty");
  TARN_RETURN_IF_ERROR(OpenSqliteCatalog(file));  // it is one, and of our version
  TARN_ASSIGN_OR_RETURN(auto database, SqliteDatabase::Open(file, SqliteDatabase::Create::kNo));
  if (key == kSqlCatalogUri) TARN_RETURN_IF_ERROR(CheckMove(*database, value));
  return database->Execute("INSERT OR REPLACE INTO tarn_catalog VALUES (?, ?)", {key, value})
      .status();
}

Result<std::unique_ptr<Catalog>> OpenSqliteCatalog(const std::string& file) {
  if (access(file.c_str(), F_OK) != 0) return NotFound("no catalog '" + file + "'");
  TARN_RETURN_IF_ERROR(RefuseNetworkFilesystem(FolderOf(file)));
  TARN_ASSIGN_OR_RETURN(auto database, SqliteDatabase::Open(file, SqliteDatabase::Create::kNo));
  TARN_ASSIGN_OR_RETURN(const bool exists, HasTables(*database));
  if (!exists) {
    return Corrupt("'" + file +
                   "' is no catalog of Tarn's (its tables are missing); if it is new, "
                   "run `tarn init` again");
  }
  TARN_ASSIGN_OR_RETURN(
      auto rows,
      database->Query("SELECT value FROM tarn_catalog WHERE key = 'schema_version'", {}));
  const int version = rows.empty() ? 0 : std::atoi(rows[0][0].c_str());
  if (version != kSchemaVersion) {
    return Unsupported("catalog '" + file + "' has schema version " +
                       (rows.empty() ? "none" : rows[0][0]) + ", this Tarn reads " +
                       std::to_string(kSchemaVersion) +
                       "; use the Tarn that made it, or a newer one");
  }
  TARN_ASSIGN_OR_RETURN(
      rows, database->Query("SELECT value FROM tarn_catalog WHERE key = ?", {kSqlCatalogUri}));
  std::unique_ptr<SqlDatabase> of_iceberg;
  if (!rows.empty()) {
    TARN_ASSIGN_OR_RETURN(of_iceberg, PostgresDatabase::Make(rows[0][0]));
  }
  return std::unique_ptr<Catalog>(new SqliteCatalog(std::move(database), std::move(of_iceberg)));
}

}  // namespace tarn
