#include "tarn/catalog/sqlite_database.h"

#include <sqlite3.h>

#include <utility>

namespace tarn {
namespace {

constexpr int kBusyTimeoutMs = 10000;

struct StatementCloser {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, StatementCloser>;

}  // namespace

Result<std::unique_ptr<SqliteDatabase>> SqliteDatabase::Open(const std::string& file,
                                                             Create create) {
  sqlite3* handle = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX |
                    (create == Create::kYes ? SQLITE_OPEN_CREATE : 0);
  const int code = sqlite3_open_v2(file.c_str(), &handle, flags, nullptr);
  // Even a failed open gives a handle to be closed.
  std::unique_ptr<SqliteDatabase> database(new SqliteDatabase(file, handle));
  if (code != SQLITE_OK) return database->Failure(code);
  sqlite3_extended_result_codes(handle, 1);
  sqlite3_busy_timeout(handle, kBusyTimeoutMs);
  // FULL is the default of most builds, not of all.
  TARN_RETURN_IF_ERROR(database->Query("PRAGMA synchronous = FULL", {}));
  TARN_RETURN_IF_ERROR(database->Query("PRAGMA foreign_keys = ON", {}));
  return database;
}

SqliteDatabase::~SqliteDatabase() { sqlite3_close_v2(handle_); }

Error SqliteDatabase::Failure(int code) const {
  const std::string message = "catalog '" + file_ + "': " +
                              (handle_ == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(handle_));
  switch (code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return Unavailable(message + "; another process holds it, try again");
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_NOMEM:
      return Unavailable(message);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return Corrupt(message);
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_CANTOPEN:
      return Invalid(message + "; check the file's permissions");
    default:
      return Internal(message);
  }
}

Result<std::vector<SqlDatabase::Row>> SqliteDatabase::Query(
    const std::string& sql, const std::vector<std::string>& values) {
  sqlite3_stmt* raw = nullptr;
  int code = sqlite3_prepare_v2(handle_, sql.c_str(), static_cast<int>(sql.size()), &raw, nullptr);
  if (code != SQLITE_OK) return Failure(code);
  const Statement statement(raw);
  for (size_t i = 0; i < values.size(); ++i) {
    code = sqlite3_bind_text64(raw, static_cast<int>(i) + 1, values[i].data(), values[i].size(),
                               SQLITE_STATIC, SQLITE_UTF8);
    if (code != SQLITE_OK) return Failure(code);
  }
  std::vector<Row> rows;
  while ((code = sqlite3_step(raw)) == SQLITE_ROW) {
    Row row;
    for (int column = 0; column < sqlite3_column_count(raw); ++column) {
      const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(raw, column));
      const auto size = static_cast<size_t>(sqlite3_column_bytes(raw, column));
      row.emplace_back(text == nullptr ? "" : std::string(text, size));
    }
    rows.push_back(std::move(row));
  }
  if (code != SQLITE_DONE) return Failure(code);
  return rows;
}

Result<int64_t> SqliteDatabase::Execute(const std::string& sql,
                                        const std::vector<std::string>& values) {
  TARN_RETURN_IF_ERROR(Query(sql, values));
  return static_cast<int64_t>(sqlite3_changes(handle_));
}

Result<std::vector<std::string>> SqliteDatabase::ColumnsOf(const std::string& table) {
  TARN_ASSIGN_OR_RETURN(auto rows, Query("SELECT name FROM pragma_table_info(?)", {table}));
  return FirstColumn(std::move(rows));
}

Status SqliteDatabase::InTransaction(const std::function<Status()>& work) {
  TARN_RETURN_IF_ERROR(Query("BEGIN IMMEDIATE", {}));
  Status status = work();
  if (status.ok()) {
    status = Query("COMMIT", {}).status();
    // Ended by a failure that came while it was being written: it may be in the file.
    const bool unsure = !status.ok() && status.error().code == ErrorCode::kUnavailable &&
                        sqlite3_get_autocommit(handle_) != 0;
    if (unsure) status = UnknownOutcome(status.error().message);
  }
  // A failed COMMIT may leave the transaction open; after some failures SQLite has ended it itself.
  if (!status.ok() && sqlite3_get_autocommit(handle_) == 0) (void)Query("ROLLBACK", {});
  return status;
}

}  // namespace tarn
