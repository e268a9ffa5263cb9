#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tarn/base/registry.h"
#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/datafile/file_format.h"
#include "tarn/model/commit.h"
#include "tarn/model/conflict.h"
#include "tarn/table/table.h"
#include "tarn/table/transaction.h"
#include "tarn/write/removal.h"

namespace tarn {

struct DeleteRequest {
  Expression where = {};
  std::string where_sql = {};  // the same as SQL, for the default finder; may be empty with `find`
  RowFinder find = {};         // empty: FindRowsBySql
  Operation operation = {};
  ReadSet reads = {};  // what the statement read beside its predicate (subqueries)
  std::string lineage = {};
  std::string writer = {};
  Isolation isolation = Isolation::kSerializable;
  RetryPolicy retry = {};
};

struct DeleteResult {
  std::optional<Version> version;  // none: nothing matched, nothing was committed
  int64_t rows_deleted = 0;        // -1: unknown (files without counts went whole)
  int64_t files_removed = 0;       // gone or replaced
  int64_t files_added = 0;
  int64_t row_delete_files = 0;  // files that stay and lose rows
};

// Deletes the rows of `base` for which the predicate is true. Whole files by metadata alone, other
// files by row deletes where the format has them and the table asks for them
// (`delta.enableDeletionVectors`), else by writing their other rows again. Where the table keeps
// change data (`delta.enableChangeDataFeed`) and not only whole files go, the deleted rows are
// written to change files. The commit reads the predicate and the files it touches. kConflict:
// another commit changed them; load and run again. Files written are removed on failure, except
// after kUnknownOutcome. kInvalid on a read-only or append-only table.
Result<DeleteResult> DeleteRows(Runtime& runtime, Table& table, const Snapshot& base,
                                const Registry<FileFormat>& file_formats,
                                const DeleteRequest& request);

}  // namespace tarn
