#include "tarn/format/delta/parquet_leaf.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <variant>

#include <parquet/column_reader.h>
#include <parquet/exception.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>
#include <parquet/schema.h>
#include <parquet/statistics.h>
#include <parquet/types.h>

#include "tarn/datafile/arrow_status.h"
#include "tarn/datafile/storage_file.h"
#include "tarn/format/delta/scalar_text.h"

namespace tarn::delta {
namespace {

constexpr int64_t kEntriesPerRead = 4096;
// Column chunks of others' checkpoints reach 100 MB: they are read in pieces of this size.
constexpr int64_t kReadBytes = int64_t{2} << 20;

template <class Call>
auto Guarded(const std::string& name, const Call& call) -> decltype(call()) {
  try {
    return call();
  } catch (const parquet::ParquetStatusException& e) {
    return ArrowError(e.status(), "delta: '" + name + "'");  // what storage said, if it was that
  } catch (const std::exception& e) {
    return Corrupt("delta: '" + name + "': " + e.what());
  }
}

Int128 BigEndian(const uint8_t* bytes, int64_t length) {
  __extension__ using Unsigned = unsigned __int128;
  Unsigned number = length > 0 && (bytes[0] & 0x80) != 0 ? ~Unsigned{0} : Unsigned{0};
  for (int64_t i = 0; i < length; ++i) number = (number << 8) | bytes[i];
  return static_cast<Int128>(number);
}

// A decimal at another scale, null when digits would be lost or 38 passed.
Value Rescaled(Int128 unscaled, int32_t from, const Type& type) {
  if (from > type.scale) return {};
  Int128 limit = 1;
  for (int32_t i = 0; i < type.precision; ++i) limit *= 10;
  for (int32_t i = from; i < type.scale; ++i) {
    if (unscaled >= limit / 10 || unscaled <= -limit / 10) return {};
    unscaled *= 10;
  }
  if (unscaled >= limit || unscaled <= -limit) return {};
  return unscaled;
}

// µs of an INT64 timestamp, or null.
Value Micros(int64_t number, const parquet::LogicalType* logical) {
  const auto* timestamp = dynamic_cast<const parquet::TimestampLogicalType*>(logical);
  if (timestamp == nullptr) return number;
  switch (timestamp->time_unit()) {
    case parquet::LogicalType::TimeUnit::MILLIS:
      if (number > INT64_MAX / 1000 || number < INT64_MIN / 1000) return {};
      return number * 1000;
    case parquet::LogicalType::TimeUnit::NANOS:
      return number / 1000 - (number % 1000 < 0 ? 1 : 0);
    default:
      return number;
  }
}

Value MicrosOfInt96(const parquet::Int96& value) {
  constexpr int64_t kJulianEpochDay = 2'440'588;
  constexpr int64_t kMicrosPerDay = int64_t{86'400} * 1'000'000;
  uint64_t nanos = 0;
  std::memcpy(&nanos, &value.value[0], sizeof(nanos));
  const int64_t days = static_cast<int64_t>(value.value[2]) - kJulianEpochDay;
  if (days > 106'751'990 || days < -106'751'990 || nanos > 86'400'000'000'000ULL) return {};
  return days * kMicrosPerDay + static_cast<int64_t>(nanos / 1000);
}

int16_t RepeatedDefinition(const parquet::ColumnDescriptor& column) {
  int16_t below = 0;  // definition levels between the repeated group and the leaf
  for (const parquet::schema::Node* node = column.schema_node().get(); node != nullptr;
       node = node->parent()) {
    if (node->is_repeated()) return static_cast<int16_t>(column.max_definition_level() - below);
    if (node->is_optional()) ++below;
  }
  return 0;
}

}  // namespace

struct LeafCursor::Parts {
  // Keeps the file open as long as a cursor is.
  std::shared_ptr<parquet::ParquetFileReader> file;
  std::shared_ptr<parquet::RowGroupReader> row_group;
  std::shared_ptr<parquet::ColumnReader> reader;
  const parquet::ColumnDescriptor* column = nullptr;
  std::string name;
  int64_t entries_per_read = 0;  // what the vectors below hold
  std::vector<int16_t> definitions;
  std::vector<int16_t> repetitions;
  std::vector<int32_t> int32s;
  std::vector<int64_t> int64s;
  std::vector<float> floats;
  std::vector<double> doubles;
  std::unique_ptr<bool[]> booleans;
  std::vector<parquet::Int96> int96s;
  std::vector<parquet::ByteArray> byte_arrays;
  std::vector<parquet::FixedLenByteArray> fixed;

