#include "tarn/datafile/leaf_statistics_internal.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <arrow/api.h>

#include "tarn/datafile/arrow_schema.h"
#include "tarn/datafile/arrow_status.h"

namespace tarn {
namespace {

constexpr const char* kInLeaf = "statistics";

template <class FloatArray>
void AddFloats(const FloatArray& array, FloatBounds& bounds) {
  const auto* values = array.raw_values();
  for (int64_t row = 0; row < array.length(); ++row) {
    if (array.IsNull(row)) continue;
    const double value = values[row];
    if (std::isnan(value)) {
      ++bounds.nan_count;
      continue;
    }
    ++bounds.number_count;
    bounds.lower = std::min(bounds.lower, value);
    bounds.upper = std::max(bounds.upper, value);
  }
}

struct Extremes {
  int64_t lowest = -1;  // rows; -1: there are only nulls
  int64_t highest = -1;
};

template <class ArrayType, class Get>
Extremes ExtremesOf(const arrow::Array& untyped, const Get& get) {
  const auto& array = static_cast<const ArrayType&>(untyped);
  Extremes found;
  for (int64_t row = 0; row < array.length(); ++row) {
    if (array.IsNull(row)) continue;
    if (found.lowest < 0) {
      found = {row, row};
    } else if (get(array, row) < get(array, found.lowest)) {
      found.lowest = row;
    } else if (get(array, found.highest) < get(array, row)) {
      found.highest = row;
    }
  }
  return found;
}

// The rows of the lowest and the highest value; nothing for types without an order here.
std::optional<Extremes> ExtremesOf(const arrow::Array& array) {
  const auto value = [](const auto& typed, int64_t row) { return typed.Value(row); };
  const auto view = [](const auto& typed, int64_t row) { return typed.GetView(row); };
  const auto decimal = [](const auto& typed, int64_t row) {
    return arrow::Decimal128(typed.GetValue(row));
  };
  switch (array.type_id()) {
    case arrow::Type::BOOL:
      return ExtremesOf<arrow::BooleanArray>(array, value);
    case arrow::Type::INT8:
      return ExtremesOf<arrow::Int8Array>(array, value);
    case arrow::Type::INT16:
      return ExtremesOf<arrow::Int16Array>(array, value);
    case arrow::Type::INT32:
      return ExtremesOf<arrow::Int32Array>(array, value);
    case arrow::Type::INT64:
      return ExtremesOf<arrow::Int64Array>(array, value);
    case arrow::Type::DATE32:
      return ExtremesOf<arrow::Date32Array>(array, value);
    case arrow::Type::TIME64:
      return ExtremesOf<arrow::Time64Array>(array, value);
    case arrow::Type::TIMESTAMP:
      return ExtremesOf<arrow::TimestampArray>(array, value);
    case arrow::Type::DECIMAL128:
      return ExtremesOf<arrow::Decimal128Array>(array, decimal);
    case arrow::Type::STRING:
    case arrow::Type::BINARY:
      return ExtremesOf<arrow::BinaryArray>(array, view);
    case arrow::Type::FIXED_SIZE_BINARY:
      return ExtremesOf<arrow::FixedSizeBinaryArray>(array, view);
    default:
      return std::nullopt;
  }
}

}  // namespace

Result<std::shared_ptr<arrow::Array>> LeafArray(const arrow::RecordBatch& batch, const Leaf& leaf) {
  std::shared_ptr<arrow::Array> array = batch.column(leaf.steps[0]);
  for (size_t i = 1; i < leaf.steps.size(); ++i) {
    switch (array->type_id()) {
      case arrow::Type::STRUCT: {
        TARN_ASSIGN_OR_RETURN(
            array,
            Lift(static_cast<const arrow::StructArray&>(*array).GetFlattenedField(leaf.steps[i]),
                 kInLeaf));
        break;
      }
      case arrow::Type::MAP: {
        const auto& map = static_cast<const arrow::MapArray&>(*array);
        array = leaf.steps[i] == 0 ? map.keys() : map.items();
        break;
      }
      default:
        array = static_cast<const arrow::ListArray&>(*array).values();
    }
  }
  return array;
}

void FloatBounds::Add(const arrow::Array& array) {
  if (array.type_id() == arrow::Type::FLOAT) {
    AddFloats(static_cast<const arrow::FloatArray&>(array), *this);
  } else {
    AddFloats(static_cast<const arrow::DoubleArray&>(array), *this);
  }
}

void FloatBounds::Put(ColumnStatistics& out) const {
  out.nan_count = nan_count;
  out.lower.reset();
  out.upper.reset();
  if (number_count == 0) return;
  out.lower = Value(lower == 0 ? -0.0 : lower);
  out.upper = Value(upper == 0 ? 0.0 : upper);
}

void CutBounds(const Type& type, int32_t length, ColumnStatistics& out) {
  if (type.kind != TypeKind::kString && type.kind != TypeKind::kBinary) return;
  const bool utf8 = type.kind == TypeKind::kString;
  if (out.lower) {
    const auto& text = std::get<std::string>(*out.lower);
    std::string cut = TruncateLower(text, utf8, length);
    out.lower_exact = cut.size() == text.size();
    out.lower = Value(std::move(cut));
  }
  if (out.upper) {
    const auto& text = std::get<std::string>(*out.upper);
    std::optional<std::string> cut = TruncateUpper(text, utf8, length);
    out.upper_exact = cut == text;
    if (cut) {
      out.upper = Value(std::move(*cut));
    } else {
      out.upper.reset();
    }
  }
}

BatchStatistics::BatchStatistics(Schema schema, const std::vector<int32_t>& ids,
                                 int32_t string_bound_length)
    : schema_(std::make_unique<const Schema>(std::move(schema))),
      string_bound_length_(string_bound_length) {
  for (Leaf& leaf : LeavesOf(*schema_)) {
    const int32_t id = leaf.field->id;
    if (leaf.repeated || std::find(ids.begin(), ids.end(), id) == ids.end()) continue;
    Column column{.leaf = std::move(leaf), .so_far = {}, .floats = {}};
    column.so_far.field_id = id;
    column.so_far.value_count = 0;
    column.so_far.null_count = 0;
    columns_.emplace(id, std::move(column));
  }
}

Status BatchStatistics::Add(const arrow::RecordBatch& file_batch) {
  for (auto& [id, column] : columns_) {
    TARN_ASSIGN_OR_RETURN(const auto array, LeafArray(file_batch, column.leaf));
    *column.so_far.value_count += array->length();
    *column.so_far.null_count += array->null_count();
    if (column.leaf.field->type.IsFloating()) {
      column.floats.Add(*array);
    } else {
      TARN_RETURN_IF_ERROR(Bound(*array, column));
    }
  }
  return OkStatus();
}

Status BatchStatistics::Bound(const arrow::Array& array, Column& column) {
  const arrow::Array* plain = &array;
  if (array.type_id() == arrow::Type::EXTENSION) {
    plain = static_cast<const arrow::ExtensionArray&>(array).storage().get();
  }
  const std::optional<Extremes> rows = ExtremesOf(*plain);
  if (!rows || rows->lowest < 0) return OkStatus();
  const Type& type = column.leaf.field->type;
  TARN_ASSIGN_OR_RETURN(Value lowest, ValueAt(array, rows->lowest, type));
  TARN_ASSIGN_OR_RETURN(Value highest, ValueAt(array, rows->highest, type));
  std::optional<Value>& lower = column.so_far.lower;
  std::optional<Value>& upper = column.so_far.upper;
  if (!lower || CompareValues(type, lowest, *lower) < 0) lower = std::move(lowest);
  if (!upper || CompareValues(type, *upper, highest) < 0) upper = std::move(highest);
  return OkStatus();
}

std::vector<ColumnStatistics> BatchStatistics::Finish() const {
  std::vector<ColumnStatistics> all;
  all.reserve(columns_.size());
  for (const auto& [id, column] : columns_) {
    ColumnStatistics out = column.so_far;
    const Type& type = column.leaf.field->type;
    if (type.IsFloating()) column.floats.Put(out);
    CutBounds(type, string_bound_length_, out);
    all.push_back(std::move(out));
  }
  return all;
}

}  // namespace tarn
