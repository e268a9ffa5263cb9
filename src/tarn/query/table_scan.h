#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/model/expression.h"
#include "tarn/model/row_set.h"
#include "tarn/model/snapshot.h"
#include "tarn/scan/plan.h"
#include "tarn/table/table.h"

namespace tarn {

// One snapshot of one table as a statement reads it. Its files are decoded when they are first
// asked for, then pruned by the filter DuckDB has pushed down. Thread-safe.
class TableScan {
 public:
  // A field with this annotation is found in files by its name, even where others are by id.
  static constexpr std::string_view kByNameAnnotation = "tarn.by_name";

  // All files of `snapshot`. With `skipping` false no file is ever left out.
  TableScan(std::shared_ptr<const Table> table, Snapshot snapshot, bool skipping);
  // Only the files of `plan`: rewrites, changes between versions. Of files named in `only_rows` (by
  // DataFile::path) only those rows, whatever is deleted. With `skipping` false every file is read:
  // then `file_index` is its position in the plan. `hidden` columns, found by their id, follow the
  // table's.
  TableScan(std::shared_ptr<const Table> table, ScanPlan plan,
            std::map<std::string, RowSet, std::less<>> only_rows = {}, bool skipping = true,
            const std::vector<Field>& hidden = {});

  const Table& table() const { return *table_; }
  const Snapshot& snapshot() const { return snapshot_; }
  // "ns.events, version 4"
  std::string Title() const;
  // The columns SQL sees: the schema's, without those that have no type yet (void).
  const std::vector<Field>& columns() const { return columns_; }

  // The files that may hold rows matching `filter`. Errors as TableFormat::Files.
  Result<std::shared_ptr<const ScanPlan>> Plan(const Expression& filter) const;

  // The filter of each time it was planned: what a statement has read of the table.
  std::vector<Expression> FiltersSeen() const;

  // The rows of one file of a plan that are not to be read, as a bitmap: bit r of word r / 64; rows
  // beyond it are `rest_deleted`. Errors as TableFormat::DeletedRows.
  struct SkippedRows {
    std::vector<uint64_t> bitmap;
    bool rest_deleted = false;
    bool none() const { return bitmap.empty() && !rest_deleted; }
  };
  Result<SkippedRows> RowsToSkip(const FileBatch& batch, int64_t row) const;

 private:
  std::shared_ptr<const Table> table_;
  Snapshot snapshot_;
  bool skipping_ = true;
  std::vector<Field> columns_;
  std::optional<ScanPlan> given_;
  std::map<std::string, RowSet, std::less<>> only_rows_;
  mutable std::mutex mutex_;
  mutable std::vector<Expression> filters_seen_;
};

}  // namespace tarn
