#include <cmath>
#include <string>
#include <utility>

#include <arrow/api.h>
#include <arrow/extension_type.h>

#include "tarn/format/iceberg/columns_internal.h"

namespace tarn::iceberg {
namespace {

constexpr const char* kFieldIdKey = "PARQUET:field_id";
constexpr int64_t kMicrosPerDay = int64_t{86'400} * 1'000'000;

int FindChild(const arrow::FieldVector& fields, int32_t id, std::string_view name) {
  const std::string wanted = std::to_string(id);
  int by_name = -1;
  for (int i = 0; i < static_cast<int>(fields.size()); ++i) {
    const arrow::Field& field = *fields[static_cast<size_t>(i)];
    if (id != 0 && field.metadata() != nullptr) {
      const auto found = field.metadata()->Get(kFieldIdKey);
      if (found.ok() && *found == wanted) return i;
    }
    if (by_name < 0 && field.name() == name) by_name = i;
  }
  return by_name;
}

Error WrongType(std::string_view name, const arrow::Array& column) {
  return Corrupt("iceberg: manifest: '" + std::string(name) + "' is " + column.type()->ToString());
}

// Extension types (uuid) as what they are stored as.
std::shared_ptr<arrow::Array> StorageOf(std::shared_ptr<arrow::Array> column) {
  if (column->type_id() != arrow::Type::EXTENSION) return column;
  return static_cast<const arrow::ExtensionArray&>(*column).storage();
}

template <class ArrowArray, class Value, class Convert>
void Fill(const arrow::Array& column, std::vector<Value>& values, std::vector<uint8_t>& valid,
          const Convert& convert) {
  const auto& typed = static_cast<const ArrowArray&>(column);
  const auto rows = static_cast<size_t>(column.length());
  values.resize(rows);
  valid.resize(rows);
  for (size_t row = 0; row < rows; ++row) {
    valid[row] = typed.IsValid(static_cast<int64_t>(row)) ? 1 : 0;
    values[row] = valid[row] != 0 ? convert(typed.Value(static_cast<int64_t>(row))) : Value{};
  }
}

// Whole numbers of any Arrow type that holds such. False for another.
bool FillIntegers(const arrow::Array& column, std::vector<int64_t>& values,
                  std::vector<uint8_t>& valid) {
  const auto same = [](auto value) { return static_cast<int64_t>(value); };
  switch (column.type_id()) {
    case arrow::Type::BOOL:
      Fill<arrow::BooleanArray>(column, values, valid, same);
      return true;
    case arrow::Type::INT32:
      Fill<arrow::Int32Array>(column, values, valid, same);
      return true;
    case arrow::Type::INT64:
      Fill<arrow::Int64Array>(column, values, valid, same);
      return true;
    case arrow::Type::DATE32:
      Fill<arrow::Date32Array>(column, values, valid, same);
      return true;
    case arrow::Type::TIME64:
      Fill<arrow::Time64Array>(column, values, valid, same);
      return true;
    case arrow::Type::TIMESTAMP:
      Fill<arrow::TimestampArray>(column, values, valid, same);
      return true;
    default:
      return false;
  }
}

// What brings the column's unit of time to that of `type`.
int64_t FactorTo(const Type& type, const arrow::DataType& from) {
  const bool nanos = type.kind == TypeKind::kTimestampNs || type.kind == TypeKind::kTimestampTzNs;
  if (from.id() == arrow::Type::DATE32 && type.IsTimestamp()) {
    return nanos ? kMicrosPerDay * 1000 : kMicrosPerDay;
  }
  if (from.id() != arrow::Type::TIMESTAMP || !type.IsTimestamp()) return 1;
  switch (static_cast<const arrow::TimestampType&>(from).unit()) {
    case arrow::TimeUnit::SECOND:
      return nanos ? 1'000'000'000 : 1'000'000;
    case arrow::TimeUnit::MILLI:
      return nanos ? 1'000'000 : 1000;
    case arrow::TimeUnit::MICRO:
      return nanos ? 1000 : 1;
    case arrow::TimeUnit::NANO:
      return 1;
  }
  return 1;
}

Int128 ToInt128(const arrow::Decimal128& decimal) {
  return static_cast<Int128>(
      static_cast<unsigned __int128>(static_cast<uint64_t>(decimal.high_bits())) << 64 |
      decimal.low_bits());
}

}  // namespace

std::shared_ptr<arrow::Array> ColumnOf(const arrow::RecordBatch& batch, int32_t id,
                                       std::string_view name) {
  const int child = FindChild(batch.schema()->fields(), id, name);
  return child < 0 ? nullptr : batch.column(child);
}

std::shared_ptr<arrow::Array> ColumnOf(const arrow::StructArray& record, int32_t id,
                                       std::string_view name) {
  const int child = FindChild(record.type()->fields(), id, name);
  return child < 0 ? nullptr : record.field(child);
}

Result<IntegerColumn> IntegerColumn::Make(const std::shared_ptr<arrow::Array>& column,
                                          std::string_view name) {
  IntegerColumn made;
  if (column == nullptr || column->type_id() == arrow::Type::NA) return made;
  if (!FillIntegers(*column, made.values_, made.valid_)) return WrongType(name, *column);
  return made;
}

Result<BytesColumn> BytesColumn::Make(std::shared_ptr<arrow::Array> column, std::string_view name) {
  BytesColumn made;
  if (column == nullptr || column->type_id() == arrow::Type::NA) return made;
  made.column_ = StorageOf(std::move(column));
  switch (made.column_->type_id()) {
    case arrow::Type::STRING:
    case arrow::Type::BINARY:
      made.kind_ = Kind::kBinary;
      return made;
    case arrow::Type::FIXED_SIZE_BINARY:
      made.kind_ = Kind::kFixed;
      return made;
    default:
      return WrongType(name, *made.column_);
  }
}

std::optional<std::string_view> BytesColumn::At(int64_t row) const {
  if (kind_ == Kind::kNone || column_->IsNull(row)) return std::nullopt;
  if (kind_ == Kind::kFixed) {
    return static_cast<const arrow::FixedSizeBinaryArray&>(*column_).GetView(row);
  }
  return static_cast<const arrow::BinaryArray&>(*column_).GetView(row);
}

Result<IdMapColumn> IdMapColumn::Make(const std::shared_ptr<arrow::Array>& column,
                                      std::string_view name) {
  IdMapColumn made;
  if (column == nullptr || column->type_id() == arrow::Type::NA) return made;
  if (column->type_id() != arrow::Type::MAP && column->type_id() != arrow::Type::LIST) {
    return WrongType(name, *column);
  }
  const auto& list = static_cast<const arrow::ListArray&>(*column);
  if (list.values()->type_id() != arrow::Type::STRUCT) return WrongType(name, *column);
  const auto& entries = static_cast<const arrow::StructArray&>(*list.values());
  if (entries.num_fields() != 2) return WrongType(name, *column);
  made.begins_.resize(static_cast<size_t>(list.length()) + 1);
  made.valid_.resize(static_cast<size_t>(list.length()));
  for (int64_t row = 0; row < list.length(); ++row) {
    made.begins_[static_cast<size_t>(row)] = list.value_offset(row);
    made.valid_[static_cast<size_t>(row)] = list.IsValid(row) ? 1 : 0;
  }
  made.begins_.back() = list.value_offset(list.length());
  TARN_ASSIGN_OR_RETURN(made.keys_, IntegerColumn::Make(entries.field(0), name));
  const auto values = entries.field(1);
  if (values->type_id() == arrow::Type::BINARY || values->type_id() == arrow::Type::STRING) {
    TARN_ASSIGN_OR_RETURN(made.bytes_, BytesColumn::Make(values, name));
  } else {
    TARN_ASSIGN_OR_RETURN(made.numbers_, IntegerColumn::Make(values, name));
  }
  return made;
}

std::pair<int64_t, int64_t> IdMapColumn::Entries(int64_t row) const {
  const auto i = static_cast<size_t>(row);
  if (i >= valid_.size() || valid_[i] == 0) return {0, 0};
  return {begins_[i], begins_[i + 1]};
}

Result<ValueColumn> ValuesOf(const std::shared_ptr<arrow::Array>& given, const Type& type,
                             std::string_view name) {
  const std::shared_ptr<arrow::Array> column = StorageOf(given);
  ValueColumn values = ValueColumn::Of(type);
  if (column->type_id() == arrow::Type::NA) {
    for (int64_t row = 0; row < column->length(); ++row) values.Append(Value());
    return values;
  }
  if (auto* integers = std::get_if<std::vector<int64_t>>(&values.values)) {
    if (!FillIntegers(*column, *integers, values.valid)) return WrongType(name, *column);
    const int64_t factor = FactorTo(type, *column->type());
    if (factor != 1) {
      for (int64_t& value : *integers) value *= factor;
    }
    return values;
  }
  if (auto* doubles = std::get_if<std::vector<double>>(&values.values)) {
    const auto widened = [](auto value) { return static_cast<double>(value); };
    if (column->type_id() == arrow::Type::FLOAT) {
      Fill<arrow::FloatArray>(*column, *doubles, values.valid, widened);
    } else if (column->type_id() == arrow::Type::DOUBLE) {
      Fill<arrow::DoubleArray>(*column, *doubles, values.valid, widened);
    } else {
      return WrongType(name, *column);
    }
    return values;
  }
  if (auto* decimals = std::get_if<std::vector<Int128>>(&values.values)) {
    if (column->type_id() != arrow::Type::DECIMAL128) return WrongType(name, *column);
    Fill<arrow::Decimal128Array>(*column, *decimals, values.valid, [](const uint8_t* bytes) {
      return ToInt128(arrow::Decimal128(bytes));
    });
    return values;
  }
  TARN_ASSIGN_OR_RETURN(const BytesColumn bytes, BytesColumn::Make(column, name));
  auto& texts = std::get<StringColumn>(values.values);
  for (int64_t row = 0; row < column->length(); ++row) {
    const auto text = bytes.At(row);
    values.valid.push_back(text ? 1 : 0);
    texts.Append(text.value_or(std::string_view()));
  }
  return values;
}

Type TypeOfAvro(const AvroType& given) {
  const AvroOptional optional = OptionalOf(given);
  const AvroType& avro = optional.value != nullptr ? **optional.value : given;
  switch (avro.logical) {
    case AvroLogical::kDecimal:
      return Type::Decimal(avro.precision, avro.scale);
    case AvroLogical::kDate:
      return Type::Of(TypeKind::kDate);
    case AvroLogical::kTimeMicros:
      return Type::Of(TypeKind::kTime);
    case AvroLogical::kTimestampMicros:
      return Type::Of(TypeKind::kTimestampTz);
    case AvroLogical::kLocalTimestampMicros:
      return Type::Of(TypeKind::kTimestamp);
    case AvroLogical::kTimestampNanos:
      return Type::Of(TypeKind::kTimestampTzNs);
    case AvroLogical::kLocalTimestampNanos:
      return Type::Of(TypeKind::kTimestampNs);
    case AvroLogical::kUuid:
      return Type::Of(TypeKind::kUuid);
    default:
      break;
  }
  switch (avro.kind) {
    case AvroKind::kBoolean:
      return Type::Of(TypeKind::kBoolean);
    case AvroKind::kInt:
      return Type::Of(TypeKind::kInt32);
    case AvroKind::kLong:
      return Type::Of(TypeKind::kInt64);
    case AvroKind::kFloat:
      return Type::Of(TypeKind::kFloat);
    case AvroKind::kDouble:
      return Type::Of(TypeKind::kDouble);
    case AvroKind::kString:
      return Type::Of(TypeKind::kString);
    case AvroKind::kBytes:
      return Type::Of(TypeKind::kBinary);
    case AvroKind::kFixed:
      return Type::Fixed(avro.size);
    default:
      return Type::Of(TypeKind::kVoid);
  }
}

}  // namespace tarn::iceberg
