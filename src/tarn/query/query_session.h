#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/base/registry.h"
#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/datafile/file_format.h"
#include "tarn/query/query_options.h"
#include "tarn/query/table_resolver.h"
#include "tarn/table/table_format.h"

namespace tarn {

// SQL over Tarn's tables: DuckDB binds and runs queries; writing statements become commits. One
// statement sees one snapshot of each table. Not thread-safe.
class QuerySession {
 public:
  static Result<std::unique_ptr<QuerySession>> Make(Runtime& runtime, TableResolver& resolver,
                                                    const Registry<FileFormat>& file_formats,
                                                    QueryOptions options);
  virtual ~QuerySession() = default;

  // Runs every statement of `sql` in order, handing each result to `consume`; stops at the first
  // error, which names line and column where known. Writing statements that read their own table
  // are run again on kConflict, up to a few times.
  virtual Status Run(std::string_view sql,
                     const std::function<Status(StatementResult)>& consume) = 0;

  // Names for completion: tables, or columns of a table.
  virtual std::vector<std::string> Complete(std::string_view text_before_cursor) = 0;
};

}  // namespace tarn
