#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tarn/base/registry.h"
#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/datafile/file_format.h"
#include "tarn/model/commit.h"
#include "tarn/model/conflict.h"
#include "tarn/table/table.h"
#include "tarn/table/transaction.h"

namespace tarn {

struct UpdateRequest {
  std::vector<DataFile> files;   // that hold rows to change: they are replaced
  std::vector<size_t> assigned;  // top-level columns that get new values, by position
  // All live rows of `files` as they will be, matched to the table's columns as Conform does; for
  // change data two things more at the end: a BOOLEAN, true for the rows that change, and the old
  // values of the columns `assigned`, in that order.
  enum class Columns : uint8_t { kTable, kWithChanges };
  std::function<Result<std::unique_ptr<BatchStream>>(Columns columns)> rows;
  Operation operation = {};
  ReadSet reads = {};
  std::string lineage = {};
  std::string writer = {};
  Isolation isolation = Isolation::kSerializable;
  RetryPolicy retry = {};
};

// Writes files again with some of their rows changed, as one commit on `base`; constraints and NOT
// NULL are checked. Where the table keeps change data (`delta.enableChangeDataFeed`), each changed
// row is also written as it was and as it is. Errors: kInvalid: a row breaks a constraint, or the
// table is read-only; kConflict: load and run again; what `rows` and storage report. Files written
// are removed on failure, except after kUnknownOutcome.
Result<Version> UpdateRows(Runtime& runtime, Table& table, const Snapshot& base,
                           const Registry<FileFormat>& file_formats, const UpdateRequest& request);

}  // namespace tarn
