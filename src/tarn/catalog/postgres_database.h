#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/catalog/sql_database.h"

struct pg_conn;

namespace tarn {

// A database of a PostgreSQL server, reached when it is first needed and again after the connection
// was lost. What the address leaves out (password, TLS) libpq takes from its own files and
// environment (PGPASSFILE, PGSSLMODE, …).
//
// Errors: kUnavailable (no server, no answer within ten seconds, a lock held for longer, a
// transaction that has to be run again), kInvalid (wrong user or password, no permission, no such
// database, a value the column cannot hold), else kInternal with PostgreSQL's words.
class PostgresDatabase final : public SqlDatabase {
 public:
  // `uri`: "postgresql://user@host:port/database". Nothing is reached yet. kInvalid if it is not
  // of that form, or holds a password: it is kept in a file that others may read.
  static Result<std::unique_ptr<PostgresDatabase>> Make(const std::string& uri);
  ~PostgresDatabase() override;
  PostgresDatabase(const PostgresDatabase&) = delete;
  PostgresDatabase& operator=(const PostgresDatabase&) = delete;

  Result<std::vector<Row>> Query(const std::string& sql,
                                 const std::vector<std::string>& values) override;
  Result<int64_t> Execute(const std::string& sql, const std::vector<std::string>& values) override;
  Status InTransaction(const std::function<Status()>& work) override;
  Result<std::vector<std::string>> ColumnsOf(const std::string& table) override;

 private:
  struct Answer {
    std::vector<Row> rows;
    int64_t changed = 0;
  };

  explicit PostgresDatabase(std::string uri) : uri_(std::move(uri)) {}
  Status Connect();
  Result<Answer> Run(const std::string& sql, const std::vector<std::string>& values);
  Error Failure(std::string_view state, std::string_view message) const;

  const std::string uri_;
  pg_conn* connection_ = nullptr;
  bool in_transaction_ = false;
};

// A statement with '?' for parameters as PostgreSQL numbers them: $1, $2, …
std::string NumberedParameters(std::string_view sql);

}  // namespace tarn
