#include "tarn/query/table_scan.h"

#include <utility>

#include "tarn/model/row_set.h"

namespace tarn {

namespace {

std::vector<Field> VisibleColumns(const Schema& schema) {
  std::vector<Field> visible;
  for (const Field& field : schema.fields) {
    if (field.type.kind != TypeKind::kVoid) visible.push_back(field);
  }
  return visible;
}

}  // namespace

TableScan::TableScan(std::shared_ptr<const Table> table, Snapshot snapshot, bool skipping)
    : table_(std::move(table)),
      snapshot_(std::move(snapshot)),
      skipping_(skipping),
      columns_(VisibleColumns(snapshot_.metadata.schema)) {}

TableScan::TableScan(std::shared_ptr<const Table> table, ScanPlan plan,
                     std::map<std::string, RowSet, std::less<>> only_rows, bool skipping,
                     const std::vector<Field>& hidden)
    : table_(std::move(table)),
      snapshot_(plan.snapshot),
      skipping_(skipping),
      columns_(VisibleColumns(snapshot_.metadata.schema)),
      given_(std::move(plan)),
      only_rows_(std::move(only_rows)) {
  columns_.insert(columns_.end(), hidden.begin(), hidden.end());
}

std::string TableScan::Title() const {
  return table_->name + ", version " + snapshot_.version.text;
}

Result<std::shared_ptr<const ScanPlan>> TableScan::Plan(const Expression& filter) const {
  {
    std::lock_guard lock(mutex_);
    filters_seen_.push_back(filter);
  }
  if (given_) {
    return std::shared_ptr<const ScanPlan>(
        std::make_shared<ScanPlan>(skipping_ ? Narrow(*given_, filter) : *given_));
  }
  FileRequest request;
  if (skipping_) request.filter = filter;
  TARN_ASSIGN_OR_RETURN(ScanPlan plan, PlanScan(*table_->format, table_->home, snapshot_, request));
  return std::shared_ptr<const ScanPlan>(std::make_shared<ScanPlan>(std::move(plan)));
}

std::vector<Expression> TableScan::FiltersSeen() const {
  std::lock_guard lock(mutex_);
  return filters_seen_;
}

Result<TableScan::SkippedRows> TableScan::RowsToSkip(const FileBatch& batch, int64_t row) const {
  const auto i = static_cast<size_t>(row);
  if (!only_rows_.empty()) {
    const auto only = only_rows_.find(batch.path[i]);
    if (only != only_rows_.end()) {
      SkippedRows skipped{.rest_deleted = true};
      if (only->second.empty()) return skipped;
      skipped.bitmap = only->second.ToBitmap(
          static_cast<int64_t>((only->second.chunks().rbegin()->first + 1) << 16));
      for (uint64_t& word : skipped.bitmap) word = ~word;
      return skipped;
    }
  }
  SkippedRows skipped;
  if (batch.delete_offsets.empty()) return skipped;
  if (batch.delete_offsets[i] == batch.delete_offsets[i + 1]) return skipped;
  TARN_ASSIGN_OR_RETURN(const RowSet rows,
                        table_->format->DeletedRows(table_->home, snapshot_, batch.At(row)));
  if (rows.empty()) return skipped;
  skipped.bitmap = rows.ToBitmap(static_cast<int64_t>((rows.chunks().rbegin()->first + 1) << 16));
  return skipped;
}

}  // namespace tarn
