#include "tarn/format/iceberg/entry_batch.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "tarn/format/iceberg/single_value.h"

namespace tarn::iceberg {
namespace {

// Null where the bytes make no bound.
Value BoundValue(const Type& type, std::optional<std::string_view> bytes) {
  if (!bytes) return Value();
  auto value = ValueFromBinary(type, *bytes);
  if (!value) return Value();
  const auto* number = std::get_if<double>(&*value);
  if (number != nullptr && std::isnan(*number)) return Value();
  return *std::move(value);
}

ValueColumn Picked(const ValueColumn& column, const std::vector<int64_t>& rows) {
  ValueColumn picked = ValueColumn::Of(column.type);
  for (const int64_t row : rows) picked.Append(column.Get(static_cast<size_t>(row)));
  return picked;
}

// What the maps of one entry say of a field.
struct Found {
  std::optional<std::string_view> lower = {};
  std::optional<std::string_view> upper = {};
  int64_t nulls = -1;
  int64_t nans = -1;
};

void AddBounds(const EntryColumns& entries, const std::vector<int64_t>& rows, const Schema& schema,
               const std::vector<int32_t>& ids, FileBatch& batch) {
  if (ids.empty()) return;
  std::vector<Type> types;
  types.reserve(ids.size());
  for (const int32_t id : ids) {
    types.push_back(schema.FindById(id)->type);
    batch.bounds.push_back(
        {id, ValueColumn::Of(types.back()), ValueColumn::Of(types.back()), {}, {}});
  }
  std::vector<Found> found(ids.size());
  const auto visit = [&](const IdMapColumn& map, int64_t row, const auto& take) {
    const auto [begin, end] = map.Entries(row);
    for (int64_t at = begin; at < end; ++at) {
      const auto place = std::lower_bound(ids.begin(), ids.end(), map.Key(at));
      if (place == ids.end() || *place != map.Key(at)) continue;
      take(found[static_cast<size_t>(place - ids.begin())], at);
    }
  };
  for (const int64_t row : rows) {
    std::fill(found.begin(), found.end(), Found());
    visit(entries.lower, row, [&](Found& one, int64_t at) { one.lower = entries.lower.Bytes(at); });
    visit(entries.upper, row, [&](Found& one, int64_t at) { one.upper = entries.upper.Bytes(at); });
    visit(entries.null_counts, row,
          [&](Found& one, int64_t at) { one.nulls = entries.null_counts.Number(at).value_or(-1); });
    visit(entries.nan_counts, row,
          [&](Found& one, int64_t at) { one.nans = entries.nan_counts.Number(at).value_or(-1); });
    for (size_t i = 0; i < ids.size(); ++i) {
      BoundsColumns& columns = batch.bounds[i];
      columns.lower.Append(BoundValue(types[i], found[i].lower));
      columns.upper.Append(BoundValue(types[i], found[i].upper));
      columns.null_count.push_back(found[i].nulls);
      columns.nan_count.push_back(found[i].nans);
    }
  }
}

void CollectBounded(const std::vector<Field>& fields, std::vector<int32_t>& ids) {
  for (const Field& field : fields) {
    switch (field.type.kind) {
      case TypeKind::kStruct:
        CollectBounded(field.type.fields, ids);
        break;
      case TypeKind::kList:
      case TypeKind::kMap:
      case TypeKind::kVoid:
      case TypeKind::kVariant:
        break;
      default:
        ids.push_back(field.id);
    }
  }
}

}  // namespace

std::vector<int32_t> BoundedFields(const Schema& schema) {
  std::vector<int32_t> ids;
  CollectBounded(schema.fields, ids);
  std::sort(ids.begin(), ids.end());
  return ids;
}

Result<FileBatch> BatchOf(const EntryColumns& entries, const std::vector<int64_t>& rows,
                          const Locations& locations, const Schema& schema, int32_t spec_id,
                          const std::vector<int32_t>& bounds) {
  FileBatch batch;
  batch.size = static_cast<int64_t>(rows.size());
  batch.spec_id = spec_id;
  batch.size_bytes.reserve(rows.size());
  batch.record_count.reserve(rows.size());
  batch.modified_ms.assign(rows.size(), 0);
  const bool numbered = std::any_of(entries.row_id.begin(), entries.row_id.end(),
                                    [](int64_t first) { return first >= 0; });
  for (const int64_t row : rows) {
    const std::string_view location = *entries.location.At(row);
    if (const auto below = locations.BelowTable(location)) {
      batch.path.Append(*below);
    } else {
      TARN_ASSIGN_OR_RETURN(const std::string path, locations.Spell(location));
      batch.path.Append(path);
    }
    batch.location.Append(location);
    batch.size_bytes.push_back(entries.size_bytes.Or(row, 0));
    batch.record_count.push_back(entries.record_count.Or(row, -1));
    if (!numbered) continue;
    batch.first_row_id.push_back(entries.row_id[static_cast<size_t>(row)]);
    batch.sequence_number.push_back(entries.sequence_number[static_cast<size_t>(row)]);
  }
  const bool all = batch.size == entries.size;
  batch.partition.reserve(entries.partition.size());
  for (const ValueColumn& column : entries.partition) {
    batch.partition.push_back(all ? column : Picked(column, rows));
  }
  AddBounds(entries, rows, schema, bounds, batch);
  return batch;
}

}  // namespace tarn::iceberg