  template <class ReaderType, class T>
  int64_t Read(T* values) {
    auto& typed = static_cast<ReaderType&>(*reader);
    int64_t values_read = 0;
    // A page may hold no entries; only HasNext says that nothing follows.
    while (typed.HasNext()) {
      const int64_t levels = typed.ReadBatch(entries_per_read, definitions.data(),
                                             repetitions.data(), values, &values_read);
      if (levels > 0) {
        if (column->max_definition_level() == 0) {
          std::fill_n(definitions.begin(), levels, int16_t{0});
        }
        return levels;
      }
    }
    return 0;
  }

  int64_t Fill() {
    using parquet::Type;
    switch (column->physical_type()) {
      case Type::BOOLEAN:
        return Read<parquet::BoolReader>(booleans.get());
      case Type::INT32:
        return Read<parquet::Int32Reader>(int32s.data());
      case Type::INT64:
        return Read<parquet::Int64Reader>(int64s.data());
      case Type::INT96:
        return Read<parquet::Int96Reader>(int96s.data());
      case Type::FLOAT:
        return Read<parquet::FloatReader>(floats.data());
      case Type::DOUBLE:
        return Read<parquet::DoubleReader>(doubles.data());
      case Type::BYTE_ARRAY:
        return Read<parquet::ByteArrayReader>(byte_arrays.data());
      case Type::FIXED_LEN_BYTE_ARRAY:
        return Read<parquet::FixedLenByteArrayReader>(fixed.data());
      default:
        return 0;
    }
  }

  // Most checkpoints are small, and have many leaves.
  void Allocate(int64_t entries) {
    using parquet::Type;
    entries_per_read = std::clamp<int64_t>(entries, 1, kEntriesPerRead);
    const auto size = static_cast<size_t>(entries_per_read);
    definitions.resize(size);
    repetitions.resize(size);
    switch (column->physical_type()) {
      case Type::BOOLEAN:
        booleans = std::make_unique<bool[]>(size);
        break;
      case Type::INT32:
        int32s.resize(size);
        break;
      case Type::INT64:
        int64s.resize(size);
        break;
      case Type::INT96:
        int96s.resize(size);
        break;
      case Type::FLOAT:
        floats.resize(size);
        break;
      case Type::DOUBLE:
        doubles.resize(size);
        break;
      case Type::BYTE_ARRAY:
        byte_arrays.resize(size);
        break;
      case Type::FIXED_LEN_BYTE_ARRAY:
        fixed.resize(size);
        break;
      default:
        break;
    }
  }

