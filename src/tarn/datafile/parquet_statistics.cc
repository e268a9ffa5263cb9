#include <cmath>
#include <functional>
#include <memory>

#include <parquet/metadata.h>
#include <parquet/schema.h>
#include <parquet/statistics.h>
#include <parquet/types.h>

#include "tarn/datafile/parquet_statistics_internal.h"

namespace tarn {
namespace {

Int128 BigEndian(const uint8_t* bytes, size_t length) {
  Int128 value = length > 0 && (bytes[0] & 0x80) != 0 ? -1 : 0;
  // Multiplied, not shifted: shifting a negative number left is not for every compiler.
  for (size_t i = 0; i < length; ++i) value = value * 256 + bytes[i];
  return value;
}

std::optional<Value> Number(const Type& type, double value, bool lower) {
  if (std::isnan(value)) return std::nullopt;
  // Zeros compare equal but sort differently for some engines: the bound must hold for both.
  if (value == 0) value = lower ? -0.0 : 0.0;
  if (!type.IsFloating()) return std::nullopt;
  return Value(value);
}

// Whether the unit and zone of the column's timestamps are those of the type.
bool SameClock(const parquet::ColumnDescriptor& column, const Type& type) {
  const auto& logical = column.logical_type();
  if (logical == nullptr || !logical->is_timestamp()) return false;
  const auto unit = static_cast<const parquet::TimestampLogicalType&>(*logical).time_unit();
  const bool nanos = type.kind == TypeKind::kTimestampNs || type.kind == TypeKind::kTimestampTzNs;
  return unit ==
         (nanos ? parquet::LogicalType::TimeUnit::NANOS : parquet::LogicalType::TimeUnit::MICROS);
}

bool IsUnsigned(const parquet::ColumnDescriptor& column) {
  const auto& logical = column.logical_type();
  return logical != nullptr && logical->is_int() &&
         !static_cast<const parquet::IntLogicalType&>(*logical).is_signed();
}

std::optional<Value> Integer(const parquet::ColumnDescriptor& column, const Type& type,
                             int64_t value) {
  const auto& logical = column.logical_type();
  const bool decimal = logical != nullptr && logical->is_decimal();
  if (decimal != (type.kind == TypeKind::kDecimal)) return std::nullopt;
  switch (type.kind) {
    case TypeKind::kInt8:
    case TypeKind::kInt16:
    case TypeKind::kInt32:
    case TypeKind::kInt64:
      if (IsUnsigned(column)) return std::nullopt;
      if (logical != nullptr && !logical->is_none() && !logical->is_int()) return std::nullopt;
      return Value(value);
    case TypeKind::kDate:
      if (logical == nullptr || !logical->is_date()) return std::nullopt;
      return Value(value);
    case TypeKind::kTime:
      if (logical == nullptr || !logical->is_time() ||
          static_cast<const parquet::TimeLogicalType&>(*logical).time_unit() !=
              parquet::LogicalType::TimeUnit::MICROS) {
        return std::nullopt;
      }
      return Value(value);
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampTz:
    case TypeKind::kTimestampNs:
    case TypeKind::kTimestampTzNs:
      if (!SameClock(column, type)) return std::nullopt;
      return Value(value);
    case TypeKind::kDecimal:
      if (column.type_scale() != type.scale) return std::nullopt;
      return Value(static_cast<Int128>(value));
    default:
      return std::nullopt;
  }
}

std::optional<Value> RawBytes(const parquet::ColumnDescriptor& column, const Type& type,
                              const uint8_t* bytes, size_t length) {
  switch (type.kind) {
    case TypeKind::kString:
    case TypeKind::kBinary:
    case TypeKind::kFixed:
    case TypeKind::kUuid:
      return Value(std::string(reinterpret_cast<const char*>(bytes), length));
    case TypeKind::kDecimal:
      if (column.logical_type() == nullptr || !column.logical_type()->is_decimal() ||
          column.type_scale() != type.scale || length > 16) {
        return std::nullopt;
      }
      return Value(BigEndian(bytes, length));
    default:
      return std::nullopt;
  }
}

void ReadBounds(const parquet::Statistics& statistics, const parquet::ColumnDescriptor& column,
                const Type& type, ChunkStatistics& out) {
  switch (column.physical_type()) {
    case parquet::Type::BOOLEAN: {
      if (type.kind != TypeKind::kBoolean) return;
      const auto& typed = static_cast<const parquet::BoolStatistics&>(statistics);
      out.lower = Value(typed.min());
      out.upper = Value(typed.max());
      return;
    }
    case parquet::Type::INT32: {
      const auto& typed = static_cast<const parquet::Int32Statistics&>(statistics);
      out.lower = Integer(column, type, typed.min());
      out.upper = Integer(column, type, typed.max());
      return;
    }
    case parquet::Type::INT64: {
      const auto& typed = static_cast<const parquet::Int64Statistics&>(statistics);
      out.lower = Integer(column, type, typed.min());
      out.upper = Integer(column, type, typed.max());
      return;
    }
    case parquet::Type::FLOAT: {
      const auto& typed = static_cast<const parquet::FloatStatistics&>(statistics);
      out.lower = Number(type, typed.min(), true);
      out.upper = Number(type, typed.max(), false);
      return;
    }
    case parquet::Type::DOUBLE: {
      if (type.kind != TypeKind::kDouble) return;
      const auto& typed = static_cast<const parquet::DoubleStatistics&>(statistics);
      out.lower = Number(type, typed.min(), true);
      out.upper = Number(type, typed.max(), false);
      return;
    }
    case parquet::Type::BYTE_ARRAY: {
      const auto& typed = static_cast<const parquet::ByteArrayStatistics&>(statistics);
      out.lower = RawBytes(column, type, typed.min().ptr, typed.min().len);
      out.upper = RawBytes(column, type, typed.max().ptr, typed.max().len);
      return;
    }
    case parquet::Type::FIXED_LEN_BYTE_ARRAY: {
      const auto& typed = static_cast<const parquet::FLBAStatistics&>(statistics);
      const size_t length = static_cast<size_t>(column.type_length());
      out.lower = RawBytes(column, type, typed.min().ptr, length);
      out.upper = RawBytes(column, type, typed.max().ptr, length);
      return;
    }
    default:
      return;  // INT96 has no order
  }
}

}  // namespace

std::vector<Leaf> LeavesOf(const Schema& schema) {
  std::vector<Leaf> leaves;
  std::vector<int> steps;
  const std::function<void(const std::vector<Field>&, bool)> walk =
      [&](const std::vector<Field>& fields, bool repeated) {
        int position = 0;
        for (const Field& field : fields) {
          if (field.type.kind == TypeKind::kVoid) continue;
          steps.push_back(position++);
          if (field.type.IsNested()) {
            walk(field.type.fields, repeated || field.type.kind != TypeKind::kStruct);
          } else {
            leaves.push_back(Leaf{&field, repeated, steps});
          }
          steps.pop_back();
        }
      };
  walk(schema.fields, false);
  return leaves;
}

ChunkStatistics ReadChunkStatistics(const parquet::ColumnChunkMetaData& chunk,
                                    const parquet::ColumnDescriptor& column, const Type& type) {
  ChunkStatistics out;
  out.value_count = chunk.num_values();
  if (!chunk.is_stats_set()) return out;
  const std::shared_ptr<parquet::Statistics> statistics = chunk.statistics();
  if (statistics == nullptr) return out;
  if (statistics->HasNullCount()) out.null_count = statistics->null_count();
  if (statistics->HasMinMax()) ReadBounds(*statistics, column, type, out);
  return out;
}

}  // namespace tarn
