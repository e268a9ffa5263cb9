#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
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
#include "tarn/write/delete_rows.h"

namespace tarn {

enum class WriteMode : uint8_t {
  kAppend,
  kOverwriteAll,         // the new rows replace the whole table
  kOverwritePartitions,  // dynamic: they replace the partitions they fall into (unpartitioned: all)
  kOverwriteWhere,       // they replace what matches `where`, and must all match it; none may come
};

struct WriteRequest {
  WriteMode mode = WriteMode::kAppend;
  Expression where = {};       // kOverwriteWhere
  std::string where_sql = {};  // the same as SQL; empty: `where` as text
  RowFinder find = {};         // kOverwriteWhere, rows in files that match in part; empty: by SQL
  Operation operation = {};    // kOther: named after the mode
  std::vector<PositionMove> positions = {};
  ReadSet reads = {};  // what the statement read beside what the mode itself reads
  // The table's new state: its first, when the base does not exist; else a changed schema, spec or
  // properties. Ids of 0 are given by the format's Prepare.
  std::optional<TableMetadata> metadata = {};
  std::string lineage = {};
  std::string writer = {};  // user@host
  // For what reads the table. A table's own property may ask for less: the caller looks.
  Isolation isolation = Isolation::kSerializable;
  RetryPolicy retry = {};
};

struct WriteResult {
  Version version;
  int64_t rows = 0;   // new rows; rows that a partial overwrite kept are not counted
  int64_t files = 0;  // written
  int64_t bytes = 0;
  int64_t files_removed = 0;
};

// Writes `rows` into a table in one commit: the one way in for SQL, ingestion and the API. Begins
// the format's ticket, shows what must be shown first, checks constraints and NOT NULL, writes
// files on all threads, plans what an overwrite removes, publishes, and runs upkeep. `rows` are
// matched to the table's columns as Conform does. An append without rows commits too (positions may
// move). Errors: kNotFound: no table and no metadata to make one; kInvalid: a row breaks a
// constraint, NOT NULL, a partition rule or `where`, naming it, or the table is read-only;
// kConflict: see Transaction (the statement may be run again, a blind overwrite should not); what
// reading and storage report. On failure the files written are removed, except after
// kUnknownOutcome: they may be live.
Result<WriteResult> WriteRows(Runtime& runtime, Table& table, const Snapshot& base,
                              const Registry<FileFormat>& file_formats, BatchStream& rows,
                              const WriteRequest& request);

// Runs of one statement that lost to other commits, before it gives up.
inline constexpr int kRunsMax = 20;

// Runs a statement that reads the table — load the newest snapshot, compute, write, publish — again
// while it ends in kConflict, kRunsMax times at most, waiting in between. For statements whose
// result depends on what they read; never for a blind overwrite.
template <class T>
Result<T> RerunOnConflict(Runtime& runtime, const std::function<Result<T>()>& statement) {
  const RetryPolicy waits;
  int64_t wait_ms = waits.wait_first_ms;
  for (int run = 1;; ++run) {
    Result<T> result = statement();
    if (result.ok() || result.error().code != ErrorCode::kConflict || run >= kRunsMax) {
      return result;
    }
    TARN_RETURN_IF_ERROR(runtime.cancellation.Check());
    runtime.metrics.Add("write.statements_rerun", 1);
    runtime.clock.SleepMillis(
        static_cast<int64_t>(runtime.random.Below(static_cast<uint64_t>(wait_ms) + 1)));
    wait_ms = std::min(wait_ms * 2, waits.wait_max_ms);
  }
}

}  // namespace tarn