  int64_t Skip(int64_t rows) {
    using parquet::Type;
    switch (column->physical_type()) {
      case Type::BOOLEAN:
        return static_cast<parquet::BoolReader&>(*reader).Skip(rows);
      case Type::INT32:
        return static_cast<parquet::Int32Reader&>(*reader).Skip(rows);
      case Type::INT64:
        return static_cast<parquet::Int64Reader&>(*reader).Skip(rows);
      case Type::INT96:
        return static_cast<parquet::Int96Reader&>(*reader).Skip(rows);
      case Type::FLOAT:
        return static_cast<parquet::FloatReader&>(*reader).Skip(rows);
      case Type::DOUBLE:
        return static_cast<parquet::DoubleReader&>(*reader).Skip(rows);
      case Type::BYTE_ARRAY:
        return static_cast<parquet::ByteArrayReader&>(*reader).Skip(rows);
      case Type::FIXED_LEN_BYTE_ARRAY:
        return static_cast<parquet::FixedLenByteArrayReader&>(*reader).Skip(rows);
      default:
        return 0;
    }
  }
};

LeafCursor::LeafCursor(std::unique_ptr<Parts> parts)
    : parts_(std::move(parts)),
      definitions_(parts_->definitions.data()),
      repetitions_(parts_->column->max_repetition_level() > 0 ? parts_->repetitions.data()
                                                              : nullptr),
      definition_max_(parts_->column->max_definition_level()),
      repeated_definition_(RepeatedDefinition(*parts_->column)) {}
LeafCursor::~LeafCursor() = default;
LeafCursor::LeafCursor(LeafCursor&&) noexcept = default;
LeafCursor& LeafCursor::operator=(LeafCursor&&) noexcept = default;

bool LeafCursor::Refill() {
  at_ = filled_ = value_ = 0;
  has_value_before_ = false;
  if (!status_.ok()) return false;
  const Result<int64_t> read =
      Guarded(parts_->name, [&]() -> Result<int64_t> { return parts_->Fill(); });
  if (!read.ok()) {
    status_ = read.error();
    return false;
  }
  if (*read == 0) return false;
  filled_ = *read;
  has_value_before_ = definitions_[0] == definition_max_;
  return true;
}

void LeafCursor::SkipRows(int64_t rows) {
  while (rows > 0) {
    const int64_t buffered = std::max<int64_t>(filled_ - at_ - 1, 0);
    if (buffered == 0) break;
    const int64_t step = std::min(rows, buffered);
    for (int64_t i = 0; i < step; ++i) Next();
    rows -= step;
  }
  if (rows <= 0 || !status_.ok()) return;
  const Status skipped = Guarded(parts_->name, [&]() -> Status {
    parts_->Skip(rows);
    return {};
  });
  if (!skipped.ok()) status_ = skipped;
  // The buffer is spent: the next Next reads anew.
  at_ = filled_ = value_ = 0;
  at_ = -1;
  has_value_before_ = false;
}

std::string_view LeafCursor::bytes() const {
  if (parts_->byte_arrays.empty()) return {};
  const parquet::ByteArray& value = parts_->byte_arrays[static_cast<size_t>(value_)];
  return {reinterpret_cast<const char*>(value.ptr), value.len};
}

int64_t LeafCursor::integer() const {
  const auto at = static_cast<size_t>(value_);
  switch (parts_->column->physical_type()) {
    case parquet::Type::INT32:
      return parts_->int32s[at];
    case parquet::Type::INT64:
      return parts_->int64s[at];
    case parquet::Type::BOOLEAN:
      return parts_->booleans[at] ? 1 : 0;
    default:
      return 0;
  }
}

Value LeafCursor::ValueAs(const Type& type) const {
  using Physical = parquet::Type;
  const auto at = static_cast<size_t>(value_);
  const Physical::type physical = parts_->column->physical_type();
  const parquet::LogicalType* logical = parts_->column->logical_type().get();
  const auto* decimal = dynamic_cast<const parquet::DecimalLogicalType*>(logical);
  const bool is_integer =
      (physical == Physical::INT32 || physical == Physical::INT64) && decimal == nullptr;
  const bool is_date = logical != nullptr && logical->is_date();
  switch (type.kind) {
    case TypeKind::kBoolean:
      if (physical == Physical::BOOLEAN) return integer() != 0;
      return {};
    case TypeKind::kInt8:
    case TypeKind::kInt16:
    case TypeKind::kInt32:
    case TypeKind::kInt64:
      if (is_integer && !is_date && FitsInteger(type.kind, integer())) return integer();
      return {};
    case TypeKind::kDate:
      if (physical == Physical::INT32 && is_date) return integer();
      return {};
    case TypeKind::kFloat:
    case TypeKind::kDouble: {
      double number = 0;
      if (physical == Physical::FLOAT) {
        number = parts_->floats[at];
      } else if (physical == Physical::DOUBLE) {
        number = parts_->doubles[at];
      } else if (physical == Physical::INT32 && is_integer) {
        number = static_cast<double>(integer());
      } else {
        return {};
      }
      if (std::isnan(number)) return {};
      return number;
    }
    case TypeKind::kDecimal: {
      if (is_integer && !is_date) return Rescaled(integer(), 0, type);
      if (decimal == nullptr) return {};
      Int128 unscaled = 0;
      if (physical == Physical::INT32 || physical == Physical::INT64) {
        unscaled = integer();
      } else if (physical == Physical::FIXED_LEN_BYTE_ARRAY) {
        const int length = parts_->column->type_length();
        if (length > 16) return {};
        unscaled = BigEndian(parts_->fixed[at].ptr, length);
      } else if (physical == Physical::BYTE_ARRAY && bytes().size() <= 16) {
        unscaled = BigEndian(parts_->byte_arrays[at].ptr, parts_->byte_arrays[at].len);
      } else {
        return {};
      }
      return Rescaled(unscaled, decimal->scale(), type);
    }
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampTz:
      if (physical == Physical::INT96) return MicrosOfInt96(parts_->int96s[at]);
      if (physical == Physical::INT64 && is_integer) return Micros(integer(), logical);
      if (physical == Physical::INT32 && is_date) {
        return integer() * (int64_t{86'400} * 1'000'000);
      }
      return {};
    case TypeKind::kString:
    case TypeKind::kBinary:
      if (physical == Physical::BYTE_ARRAY && decimal == nullptr) return std::string(bytes());
      return {};
    default:
      return {};
  }
}

struct CheckpointParquet::Parts {
  std::shared_ptr<parquet::ParquetFileReader> file;
  std::string name;
  std::vector<std::vector<std::string>> paths;  // by leaf
};

CheckpointParquet::CheckpointParquet(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
CheckpointParquet::~CheckpointParquet() = default;

Result<std::unique_ptr<CheckpointParquet>> CheckpointParquet::Open(
    std::shared_ptr<const ObjectReader> object, std::string name) {
  return Guarded(name, [&]() -> Result<std::unique_ptr<CheckpointParquet>> {
    parquet::ReaderProperties properties;
    properties.enable_buffered_stream();
    properties.set_buffer_size(kReadBytes);
    properties.set_page_checksum_verification(true);
    auto parts = std::make_unique<Parts>();
    parts->name = name;
    parts->file = parquet::ParquetFileReader::Open(MakeArrowFile(std::move(object)), properties);
    const parquet::SchemaDescriptor* schema = parts->file->metadata()->schema();
    for (int leaf = 0; leaf < schema->num_columns(); ++leaf) {
      parts->paths.push_back(schema->Column(leaf)->path()->ToDotVector());
    }
    return std::unique_ptr<CheckpointParquet>(new CheckpointParquet(std::move(parts)));
  });
}

const std::string& CheckpointParquet::name() const { return parts_->name; }
int CheckpointParquet::row_groups() const { return parts_->file->metadata()->num_row_groups(); }

int64_t CheckpointParquet::rows(int row_group) const {
  return parts_->file->metadata()->RowGroup(row_group)->num_rows();
}

int CheckpointParquet::Leaf(std::span<const std::string_view> path) const {
  for (size_t leaf = 0; leaf < parts_->paths.size(); ++leaf) {
    if (std::equal(path.begin(), path.end(), parts_->paths[leaf].begin(),
                   parts_->paths[leaf].end())) {
      return static_cast<int>(leaf);
    }
  }
  return -1;
}

std::vector<int> CheckpointParquet::LeavesBelow(
    std::initializer_list<std::string_view> path) const {
  std::vector<int> leaves;
  for (size_t leaf = 0; leaf < parts_->paths.size(); ++leaf) {
    const std::vector<std::string>& candidate = parts_->paths[leaf];
    if (candidate.size() > path.size() && std::equal(path.begin(), path.end(), candidate.begin())) {
      leaves.push_back(static_cast<int>(leaf));
    }
  }
  return leaves;
}

const std::vector<std::string>& CheckpointParquet::PathOf(int leaf) const {
  return parts_->paths[static_cast<size_t>(leaf)];
}

int64_t CheckpointParquet::ValuesSet(int row_group, int leaf) const {
  const Result<int64_t> set = Guarded(parts_->name, [&]() -> Result<int64_t> {
    const auto chunk = parts_->file->metadata()->RowGroup(row_group)->ColumnChunk(leaf);
    const auto statistics = chunk->statistics();
    if (statistics == nullptr || !statistics->HasNullCount()) return -1;
    return std::max<int64_t>(chunk->num_values() - statistics->null_count(), -1);
  });
  return set.ok() ? *set : -1;
}

Result<LeafCursor> CheckpointParquet::Cursor(int row_group, int leaf) const {
  return Guarded(parts_->name, [&]() -> Result<LeafCursor> {
    auto parts = std::make_unique<LeafCursor::Parts>();
    parts->file = parts_->file;
    parts->row_group = parts_->file->RowGroup(row_group);
    parts->reader = parts->row_group->Column(leaf);
    parts->column = parts_->file->metadata()->schema()->Column(leaf);
    parts->name = parts_->name;
    parts->Allocate(parts_->file->metadata()->RowGroup(row_group)->ColumnChunk(leaf)->num_values());
    return LeafCursor(std::move(parts));
  });
}

}  // namespace tarn::delta
