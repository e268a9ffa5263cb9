#include "tarn/write/gather.h"

#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include <arrow/api.h>
#include <arrow/compute/api_vector.h>
#include <arrow/util/bit_util.h>

#include "tarn/datafile/arrow_status.h"

namespace tarn {
namespace {

constexpr const char* kWhere = "gather";

using Batches = std::vector<std::shared_ptr<arrow::RecordBatch>>;
using ArrayPtr = std::shared_ptr<arrow::Array>;

int64_t CountOf(const std::vector<PickedRows>& picked) {
  int64_t count = 0;
  for (const PickedRows& pick : picked) count += static_cast<int64_t>(pick.rows.size());
  return count;
}

// The validity of the picked rows, null where all are valid; `nulls` counts the others.
Result<std::shared_ptr<arrow::Buffer>> GatherValidity(const std::vector<const arrow::Array*>& from,
                                                      const std::vector<PickedRows>& picked,
                                                      int64_t count, arrow::MemoryPool* pool,
                                                      int64_t& nulls) {
  nulls = 0;
  bool any = false;
  for (const PickedRows& pick : picked) any = any || from[pick.batch]->null_count() > 0;
  if (!any) return std::shared_ptr<arrow::Buffer>();
  TARN_ASSIGN_OR_RETURN(std::shared_ptr<arrow::Buffer> bits,
                        Lift(arrow::AllocateEmptyBitmap(count, pool), kWhere));
  uint8_t* out = bits->mutable_data();
  int64_t at = 0;
  for (const PickedRows& pick : picked) {
    const arrow::Array& array = *from[pick.batch];
    for (const int32_t row : pick.rows) {
      if (array.IsValid(row)) {
        arrow::bit_util::SetBit(out, at);
      } else {
        ++nulls;
      }
      ++at;
    }
  }
  return bits;
}

template <class Word>
void CopyWords(const std::vector<const arrow::Array*>& from, const std::vector<PickedRows>& picked,
               uint8_t* bytes) {
  Word* out = reinterpret_cast<Word*>(bytes);
  for (const PickedRows& pick : picked) {
    const arrow::ArrayData& data = *from[pick.batch]->data();
    const Word* in = reinterpret_cast<const Word*>(data.buffers[1]->data()) + data.offset;
    for (const int32_t row : pick.rows) *out++ = in[row];
  }
}

struct Wide {  // 16 bytes, of no alignment beyond that of Arrow's buffers
  uint64_t low, high;
};

void CopyFixed(const std::vector<const arrow::Array*>& from, const std::vector<PickedRows>& picked,
               int width, uint8_t* out) {
  switch (width) {
    case 1:
      return CopyWords<uint8_t>(from, picked, out);
    case 2:
      return CopyWords<uint16_t>(from, picked, out);
    case 4:
      return CopyWords<uint32_t>(from, picked, out);
    case 8:
      return CopyWords<uint64_t>(from, picked, out);
    case 16:
      return CopyWords<Wide>(from, picked, out);
    default:
      break;
  }
  for (const PickedRows& pick : picked) {
    const arrow::ArrayData& data = *from[pick.batch]->data();
    const uint8_t* in = data.buffers[1]->data() + data.offset * width;
    for (const int32_t row : pick.rows) {
      std::memcpy(out, in + static_cast<int64_t>(row) * width, static_cast<size_t>(width));
      out += width;
    }
  }
}

Result<ArrayPtr> GatherFixed(const std::vector<const arrow::Array*>& from,
                             const std::vector<PickedRows>& picked, int64_t count,
                             arrow::MemoryPool* pool) {
  const int width = from[0]->type()->byte_width();
  TARN_ASSIGN_OR_RETURN(std::shared_ptr<arrow::Buffer> values,
                        Lift(arrow::AllocateBuffer(count * width, pool), kWhere));
  CopyFixed(from, picked, width, values->mutable_data());
  int64_t nulls = 0;
  TARN_ASSIGN_OR_RETURN(auto validity, GatherValidity(from, picked, count, pool, nulls));
  return arrow::MakeArray(arrow::ArrayData::Make(from[0]->type(), count,
                                                 {std::move(validity), std::move(values)}, nulls));
}

Result<ArrayPtr> GatherText(const std::vector<const arrow::Array*>& from,
                            const std::vector<PickedRows>& picked, int64_t count,
                            arrow::MemoryPool* pool) {
  TARN_ASSIGN_OR_RETURN(
      std::shared_ptr<arrow::Buffer> offsets,
      Lift(arrow::AllocateBuffer((count + 1) * int64_t{sizeof(int32_t)}, pool), kWhere));
  auto* offset = reinterpret_cast<int32_t*>(offsets->mutable_data());
  int64_t bytes = 0;
  *offset++ = 0;
  for (const PickedRows& pick : picked) {
    const int32_t* in =
        static_cast<const arrow::BinaryArray&>(*from[pick.batch]).raw_value_offsets();
    for (const int32_t row : pick.rows) {
      bytes += in[row + 1] - in[row];
      *offset++ = static_cast<int32_t>(bytes);
    }
  }
  if (bytes > std::numeric_limits<int32_t>::max()) {
    return Invalid("more than 2 GiB of text in one column of one partition; write smaller batches");
  }
  TARN_ASSIGN_OR_RETURN(std::shared_ptr<arrow::Buffer> values,
                        Lift(arrow::AllocateBuffer(bytes, pool), kWhere));
  uint8_t* out = values->mutable_data();
  for (const PickedRows& pick : picked) {
    const auto& array = static_cast<const arrow::BinaryArray&>(*from[pick.batch]);
    const int32_t* in = array.raw_value_offsets();
    const uint8_t* data = array.raw_data();
    if (data == nullptr) continue;
    for (const int32_t row : pick.rows) {
      const size_t length = static_cast<size_t>(in[row + 1] - in[row]);
      std::memcpy(out, data + in[row], length);
      out += length;
    }
  }
  int64_t nulls = 0;
  TARN_ASSIGN_OR_RETURN(auto validity, GatherValidity(from, picked, count, pool, nulls));
  return arrow::MakeArray(arrow::ArrayData::Make(
      from[0]->type(), count, {std::move(validity), std::move(offsets), std::move(values)}, nulls));
}

Result<ArrayPtr> GatherOthers(const std::vector<const arrow::Array*>& from,
                              const std::vector<PickedRows>& picked) {
  arrow::ArrayVector pieces;
  for (const PickedRows& pick : picked) {
    const arrow::Int32Array rows(
        static_cast<int64_t>(pick.rows.size()),
        std::make_shared<arrow::Buffer>(reinterpret_cast<const uint8_t*>(pick.rows.data()),
                                        static_cast<int64_t>(pick.rows.size_bytes())));
    TARN_ASSIGN_OR_RETURN(auto piece,
                          Lift(arrow::compute::Take(*from[pick.batch], rows,
                                                    arrow::compute::TakeOptions::NoBoundsCheck()),
                               kWhere));
    pieces.push_back(std::move(piece));
  }
  return Lift(arrow::Concatenate(pieces), kWhere);
}

Result<ArrayPtr> GatherColumn(const std::vector<const arrow::Array*>& from,
                              const std::vector<PickedRows>& picked, int64_t count,
                              arrow::MemoryPool* pool) {
  const arrow::DataType& type = *from[0]->type();
  switch (type.id()) {
    case arrow::Type::NA:
      return Lift(arrow::MakeArrayOfNull(from[0]->type(), count), kWhere);
    case arrow::Type::STRING:
    case arrow::Type::BINARY:
      return GatherText(from, picked, count, pool);
    case arrow::Type::BOOL:
    case arrow::Type::DICTIONARY:
    case arrow::Type::EXTENSION:
      return GatherOthers(from, picked);
    default:
      break;
  }
  if (arrow::is_fixed_width(type.id()) && type.byte_width() > 0) {
    return GatherFixed(from, picked, count, pool);
  }
  return GatherOthers(from, picked);
}

}  // namespace

Result<std::shared_ptr<arrow::RecordBatch>> GatherRows(const Batches& batches,
                                                       const std::vector<PickedRows>& picked,
                                                       const std::vector<int>& columns,
                                                       arrow::MemoryPool* pool) {
  if (pool == nullptr) pool = arrow::default_memory_pool();
  const int64_t count = CountOf(picked);
  std::vector<std::shared_ptr<arrow::Field>> fields;
  arrow::ArrayVector arrays;
  for (const int column : columns) {
    fields.push_back(batches[0]->schema()->field(column));
    std::vector<ArrayPtr> owners;
    std::vector<const arrow::Array*> from;
    for (const auto& batch : batches) {
      owners.push_back(batch->column(column));
      from.push_back(owners.back().get());
    }
    if (picked.empty()) {
      TARN_ASSIGN_OR_RETURN(auto none, Lift(arrow::MakeEmptyArray(from[0]->type()), kWhere));
      arrays.push_back(std::move(none));
      continue;
    }
    TARN_ASSIGN_OR_RETURN(auto array, GatherColumn(from, picked, count, pool));
    arrays.push_back(std::move(array));
  }
  return arrow::RecordBatch::Make(arrow::schema(std::move(fields)), count, std::move(arrays));
}

}  // namespace tarn
