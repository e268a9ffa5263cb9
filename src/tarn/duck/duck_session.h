#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <arrow/type_fwd.h>

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/datafile/file_format.h"

namespace duckdb {
class Connection;
class DuckDB;
}  // namespace duckdb

namespace tarn {

// One DuckDB in memory with one connection: threads and memory from the Runtime, spilling to
// `spill_folder` (empty: the system's temporary folder), time zone UTC, no extension downloads, no
// access to files but through what Tarn gives it. Not thread-safe; several may exist at once.
class DuckSession {
 public:
  static Result<std::unique_ptr<DuckSession>> Make(Runtime& runtime, std::string spill_folder = {});
  ~DuckSession();

  // Runs one statement and streams its rows as Arrow batches (timestamps µs; strings utf8; hugeint
  // as decimal(38,0)). Parser, binder and cast errors are kInvalid with DuckDB's text (first line,
  // with the caret's position); kCancelled when the Runtime is cancelled meanwhile.
  Result<std::unique_ptr<BatchStream>> Query(const std::string& sql);
  // The same for statements without rows.
  Status Execute(const std::string& sql);

  // Makes `name` a table function-backed view over batches: readable any number of times if `reopen`
  // can be called again, with projection. Used by transforms, constraints, INSERT … VALUES.
  Status RegisterBatches(const std::string& name, std::shared_ptr<arrow::Schema> schema,
                         std::vector<std::shared_ptr<arrow::RecordBatch>> batches);
  Status DropRegistered(const std::string& name);

  duckdb::DuckDB& database();      // for query/*_duckdb.cc only
  duckdb::Connection& connection();

 private:
  struct State;
  explicit DuckSession(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// "a ""quoted"" name": an SQL identifier or string literal for DuckDB.
std::string QuoteIdentifier(std::string_view name);
std::string QuoteLiteral(std::string_view text);

}  // namespace tarn
