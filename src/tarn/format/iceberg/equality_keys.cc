#include "tarn/format/iceberg/equality_keys.h"

#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <arrow/api.h>
#include <arrow/extension_type.h>

#include "tarn/datafile/arrow_status.h"

namespace tarn::iceberg {
namespace {

template <class Number>
void AppendNumber(Number number, std::string& key) {
  if constexpr (std::is_floating_point_v<Number>) {
    if (number == 0) number = 0;  // -0.0 too
    if (std::isnan(number)) number = std::numeric_limits<Number>::quiet_NaN();
  }
  key.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

void AppendBytes(std::string_view bytes, std::string& key) {
  AppendNumber(static_cast<uint32_t>(bytes.size()), key);
  key.append(bytes);
}

bool HasEquality(arrow::Type::type type) {
  switch (type) {
    case arrow::Type::BOOL:
    case arrow::Type::INT8:
    case arrow::Type::INT16:
    case arrow::Type::INT32:
    case arrow::Type::INT64:
    case arrow::Type::DATE32:
    case arrow::Type::TIME64:
    case arrow::Type::TIMESTAMP:
    case arrow::Type::FLOAT:
    case arrow::Type::DOUBLE:
    case arrow::Type::DECIMAL128:
    case arrow::Type::STRING:
    case arrow::Type::BINARY:
    case arrow::Type::FIXED_SIZE_BINARY:
      return true;
    default:
      return false;
  }
}

std::optional<Field> CutDown(const Field& field, int32_t id) {
  if (field.id == id) return field;
  if (field.type.kind != TypeKind::kStruct) return std::nullopt;
  for (const Field& member : field.type.fields) {
    if (auto cut = CutDown(member, id)) {
      Field whole = field;
      whole.type.fields = {*std::move(cut)};
      return whole;
    }
  }
  return std::nullopt;
}

}  // namespace

Result<RowKeys> RowKeys::Make(std::vector<std::shared_ptr<arrow::Array>> columns) {
  RowKeys keys;
  for (auto& column : columns) {
    if (column->type_id() == arrow::Type::EXTENSION) {
      column = static_cast<const arrow::ExtensionArray&>(*column).storage();
    }
    if (!HasEquality(column->type_id())) {
      return Unsupported("iceberg: equality deletes over " + column->type()->ToString());
    }
  }
  keys.columns_ = std::move(columns);
  return keys;
}

void RowKeys::Append(int64_t row, std::string& key) const {
  for (const auto& column : columns_) {
    const bool valid = column->IsValid(row);
    key.push_back(valid ? '\1' : '\0');
    if (!valid) continue;
    switch (column->type_id()) {
      case arrow::Type::BOOL:
        key.push_back(static_cast<const arrow::BooleanArray&>(*column).Value(row) ? '\1' : '\0');
        break;
      case arrow::Type::INT8:
        AppendNumber(static_cast<const arrow::Int8Array&>(*column).Value(row), key);
        break;
      case arrow::Type::INT16:
        AppendNumber(static_cast<const arrow::Int16Array&>(*column).Value(row), key);
        break;
      case arrow::Type::INT32:
        AppendNumber(static_cast<const arrow::Int32Array&>(*column).Value(row), key);
        break;
      case arrow::Type::DATE32:
        AppendNumber(static_cast<const arrow::Date32Array&>(*column).Value(row), key);
        break;
      case arrow::Type::INT64:
        AppendNumber(static_cast<const arrow::Int64Array&>(*column).Value(row), key);
        break;
      case arrow::Type::TIME64:
        AppendNumber(static_cast<const arrow::Time64Array&>(*column).Value(row), key);
        break;
      case arrow::Type::TIMESTAMP:
        AppendNumber(static_cast<const arrow::TimestampArray&>(*column).Value(row), key);
        break;
      case arrow::Type::FLOAT:
        AppendNumber(static_cast<const arrow::FloatArray&>(*column).Value(row), key);
        break;
      case arrow::Type::DOUBLE:
        AppendNumber(static_cast<const arrow::DoubleArray&>(*column).Value(row), key);
        break;
      case arrow::Type::STRING:
      case arrow::Type::BINARY:
        AppendBytes(static_cast<const arrow::BinaryArray&>(*column).GetView(row), key);
        break;
      default:  // decimals and fixed
        AppendBytes(static_cast<const arrow::FixedSizeBinaryArray&>(*column).GetView(row), key);
        break;
    }
  }
}

Result<Schema> ColumnsHolding(const Schema& schema, const std::vector<int32_t>& ids) {
  Schema columns;
  columns.fields.reserve(ids.size());
  for (const int32_t id : ids) {
    std::optional<Field> found;
    for (const Field& field : schema.fields) {
      if (!found) found = CutDown(field, id);
    }
    if (!found) return Corrupt("iceberg: no column with id " + std::to_string(id));
    columns.fields.push_back(*std::move(found));
  }
  return columns;
}

Result<std::vector<std::shared_ptr<arrow::Array>>> FieldsOf(const arrow::RecordBatch& batch,
                                                            const Schema& columns,
                                                            const std::vector<int32_t>& ids) {
  std::vector<std::shared_ptr<arrow::Array>> fields;
  fields.reserve(ids.size());
  for (size_t i = 0; i < ids.size(); ++i) {
    std::shared_ptr<arrow::Array> column = batch.column(static_cast<int>(i));
    for (const Field* field = &columns.fields[i]; field->id != ids[i];
         field = &field->type.fields[0]) {
      const auto& record = static_cast<const arrow::StructArray&>(*column);
      TARN_ASSIGN_OR_RETURN(column, Lift(record.GetFlattenedField(0), "arrow"));
    }
    fields.push_back(std::move(column));
  }
  return fields;
}

}  // namespace tarn::iceberg
