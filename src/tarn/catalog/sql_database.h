#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tarn/base/result.h"

namespace tarn {

// One SQL database, opened. Not thread-safe: its owner has a mutex. Failures name the database.
class SqlDatabase {
 public:
  using Row = std::vector<std::string>;  // NULL becomes empty

  virtual ~SqlDatabase() = default;

  // Runs one statement with text parameters, which stand in it as '?'; the rows it gives, all in
  // memory.
  virtual Result<std::vector<Row>> Query(const std::string& sql,
                                         const std::vector<std::string>& values) = 0;
  // The same where only the number of changed rows counts.
  virtual Result<int64_t> Execute(const std::string& sql,
                                  const std::vector<std::string>& values) = 0;

  // `work` in one transaction that no other of Tarn's runs beside: committed if it succeeds, else
  // rolled back. kUnknownOutcome if the answer to its commit was lost.
  virtual Status InTransaction(const std::function<Status()>& work) = 0;

  // The columns of a table; none if there is no such table.
  virtual Result<std::vector<std::string>> ColumnsOf(const std::string& table) = 0;
};

// Of rows that have one.
inline std::vector<std::string> FirstColumn(std::vector<SqlDatabase::Row> rows) {
  std::vector<std::string> column;
  column.reserve(rows.size());
  for (SqlDatabase::Row& row : rows) column.push_back(std::move(row[0]));
  return column;
}

}  // namespace tarn
