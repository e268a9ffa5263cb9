#include "tarn/write/transform_codes.h"

#include <cstring>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <arrow/api.h>

#include "tarn/datafile/arrow_schema.h"
#include "tarn/datafile/arrow_status.h"
#include "tarn/model/partition_key.h"
#include "tarn/write/number_codes_internal.h"

namespace tarn {
namespace {

constexpr int64_t kMicrosPerHour = 3'600'000'000;
constexpr int64_t kMicrosPerDay = 24 * kMicrosPerHour;

int64_t FloorDivide(int64_t value, int64_t by) { return value / by - (value % by < 0 ? 1 : 0); }

// Codes under construction.
struct Codes : CodedColumn {
  std::unordered_map<std::string, int32_t> code_of = {};

  int32_t CodeOf(const Value& value) {
    const auto [at, fresh] =
        code_of.try_emplace(PartitionKey({value}), static_cast<int32_t>(values.size()));
    if (fresh) values.push_back(value);
    return at->second;
  }
};

// A number that is equal only for source values with equal results: the transform itself need not
// be called for each of a million instants of one day.
int64_t Reduce(const PartitionField& field, TypeKind kind, int64_t value) {
  if (field.transform == TransformKind::kIdentity || field.transform == TransformKind::kBucket) {
    return value;
  }
  int64_t per_micro = 0;
  switch (kind) {
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampTz:
      per_micro = 1;
      break;
    case TypeKind::kTimestampNs:
    case TypeKind::kTimestampTzNs:
      per_micro = 1000;
      break;
    default:
      return value;
  }
  const int64_t unit = field.transform == TransformKind::kHour ? kMicrosPerHour : kMicrosPerDay;
  return FloorDivide(value, unit * per_micro);
}

template <class Array>
void CodeNumbers(const Array& array, const PartitionField& field, const Type& type, Codes& out) {
  NumberCodes codes;
  int64_t last_key = 0;
  int32_t last_code = -1, null_code = -1;
  for (int64_t row = 0; row < array.length(); ++row) {
    if (array.IsNull(row)) {
      if (null_code < 0) null_code = out.CodeOf(Value());
      out.codes[row] = null_code;
      continue;
    }
    const int64_t value{array.Value(row)};
    const int64_t key = Reduce(field, type.kind, value);
    if (last_code < 0 || key != last_key) {
      last_key = key;
      last_code = codes.Find(static_cast<uint64_t>(key));
      if (last_code < 0) {
        Value source = type.kind == TypeKind::kBoolean ? Value(value != 0) : Value(value);
        last_code = out.CodeOf(ApplyTransform(field, type, source));
        codes.Insert(static_cast<uint64_t>(key), last_code);
      }
    }
    out.codes[row] = last_code;
  }
}

void CodeBytes(const arrow::BinaryArray& array, const PartitionField& field, const Type& type,
               Codes& out) {
  NumberCodes short_codes;  // of up to 7 bytes, packed with their length
  std::unordered_map<std::string_view, int32_t> codes;
  std::string_view last;
  int32_t last_code = -1, null_code = -1;
  for (int64_t row = 0; row < array.length(); ++row) {
    if (array.IsNull(row)) {
      if (null_code < 0) null_code = out.CodeOf(Value());
      out.codes[row] = null_code;
      continue;
    }
    const std::string_view value = array.GetView(row);
    if (last_code < 0 || value != last) {
      last = value;
      const auto code_of = [&] {
        return out.CodeOf(ApplyTransform(field, type, Value(std::string(value))));
      };
      if (value.size() < sizeof(uint64_t)) {
        uint64_t packed = 0;
        std::memcpy(&packed, value.data(), value.size());
        packed |= static_cast<uint64_t>(value.size()) << 56;
        last_code = short_codes.Find(packed);
        if (last_code < 0) short_codes.Insert(packed, last_code = code_of());
      } else {
        const auto [at, fresh] = codes.try_emplace(value, 0);
        if (fresh) at->second = code_of();
        last_code = at->second;
      }
    }
    out.codes[row] = last_code;
  }
}

Status CodeOthers(const arrow::Array& array, const PartitionField& field, const Type& type,
                  Codes& out) {
  for (int64_t row = 0; row < array.length(); ++row) {
    TARN_ASSIGN_OR_RETURN(const Value value, ValueAt(array, row, type));
    out.codes[row] = out.CodeOf(ApplyTransform(field, type, value));
  }
  return OkStatus();
}

}  // namespace

Result<CodedColumn> CodeTransform(const arrow::Array& array, const PartitionField& field,
                                  const Type& type) {
  Codes out;
  out.codes.resize(static_cast<size_t>(array.length()));
  switch (array.type_id()) {
    case arrow::Type::BOOL:
      CodeNumbers(static_cast<const arrow::BooleanArray&>(array), field, type, out);
      break;
    case arrow::Type::INT8:
      CodeNumbers(static_cast<const arrow::Int8Array&>(array), field, type, out);
      break;
    case arrow::Type::INT16:
      CodeNumbers(static_cast<const arrow::Int16Array&>(array), field, type, out);
      break;
    case arrow::Type::INT32:
      CodeNumbers(static_cast<const arrow::Int32Array&>(array), field, type, out);
      break;
    case arrow::Type::INT64:
      CodeNumbers(static_cast<const arrow::Int64Array&>(array), field, type, out);
      break;
    case arrow::Type::DATE32:
      CodeNumbers(static_cast<const arrow::Date32Array&>(array), field, type, out);
      break;
    case arrow::Type::TIME64:
      CodeNumbers(static_cast<const arrow::Time64Array&>(array), field, type, out);
      break;
    case arrow::Type::TIMESTAMP:
      CodeNumbers(static_cast<const arrow::TimestampArray&>(array), field, type, out);
      break;
    case arrow::Type::STRING:
    case arrow::Type::BINARY:
      CodeBytes(static_cast<const arrow::BinaryArray&>(array), field, type, out);
      break;
    default:
      TARN_RETURN_IF_ERROR(CodeOthers(array, field, type, out));
  }
  return CodedColumn{std::move(out.codes), std::move(out.values)};
}

Result<std::shared_ptr<arrow::Array>> ColumnAt(const arrow::RecordBatch& batch,
                                               const std::vector<int>& steps) {
  std::shared_ptr<arrow::Array> array = batch.column(steps[0]);
  for (size_t i = 1; i < steps.size(); ++i) {
    TARN_ASSIGN_OR_RETURN(
        array,
        Lift(static_cast<const arrow::StructArray&>(*array).GetFlattenedField(steps[i]), "write"));
  }
  return array;
}

}  // namespace tarn
