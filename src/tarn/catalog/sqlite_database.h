#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/catalog/sql_database.h"

struct sqlite3;

namespace tarn {

// One SQLite file. A transaction holds the write lock from its beginning.
class SqliteDatabase final : public SqlDatabase {
 public:
  enum class Create : uint8_t { kNo, kYes };
  static Result<std::unique_ptr<SqliteDatabase>> Open(const std::string& file, Create create);
  ~SqliteDatabase() override;
  SqliteDatabase(const SqliteDatabase&) = delete;
  SqliteDatabase& operator=(const SqliteDatabase&) = delete;

  Result<std::vector<Row>> Query(const std::string& sql,
                                 const std::vector<std::string>& values) override;
  Result<int64_t> Execute(const std::string& sql, const std::vector<std::string>& values) override;
  Status InTransaction(const std::function<Status()>& work) override;
  Result<std::vector<std::string>> ColumnsOf(const std::string& table) override;

 private:
  SqliteDatabase(std::string file, sqlite3* handle) : file_(std::move(file)), handle_(handle) {}
  Error Failure(int code) const;

  const std::string file_;
  sqlite3* const handle_;
};

}  // namespace tarn
