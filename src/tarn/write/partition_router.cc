#include "tarn/write/partition_router.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <arrow/api.h>

#include "tarn/datafile/arrow_schema.h"
#include "tarn/datafile/arrow_status.h"
#include "tarn/model/partition_key.h"

namespace tarn {
namespace {

constexpr int64_t kMicrosPerHour = 3'600'000'000;
constexpr int64_t kMicrosPerDay = 24 * kMicrosPerHour;

// Number to code, by open addressing: a std::unordered_map costs three times as much per row.
class NumberCodes {
 public:
  NumberCodes() : slots_(256) {}

  // The code of `key`, or -1 and a place for it.
  int32_t Find(uint64_t key) {
    at_ = Hash(key) & (slots_.size() - 1);
    while (slots_[at_].code >= 0) {
      if (slots_[at_].key == key) return slots_[at_].code;
      at_ = (at_ + 1) & (slots_.size() - 1);
    }
    return -1;
  }
  // After a Find that found nothing.
  void Insert(uint64_t key, int32_t code) {
    slots_[at_] = {key, code};
    if (++count_ * 2 < slots_.size()) return;
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.code < 0) continue;
      Find(slot.key);
      slots_[at_] = slot;
    }
  }

 private:
  struct Slot {
    uint64_t key = 0;
    int32_t code = -1;
  };
  static uint64_t Hash(uint64_t key) {
    key *= 0x9E3779B97F4A7C15U;
    return key ^ key >> 32;
  }
  std::vector<Slot> slots_;
  size_t count_ = 0;
  size_t at_ = 0;
};

int64_t FloorDivide(int64_t value, int64_t by) { return value / by - (value % by < 0 ? 1 : 0); }

// Codes of one partition field for each row, and the value behind each code.
struct Coded {
  std::vector<int32_t> codes;
  std::vector<Value> values;
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
void CodeNumbers(const Array& array, const PartitionField& field, const Type& type, Coded& out) {
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
               Coded& out) {
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
                  Coded& out) {
  for (int64_t row = 0; row < array.length(); ++row) {
    TARN_ASSIGN_OR_RETURN(const Value value, ValueAt(array, row, type));
    out.codes[row] = out.CodeOf(ApplyTransform(field, type, value));
  }
  return OkStatus();
}

Result<Coded> CodeField(const arrow::Array& array, const PartitionField& field, const Type& type) {
  Coded out;
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
  return out;
}

// The positions that lead to a field through structs.
std::optional<std::vector<int>> StepsTo(const std::vector<Field>& fields, int32_t id) {
  for (size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].id == id) return std::vector<int>{static_cast<int>(i)};
    if (fields[i].type.kind != TypeKind::kStruct) continue;
    auto below = StepsTo(fields[i].type.fields, id);
    if (!below) continue;
    below->insert(below->begin(), static_cast<int>(i));
    return below;
  }
  return std::nullopt;
}

}  // namespace

Result<PartitionRouter> PartitionRouter::Make(const Schema& schema, const PartitionSpec& spec) {
  PartitionRouter router;
  for (const PartitionField& field : spec.fields) {
    const Field* source = schema.FindById(field.source_id);
    auto steps = StepsTo(schema.fields, field.source_id);
    if (source == nullptr || !steps) {
      return Invalid("partition field '" + field.name + "': its column is not in the schema");
    }
    TARN_RETURN_IF_ERROR(TransformedType(field, source->type));
    router.sources_.push_back({field, source->type, std::move(*steps)});
  }
  return router;
}

Result<RoutedBatch> PartitionRouter::Route(const arrow::RecordBatch& batch) const {
  const size_t rows = static_cast<size_t>(batch.num_rows());
  std::vector<int32_t> group_of(rows, 0);
  std::vector<std::vector<Value>> groups(1);
  for (const Source& source : sources_) {
    std::shared_ptr<arrow::Array> array = batch.column(source.steps[0]);
    for (size_t i = 1; i < source.steps.size(); ++i) {
      TARN_ASSIGN_OR_RETURN(
          array,
          Lift(static_cast<const arrow::StructArray&>(*array).GetFlattenedField(source.steps[i]),
               "partition"));
    }
    TARN_ASSIGN_OR_RETURN(Coded coded, CodeField(*array, source.field, source.type));
    NumberCodes pairs;
    std::vector<std::vector<Value>> finer;
    uint64_t last_pair = 0;
    int32_t last_group = -1;
    for (size_t row = 0; row < rows; ++row) {
      const uint64_t pair =
          static_cast<uint64_t>(group_of[row]) << 32 | static_cast<uint32_t>(coded.codes[row]);
      if (last_group < 0 || pair != last_pair) {
        last_pair = pair;
        last_group = pairs.Find(pair);
        if (last_group < 0) {
          last_group = static_cast<int32_t>(finer.size());
          pairs.Insert(pair, last_group);
          finer.push_back(groups[group_of[row]]);
          finer.back().push_back(coded.values[coded.codes[row]]);
        }
      }
      group_of[row] = last_group;
    }
    groups = std::move(finer);
  }

  RoutedBatch routed;
  if (rows == 0) {
    routed.begins.push_back(0);
    return routed;
  }
  routed.partitions = std::move(groups);
  routed.begins.assign(routed.partitions.size() + 1, 0);
  for (const int32_t group : group_of) ++routed.begins[group + 1];
  for (size_t i = 1; i < routed.begins.size(); ++i) routed.begins[i] += routed.begins[i - 1];
  std::vector<int32_t> next(routed.begins.begin(), routed.begins.end() - 1);
  routed.order.resize(rows);
  for (size_t row = 0; row < rows; ++row) {
    routed.order[next[group_of[row]]++] = static_cast<int32_t>(row);
  }
  return routed;
}

}  // namespace tarn