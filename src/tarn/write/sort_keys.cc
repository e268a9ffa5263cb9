#include "tarn/write/sort_keys.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <arrow/api.h>

#include "tarn/datafile/arrow_schema.h"
#include "tarn/datafile/arrow_status.h"
#include "tarn/write/transform_codes.h"

namespace tarn {
namespace {

using Bits = uint64_t;
constexpr Bits kSign = Bits{1} << 63;

// How one field is written: what stands for NULL and for a value, and what turns the order round.
struct Direction {
  explicit Direction(const SortField& field)
      : null(field.nulls_first ? 0 : 1),
        value(field.nulls_first ? 1 : 0),
        flip(field.descending ? 0xFF : 0) {}
  uint8_t null;
  uint8_t value;
  uint8_t flip;
};

uint8_t* PutBits(uint8_t* at, Bits bits, int bytes, uint8_t flip) {
  for (int i = bytes - 1; i >= 0; --i) *at++ = static_cast<uint8_t>(bits >> (8 * i)) ^ flip;
  return at;
}

// A number's bits in an order without sign. Floating: by IEEE 754's total order.
template <class Number>
Bits Ordered(Number number) {
  if constexpr (std::is_floating_point_v<Number>) {
    using Unsigned = std::conditional_t<sizeof(Number) == 4, uint32_t, uint64_t>;
    constexpr Unsigned kTop = Unsigned{1} << (8 * sizeof(Number) - 1);
    const auto bits = std::bit_cast<Unsigned>(number);
    return (bits & kTop) != 0 ? static_cast<Unsigned>(~bits) : static_cast<Unsigned>(bits | kTop);
  } else if constexpr (std::is_same_v<Number, bool>) {
    return number ? 1 : 0;
  } else {
    constexpr Bits kTop = Bits{1} << (8 * sizeof(Number) - 1);
    return (static_cast<Bits>(number) ^ kTop);
  }
}

size_t BytesSize(std::string_view bytes) {
  size_t size = bytes.size() + 2;
  for (const char c : bytes) size += c == '\0' ? 1 : 0;
  return size;
}

uint8_t* PutBytes(uint8_t* at, std::string_view bytes, uint8_t flip) {
  for (const char c : bytes) {
    *at++ = static_cast<uint8_t>(c) ^ flip;
    if (c == '\0') *at++ = uint8_t{0xFF} ^ flip;
  }
  *at++ = flip;
  *at++ = flip;
  return at;
}

uint8_t* PutDecimal(uint8_t* at, Int128 number, uint8_t flip) {
  at = PutBits(at, static_cast<Bits>(number >> 64) ^ kSign, 8, flip);
  return PutBits(at, static_cast<Bits>(number), 8, flip);
}

// A value's bytes, NULL's included.
std::string KeyOf(const Value& value, const Direction& direction) {
  const auto* text = std::get_if<std::string>(&value);
  std::string key(text != nullptr ? BytesSize(*text) + 1 : 17, '\0');
  auto* const begin = reinterpret_cast<uint8_t*>(key.data());
  uint8_t* at = begin;
  *at++ = IsNull(value) ? direction.null : direction.value;
  if (text != nullptr) {
    at = PutBytes(at, *text, direction.flip);
  } else if (const auto* number = std::get_if<int64_t>(&value)) {
    at = PutBits(at, Ordered(*number), 8, direction.flip);
  } else if (const auto* real = std::get_if<double>(&value)) {
    at = PutBits(at, Ordered(*real), 8, direction.flip);
  } else if (const auto* decimal = std::get_if<Int128>(&value)) {
    at = PutDecimal(at, *decimal, direction.flip);
  } else if (const auto* truth = std::get_if<bool>(&value)) {
    at = PutBits(at, Ordered(*truth), 1, direction.flip);
  }
  key.resize(static_cast<size_t>(at - begin));
  return key;
}

// Writes one field's part of every row's key: first how long it is, then the bytes.
class FieldWriter {
 public:
  virtual ~FieldWriter() = default;
  virtual void Measure(std::vector<int64_t>& sizes) const = 0;
  virtual void Write(std::vector<uint8_t*>& ends) const = 0;
};

template <class Array, class Number>
class NumberWriter final : public FieldWriter {
 public:
  NumberWriter(std::shared_ptr<arrow::Array> array, Direction direction)
      : array_(std::move(array)), direction_(direction) {}

