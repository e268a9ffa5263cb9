#include "tarn/model/file_batch.h"

#include <algorithm>
#include <utility>

namespace tarn {
namespace {

StringColumn Kept(const StringColumn& column, const std::vector<uint8_t>& keep) {
  StringColumn kept;
  for (size_t row = 0; row < column.size(); ++row) {
    if (keep[row] != 0) kept.Append(column[row]);
  }
  return kept;
}

template <class T>
std::vector<T> Kept(const std::vector<T>& column, const std::vector<uint8_t>& keep) {
  std::vector<T> kept;
  kept.reserve(column.size());
  for (size_t row = 0; row < column.size(); ++row) {
    if (keep[row] != 0) kept.push_back(column[row]);
  }
  return kept;
}

ValueColumn Kept(const ValueColumn& column, const std::vector<uint8_t>& keep) {
  ValueColumn kept;
  kept.type = column.type;
  kept.valid = Kept(column.valid, keep);
  std::visit([&](const auto& values) { kept.values = Kept(values, keep); }, column.values);
  return kept;
}

int64_t Or(const std::optional<int64_t>& value, int64_t otherwise) {
  return value ? *value : otherwise;
}

}  // namespace

DataFile FileBatch::At(int64_t i) const {
  const auto row = static_cast<size_t>(i);
  DataFile file;
  file.path = path[row];
  file.location = location.empty() ? file.path : std::string(location[row]);
  file.size_bytes = size_bytes[row];
  file.record_count = record_count[row];
  file.modified_ms = modified_ms[row];
  file.spec_id = spec_id;
  file.format = format;
  if (!first_row_id.empty()) {
    file.first_row_id = first_row_id[row];
    file.sequence_number = sequence_number[row];
  }
  for (const ValueColumn& column : partition) file.partition.push_back(column.Get(row));
  for (const BoundsColumns& columns : bounds) {
    ColumnStatistics column{.field_id = columns.field_id};
    if (file.record_count >= 0) column.value_count = file.record_count;
    if (columns.null_count[row] >= 0) column.null_count = columns.null_count[row];
    if (columns.nan_count[row] >= 0) column.nan_count = columns.nan_count[row];
    if (columns.lower.valid[row] != 0) column.lower = columns.lower.Get(row);
    if (columns.upper.valid[row] != 0) column.upper = columns.upper.Get(row);
    file.statistics.push_back(std::move(column));
  }
  if (!delete_offsets.empty()) {
    for (uint32_t at = delete_offsets[row]; at < delete_offsets[row + 1]; ++at) {
      file.deletes.push_back(deletes[at]);
    }
  }
  return file;
}

FileBatch FileBatch::Filter(const std::vector<uint8_t>& keep) const {
  FileBatch kept;
  kept.size = std::count_if(keep.begin(), keep.end(), [](uint8_t flag) { return flag != 0; });
  if (kept.size == size) return *this;
  kept.spec_id = spec_id;
  kept.format = format;
  kept.path = Kept(path, keep);
  kept.location = Kept(location, keep);
  kept.size_bytes = Kept(size_bytes, keep);
  kept.record_count = Kept(record_count, keep);
  kept.modified_ms = Kept(modified_ms, keep);
  if (!first_row_id.empty()) {
    kept.first_row_id = Kept(first_row_id, keep);
    kept.sequence_number = Kept(sequence_number, keep);
  }
  for (const ValueColumn& column : partition) kept.partition.push_back(Kept(column, keep));
  for (const BoundsColumns& columns : bounds) {
    kept.bounds.push_back({columns.field_id, Kept(columns.lower, keep), Kept(columns.upper, keep),
                           Kept(columns.null_count, keep), Kept(columns.nan_count, keep)});
  }
  if (!delete_offsets.empty()) {
    kept.delete_offsets.push_back(0);
    for (size_t row = 0; row + 1 < delete_offsets.size(); ++row) {
      if (keep[row] == 0) continue;
      for (uint32_t at = delete_offsets[row]; at < delete_offsets[row + 1]; ++at) {
        kept.deletes.push_back(deletes[at]);
      }
      kept.delete_offsets.push_back(static_cast<uint32_t>(kept.deletes.size()));
    }
  }
  return kept;
}

const BoundsColumns* FileBatch::BoundsOf(int32_t field_id) const {
  const auto found = std::lower_bound(
      bounds.begin(), bounds.end(), field_id,
      [](const BoundsColumns& columns, int32_t id) { return columns.field_id < id; });
  return found != bounds.end() && found->field_id == field_id ? &*found : nullptr;
}

void AppendFile(FileBatch& batch, const DataFile& file) {
  const auto rows = static_cast<size_t>(batch.size);
  const bool own_location = !file.location.empty() && file.location != file.path;
  if (own_location && batch.location.empty()) {
    for (size_t row = 0; row < rows; ++row) batch.location.Append(batch.path[row]);
  }
  if (own_location || !batch.location.empty()) {
    batch.location.Append(own_location ? file.location : file.path);
  }
  batch.path.Append(file.path);
  batch.size_bytes.push_back(file.size_bytes);
  batch.record_count.push_back(file.record_count);
  batch.modified_ms.push_back(file.modified_ms);
  if (file.sequence_number >= 0 && batch.sequence_number.empty()) {
    batch.first_row_id.assign(rows, -1);
    batch.sequence_number.assign(rows, -1);
  }
  if (file.sequence_number >= 0 || !batch.sequence_number.empty()) {
    batch.first_row_id.push_back(file.first_row_id);
    batch.sequence_number.push_back(file.sequence_number);
  }
  for (size_t i = 0; i < batch.partition.size(); ++i) {
    batch.partition[i].Append(i < file.partition.size() ? file.partition[i] : Value());
  }
  for (BoundsColumns& columns : batch.bounds) {
    const auto found = std::find_if(
        file.statistics.begin(), file.statistics.end(),
        [&](const ColumnStatistics& column) { return column.field_id == columns.field_id; });
    const ColumnStatistics column = found != file.statistics.end() ? *found : ColumnStatistics();
    columns.lower.Append(column.lower ? *column.lower : Value());
    columns.upper.Append(column.upper ? *column.upper : Value());
    columns.null_count.push_back(Or(column.null_count, -1));
    columns.nan_count.push_back(Or(column.nan_count, -1));
  }
  if (!file.deletes.empty() && batch.delete_offsets.empty())
    batch.delete_offsets.assign(rows + 1, 0);
  if (!batch.delete_offsets.empty()) {
    for (const DeleteFile& one : file.deletes) batch.deletes.push_back(one);
    batch.delete_offsets.push_back(static_cast<uint32_t>(batch.deletes.size()));
  }
  ++batch.size;
}

}  // namespace tarn
