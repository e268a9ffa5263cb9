#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
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

// Whether SQL itself may name files (read_csv, COPY): a person's own session may; expressions that
// are stored in tables or pipelines may not.
enum class FileAccess : uint8_t { kDenied, kAllowed };

// The text that was rewritten into what DuckDB gets, for the places in error messages.
struct SqlOrigin {
  std::string text = {};
  std::function<size_t(size_t offset)> offset_of = {};  // of an offset of the rewritten text
};

struct DuckOptions {
  std::string spill_folder = {};  // empty: a folder below the system's temporary one
  FileAccess file_access = FileAccess::kDenied;
  int threads = 0;                 // 0: as many as the executor has
  int64_t memory_limit_bytes = 0;  // 0: three fifths of the budget
};

// One DuckDB in memory with one connection: time zone UTC, no extension downloads. Not thread-safe;
// several may exist at once. `runtime` outlives it.
class DuckSession {
 public:
  static Result<std::unique_ptr<DuckSession>> Make(Runtime& runtime, DuckOptions options = {});
  ~DuckSession();

  // Runs one statement and streams its rows as Arrow batches (timestamps µs; strings utf8; hugeint
  // as decimal(38,0); uuid as its text). One result at a time: a new statement ends the one before,
  // whose rows are then kInternal if any are left.
  // Parser, binder and cast errors are kInvalid with DuckDB's first line and the position ("line 1,
  // column 8"); kCancelled when the Runtime is cancelled meanwhile; what a callback of Tarn's
  // reported (FailInCallback) comes back as it was.
  // With `origin`, places are those of the text that `sql` was made from.
  Result<std::unique_ptr<BatchStream>> Query(const std::string& sql,
                                             const SqlOrigin* origin = nullptr);
  // The same for statements without rows.
  Status Execute(const std::string& sql);

  // Makes `name` a temporary view over batches, readable any number of times; only the columns that
  // a statement needs are converted. Replaces what had the name.
  Status RegisterBatches(const std::string& name, std::shared_ptr<arrow::Schema> schema,
                         std::vector<std::shared_ptr<arrow::RecordBatch>> batches);
  Status DropRegistered(const std::string& name);

  duckdb::DuckDB& database();  // for query/*_duckdb.cc only
  duckdb::Connection& connection();

  // Where code that DuckDB calls back leaves the error it then throws through DuckDB: the statement
  // returns it unchanged. Outlives every statement.
  struct CallbackError {
    std::mutex mutex;
    std::optional<Error> error;
  };
  const std::shared_ptr<CallbackError>& callback_error();

 private:
  struct State;
  explicit DuckSession(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// "a ""quoted"" name": an SQL identifier or string literal for DuckDB.
std::string QuoteIdentifier(std::string_view name);
std::string QuoteLiteral(std::string_view text);

}  // namespace tarn
