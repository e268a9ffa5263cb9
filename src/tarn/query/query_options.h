#pragma once

#include <functional>
#include <memory>
#include <string>

#include "tarn/base/result.h"
#include "tarn/datafile/file_format.h"
#include "tarn/model/table_metadata.h"
#include "tarn/table/table.h"

namespace tarn {

// What one statement gave: rows, or a message for people ("12 rows inserted into t, version 4").
struct StatementResult {
  std::unique_ptr<BatchStream> rows = nullptr;  // null for statements without rows
  std::string message = {};
};

struct QueryOptions {
  bool assume_yes = false;  // --yes: column mapping may be turned on without asking
  // Asks a person ("… continue?"); null when there is nobody to ask (then the statement is refused
  // with what --yes would do).
  std::function<bool(const std::string& question)> ask = nullptr;
  std::string default_namespace = "default";
  bool skipping = true;  // false: no file is pruned (for comparing answers)
  // A table's metadata with a dropped column back under its old id, as its format remembers it, and
  // under `new_name` unless that is empty. Null: columns come back from the history alone.
  std::function<Result<TableMetadata>(const Table& table, TableMetadata metadata,
                                      const std::string& path, const std::string& new_name)>
      undrop_column = nullptr;
};

}  // namespace tarn