  void Measure(std::vector<int64_t>& sizes) const override {
    const bool nulls = array_->null_count() > 0;
    for (size_t row = 0; row < sizes.size(); ++row) {
      sizes[row] += nulls && array_->IsNull(static_cast<int64_t>(row)) ? 1 : 1 + kBytes;
    }
  }
  void Write(std::vector<uint8_t*>& ends) const override {
    const auto& array = static_cast<const Array&>(*array_);
    const bool nulls = array.null_count() > 0;
    for (size_t row = 0; row < ends.size(); ++row) {
      uint8_t*& at = ends[row];
      if (nulls && array.IsNull(static_cast<int64_t>(row))) {
        *at++ = direction_.null;
        continue;
      }
      *at++ = direction_.value;
      const auto number = static_cast<Number>(array.Value(static_cast<int64_t>(row)));
      at = PutBits(at, Ordered(number), kBytes, direction_.flip);
    }
  }

 private:
  static constexpr int kBytes = sizeof(Number);
  const std::shared_ptr<arrow::Array> array_;
  const Direction direction_;
};

class BytesWriter final : public FieldWriter {
 public:
  BytesWriter(std::shared_ptr<arrow::Array> array, Direction direction)
      : array_(std::move(array)), direction_(direction) {}

  void Measure(std::vector<int64_t>& sizes) const override {
    const auto& array = static_cast<const arrow::BinaryArray&>(*array_);
    for (size_t row = 0; row < sizes.size(); ++row) {
      const auto at = static_cast<int64_t>(row);
      sizes[row] += 1;
      if (!array.IsNull(at)) sizes[row] += static_cast<int64_t>(BytesSize(array.GetView(at)));
    }
  }
  void Write(std::vector<uint8_t*>& ends) const override {
    const auto& array = static_cast<const arrow::BinaryArray&>(*array_);
    for (size_t row = 0; row < ends.size(); ++row) {
      const auto at = static_cast<int64_t>(row);
      const bool null = array.IsNull(at);
      *ends[row]++ = null ? direction_.null : direction_.value;
      if (!null) ends[row] = PutBytes(ends[row], array.GetView(at), direction_.flip);
    }
  }

 private:
  const std::shared_ptr<arrow::Array> array_;
  const Direction direction_;
};

// Decimals and bytes of a fixed width: NULL or `width` bytes.
class FixedWriter final : public FieldWriter {
 public:
  FixedWriter(std::shared_ptr<arrow::Array> array, Direction direction)
      : array_(std::move(array)), direction_(direction) {}

  void Measure(std::vector<int64_t>& sizes) const override {
    const int64_t width = Values().byte_width();
    for (size_t row = 0; row < sizes.size(); ++row) {
      sizes[row] += array_->IsNull(static_cast<int64_t>(row)) ? 1 : 1 + width;
    }
  }
  void Write(std::vector<uint8_t*>& ends) const override {
    const auto& values = Values();
    const bool decimal = array_->type_id() == arrow::Type::DECIMAL128;
    for (size_t row = 0; row < ends.size(); ++row) {
      const auto at = static_cast<int64_t>(row);
      const bool null = array_->IsNull(at);
      *ends[row]++ = null ? direction_.null : direction_.value;
      if (null) continue;
      const uint8_t* const bytes = values.GetValue(at);
      if (decimal) {
        Int128 number = 0;
        std::memcpy(&number, bytes, sizeof(number));
        ends[row] = PutDecimal(ends[row], number, direction_.flip);
      } else {
        for (int i = 0; i < values.byte_width(); ++i) *ends[row]++ = bytes[i] ^ direction_.flip;
      }
    }
  }

 private:
  const arrow::FixedSizeBinaryArray& Values() const {
    return static_cast<const arrow::FixedSizeBinaryArray&>(*array_);
  }
  const std::shared_ptr<arrow::Array> array_;
  const Direction direction_;
};

// Of what a transform makes, worked out once for each different value.
class CodeWriter final : public FieldWriter {
 public:
  CodeWriter(CodedColumn coded, const Direction& direction) : codes_(std::move(coded.codes)) {
    keys_.reserve(coded.values.size());
    for (const Value& value : coded.values) keys_.push_back(KeyOf(value, direction));
  }

  void Measure(std::vector<int64_t>& sizes) const override {
    for (size_t row = 0; row < sizes.size(); ++row) {
      sizes[row] += static_cast<int64_t>(KeyAt(row).size());
    }
  }
  void Write(std::vector<uint8_t*>& ends) const override {
    for (size_t row = 0; row < ends.size(); ++row) {
      const std::string& key = KeyAt(row);
      std::memcpy(ends[row], key.data(), key.size());
      ends[row] += key.size();
    }
  }

 private:
  const std::string& KeyAt(size_t row) const { return keys_[static_cast<size_t>(codes_[row])]; }

