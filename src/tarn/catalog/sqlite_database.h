#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/base/result.h"

struct sqlite3;

namespace tarn {

// One SQLite file, opened. Not thread-safe: its owner has a mutex. Failures name the file.
class SqliteDatabase {
 public:
  enum class Create : uint8_t { kNo, kYes };
  static Result<std::unique_ptr<SqliteDatabase>> Open(const std::string& file, Create create);
  ~SqliteDatabase();
  SqliteDatabase(const SqliteDatabase&) = delete;
  SqliteDatabase& operator=(const SqliteDatabase&) = delete;

  using Row = std::vector<std::string>;  // NULL becomes empty

  // Runs one statement with text parameters; the rows it gives, all in memory.
  Result<std::vector<Row>> Query(const std::string& sql, const std::vector<std::string>& values);
  // The same where only the number of changed rows counts.
  Result<int64_t> Execute(const std::string& sql, const std::vector<std::string>& values);

  // `work` in one transaction that holds the write lock from its beginning: committed if it
  // succeeds, else rolled back. kUnknownOutcome if the disk failed while it was committed.
  Status InTransaction(const std::function<Status()>& work);

 private:
  SqliteDatabase(std::string file, sqlite3* handle) : file_(std::move(file)), handle_(handle) {}
  Error Failure(int code) const;

  const std::string file_;
  sqlite3* const handle_;
};

}  // namespace tarn
