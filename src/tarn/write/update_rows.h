#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
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
  // The rows to change, by file. Files without any are written again as they are.
  std::vector<RowDelete> changed;
  std::vector<size_t> assigned;  // top-level columns that get new values, by position

  // What UpdateRows asks of `rows`.
  struct Wanted {
    bool only_changed = false;  // of the rows of the files of `changed`; else all live ones
    // Two things more at the end: a BOOLEAN, true for the rows that change, and the old values of
    // the columns `assigned`, in that order.
    bool changes = false;
    // WriteTicket::row_lineage, behind the table's columns: what a row that changes keeps is its
    // number alone.
    std::vector<Field> row_lineage = {};
  };
  // Rows as they will be, matched to the table's columns as Conform does.
  std::function<Result<std::unique_ptr<BatchStream>>(const Wanted& wanted)> rows;
  std::optional<SortOrder> sort_order = {};  // of the rows written, in place of the table's
  Operation operation = {};
  ReadSet reads = {};
  std::string lineage = {};
  std::string writer = {};
  Isolation isolation = Isolation::kSerializable;
  RetryPolicy retry = {};
};

// Changes rows, as one commit on `base`: writes their files again, or, where the table asks for it,
// deletes the rows where they stand and writes them elsewhere. Constraints and NOT NULL are
// checked. Where the table keeps change data (`delta.enableChangeDataFeed`), each changed row is
// also written as it was and as it is. Errors: kInvalid: a row breaks a constraint, or the table is
// read-only; kConflict: load and run again; what `rows` and storage report. Files written are
// removed on failure, except after kUnknownOutcome.
Result<Version> UpdateRows(Runtime& runtime, Table& table, const Snapshot& base,
                           const Registry<FileFormat>& file_formats, const UpdateRequest& request);

}  // namespace tarn
