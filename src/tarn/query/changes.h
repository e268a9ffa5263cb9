#pragma once

#include <string>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/query/table_scan.h"
#include "tarn/table/table.h"

namespace tarn {

// One commit's rows of one kind: all rows of `scan` are changes of `change_type`, unless that is
// empty: then the files carry it in a column "_change_type" of their own (change data).
struct ChangePart {
  std::shared_ptr<TableScan> scan;
  std::string change_type;
  std::string version;
  int64_t timestamp_ms = 0;
};

// The rows that the commits `from`…`to`, both included, inserted, deleted or updated, in the
// columns that the table has at `to`: from change data where a commit wrote some, else from the
// files it added and removed and the rows that its deletion vectors took. Commits that only
// rearrange rows give none. kNotFound if the history does not reach back to `from`; kInvalid if
// `from` is after `to`.
Result<std::vector<ChangePart>> ChangesBetween(std::shared_ptr<const Table> table,
                                               const std::string& from, const std::string& to);

// The name of the change column, for scans over change data.
inline constexpr const char* kChangeTypeColumn = "_change_type";

}  // namespace tarn