  const std::vector<int32_t> codes_;
  std::vector<std::string> keys_;
};

using FieldWriterPtr = std::unique_ptr<FieldWriter>;

Result<FieldWriterPtr> WriterFor(const std::shared_ptr<arrow::Array>& array, const SortField& field,
                                 const Type& type) {
  const Direction direction(field);
  if (field.transform == TransformKind::kIdentity) {
    switch (array->type_id()) {
      case arrow::Type::BOOL:
        return FieldWriterPtr(new NumberWriter<arrow::BooleanArray, bool>(array, direction));
      case arrow::Type::INT8:
        return FieldWriterPtr(new NumberWriter<arrow::Int8Array, int8_t>(array, direction));
      case arrow::Type::INT16:
        return FieldWriterPtr(new NumberWriter<arrow::Int16Array, int16_t>(array, direction));
      case arrow::Type::INT32:
        return FieldWriterPtr(new NumberWriter<arrow::Int32Array, int32_t>(array, direction));
      case arrow::Type::DATE32:
        return FieldWriterPtr(new NumberWriter<arrow::Date32Array, int32_t>(array, direction));
      case arrow::Type::INT64:
        return FieldWriterPtr(new NumberWriter<arrow::Int64Array, int64_t>(array, direction));
      case arrow::Type::TIME64:
        return FieldWriterPtr(new NumberWriter<arrow::Time64Array, int64_t>(array, direction));
      case arrow::Type::TIMESTAMP:
        return FieldWriterPtr(new NumberWriter<arrow::TimestampArray, int64_t>(array, direction));
      case arrow::Type::FLOAT:
        return FieldWriterPtr(new NumberWriter<arrow::FloatArray, float>(array, direction));
      case arrow::Type::DOUBLE:
        return FieldWriterPtr(new NumberWriter<arrow::DoubleArray, double>(array, direction));
      case arrow::Type::STRING:
      case arrow::Type::BINARY:
        return FieldWriterPtr(new BytesWriter(array, direction));
      case arrow::Type::DECIMAL128:
      case arrow::Type::FIXED_SIZE_BINARY:
        return FieldWriterPtr(new FixedWriter(array, direction));
      default:
        break;
    }
  }
  TARN_ASSIGN_OR_RETURN(CodedColumn coded, CodeTransform(*array, TransformOf(field), type));
  return FieldWriterPtr(new CodeWriter(std::move(coded), direction));
}

}  // namespace

Result<SortKeys> SortKeys::Make(const Schema& schema, const SortOrder& order) {
  TARN_RETURN_IF_ERROR(CheckSortOrder(order, schema));
  SortKeys keys;
  for (const SortField& field : order.fields) {
    keys.sources_.push_back({field, schema.FindById(field.source_id)->type,
                             *StepsThroughStructs(schema, field.source_id)});
  }
  return keys;
}

Result<std::shared_ptr<arrow::BinaryArray>> SortKeys::Of(const arrow::RecordBatch& batch) const {
  const auto rows = static_cast<size_t>(batch.num_rows());
  std::vector<FieldWriterPtr> writers;
  std::vector<int64_t> sizes(rows, 0);
  for (const Source& source : sources_) {
    TARN_ASSIGN_OR_RETURN(const auto array, ColumnAt(batch, source.steps));
    TARN_ASSIGN_OR_RETURN(writers.emplace_back(), WriterFor(array, source.field, source.type));
    writers.back()->Measure(sizes);
  }
  TARN_ASSIGN_OR_RETURN(
      std::shared_ptr<arrow::Buffer> offsets,
      Lift(arrow::AllocateBuffer(static_cast<int64_t>((rows + 1) * sizeof(int32_t))), "sort"));
  auto* const offset = offsets->mutable_data_as<int32_t>();
  int64_t total = 0;
  for (size_t row = 0; row < rows; ++row) {
    offset[row] = static_cast<int32_t>(total);
    total += sizes[row];
    if (total > std::numeric_limits<int32_t>::max()) {
      return Invalid("sort: the keys of " + std::to_string(rows) + " rows pass 2 GiB");
    }
  }
  offset[rows] = static_cast<int32_t>(total);
  TARN_ASSIGN_OR_RETURN(std::shared_ptr<arrow::Buffer> bytes,
                        Lift(arrow::AllocateBuffer(total), "sort"));
  std::vector<uint8_t*> ends(rows);
  for (size_t row = 0; row < rows; ++row) ends[row] = bytes->mutable_data() + offset[row];
  for (const FieldWriterPtr& writer : writers) writer->Write(ends);
  return std::make_shared<arrow::BinaryArray>(static_cast<int64_t>(rows), offsets, bytes);
}

}  // namespace tarn
