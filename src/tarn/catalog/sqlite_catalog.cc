#include "tarn/catalog/sqlite_catalog.h"

#include <unistd.h>

#include <cstdlib>
#include <mutex>
#include <utility>

#include "tarn/base/text.h"
#include "tarn/catalog/network_filesystem.h"
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

class SqliteCatalog final : public Catalog {
 public:
  explicit SqliteCatalog(std::unique_ptr<SqliteDatabase> database)
      : database_(std::move(database)) {}

  Status CreateNamespace(const std::vector<std::string>& names) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::string name = NamespaceToText(names);
    return database_->InTransaction([&]() -> Status {
      if (names.size() > 1) {
        TARN_RETURN_IF_ERROR(RequireNamespace(NamespaceToText({names.begin(), names.end() - 1})));
      }
      TARN_ASSIGN_OR_RETURN(
          const int64_t added,
          database_->Execute("INSERT OR IGNORE INTO tarn_namespaces VALUES (?)", {name}));
      if (added == 0) return AlreadyExists("namespace '" + name + "' exists already");
      return OkStatus();
    });
  }

  Status DropNamespace(const std::vector<std::string>& names) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::string name = NamespaceToText(names);
    if (AsciiEqualsIgnoreCase(name, kDefaultNamespace)) {
      return Invalid("namespace 'default' always exists and cannot be dropped");
    }
    return database_->InTransaction([&]() -> Status {
      TARN_RETURN_IF_ERROR(RequireNamespace(name));
      TARN_ASSIGN_OR_RETURN(
          auto inside,
          database_->Query("SELECT name FROM tarn_tables WHERE namespace = ? UNION ALL "
                           "SELECT name FROM tarn_namespaces WHERE name LIKE ? ESCAPE '\\' LIMIT 1",
                           {name, EscapedForLike(name) + ".%"}));
      if (!inside.empty()) {
        return Invalid("namespace '" + name + "' is not empty ('" + inside[0][0] +
                       "' is in it); drop what it holds first");
      }
      return database_->Execute("DELETE FROM tarn_namespaces WHERE name = ?", {name}).status();
    });
  }

  Result<std::vector<std::vector<std::string>>> ListNamespaces() const override {
    const std::lock_guard<std::mutex> lock(mutex_);
    TARN_ASSIGN_OR_RETURN(auto rows,
                          database_->Query("SELECT name FROM tarn_namespaces ORDER BY name", {}));
    std::vector<std::vector<std::string>> namespaces;
    for (const auto& row : rows) {
      TARN_ASSIGN_OR_RETURN(std::vector<std::string> names, ParseNamespace(row[0]));
      namespaces.push_back(std::move(names));
    }
    return namespaces;
  }

  Result<TableEntry> Find(const TableName& name) const override {
    const std::lock_guard<std::mutex> lock(mutex_);
    TARN_ASSIGN_OR_RETURN(auto entries, Select("WHERE namespace = ? AND name = ?",
                                               {NamespaceToText(name.namespaces), name.table}));
    if (entries.empty()) return Missing(name);
    return std::move(entries[0]);
  }

  Result<std::vector<TableEntry>> List(const std::optional<std::string>& within) const override {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!within) return Select("ORDER BY namespace, name", {});
    TARN_RETURN_IF_ERROR(RequireNamespace(*within));
    return Select("WHERE namespace = ? ORDER BY name", {*within});
  }

  Status Register(const TableEntry& entry) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::string within = NamespaceToText(entry.name.namespaces);
    return database_->InTransaction([&]() -> Status {
      TARN_RETURN_IF_ERROR(RequireNamespace(within));
      TARN_ASSIGN_OR_RETURN(
          const int64_t added,
          database_->Execute("INSERT OR IGNORE INTO tarn_tables VALUES (?, ?, ?, ?)",
                             {within, entry.name.table, entry.format, entry.location}));
      if (added == 0) return AlreadyExists("table '" + entry.name.ToText() + "' exists already");
      return InsertProperties(entry);
    });
  }

  Status Update(const TableEntry& entry) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::string within = NamespaceToText(entry.name.namespaces);
    return database_->InTransaction([&]() -> Status {
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
    const std::lock_guard<std::mutex> lock(mutex_);
    return database_->InTransaction([&]() -> Status {
      TARN_ASSIGN_OR_RETURN(
          const int64_t removed,
          database_->Execute("DELETE FROM tarn_tables WHERE namespace = ? AND name = ?",
                             {NamespaceToText(name.namespaces), name.table}));
      if (removed == 0) return Missing(name);
      return OkStatus();
    });
  }

  Status Rename(const TableName& from, const TableName& to) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::string within = NamespaceToText(to.namespaces);
    return database_->InTransaction([&]() -> Status {
      TARN_RETURN_IF_ERROR(RequireNamespace(within));
      TARN_ASSIGN_OR_RETURN(
          const int64_t moved,
          database_->Execute("UPDATE OR IGNORE tarn_tables SET namespace = ?, name = ? "
                             "WHERE namespace = ? AND name = ?",
                             {within, to.table, NamespaceToText(from.namespaces), from.table}));
      if (moved > 0) return OkStatus();
      TARN_ASSIGN_OR_RETURN(auto entries, Select("WHERE namespace = ? AND name = ?",
                                                 {NamespaceToText(from.namespaces), from.table}));
      if (entries.empty()) return Missing(from);
      return AlreadyExists("table '" + to.ToText() + "' exists already");
    });
  }

 private:
  static std::string EscapedForLike(const std::string& text) {
    std::string escaped;
    for (const char c : text) {
      if (c == '%' || c == '_' || c == '\\') escaped += '\\';
      escaped += c;
    }
    return escaped;
  }

  Status InsertProperties(const TableEntry& entry) {
    for (const auto& [key, value] : entry.properties) {
      TARN_RETURN_IF_ERROR(database_->Execute(
          "INSERT INTO tarn_table_properties VALUES (?, ?, ?, ?)",
          {NamespaceToText(entry.name.namespaces), entry.name.table, key, value}));
    }
    return OkStatus();
  }

  Status RequireNamespace(const std::string& name) const {
    TARN_ASSIGN_OR_RETURN(auto found,
                          database_->Query("SELECT 1 FROM tarn_namespaces WHERE name = ?", {name}));
    if (!found.empty()) return OkStatus();
    TARN_ASSIGN_OR_RETURN(auto rows,
                          database_->Query("SELECT name FROM tarn_namespaces ORDER BY name", {}));
    std::vector<std::string> known;
    known.reserve(rows.size());
    for (auto& row : rows) known.push_back(std::move(row[0]));
    return NotFound("no namespace '" + name + "'" + DidYouMean(name, known));
  }

  Error Missing(const TableName& name) const {
    std::vector<std::string> known;
    auto entries = Select("", {});
    if (entries.ok()) {
      for (const TableEntry& entry : entries.value()) known.push_back(entry.name.ToText());
    }
    return NotFound("no table '" + name.ToText() + "'" + DidYouMean(name.ToText(), known));
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

  mutable std::mutex mutex_;
  const std::unique_ptr<SqliteDatabase> database_;
};

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
  return std::unique_ptr<Catalog>(new SqliteCatalog(std::move(database)));
}

}  // namespace tarn
