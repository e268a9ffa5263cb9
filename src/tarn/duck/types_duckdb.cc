#include "tarn/duck/types_duckdb.h"

#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "duckdb/common/types/uuid.hpp"

namespace tarn {

namespace {

duckdb::hugeint_t ToHugeint(Int128 value) {
  duckdb::hugeint_t result;
  result.lower = static_cast<uint64_t>(value);
  result.upper = static_cast<int64_t>(value >> 64);
  return result;
}

Int128 FromHugeint(const duckdb::hugeint_t& value) {
  return (static_cast<Int128>(value.upper) << 64) | static_cast<Int128>(value.lower);
}

ErrorCode CodeOf(duckdb::ExceptionType type) {
  switch (type) {
    case duckdb::ExceptionType::INTERRUPT:
      return ErrorCode::kCancelled;
    case duckdb::ExceptionType::NOT_IMPLEMENTED:
      return ErrorCode::kUnsupported;
    case duckdb::ExceptionType::IO:
    case duckdb::ExceptionType::OUT_OF_MEMORY:
    case duckdb::ExceptionType::HTTP:
      return ErrorCode::kUnavailable;
    case duckdb::ExceptionType::INTERNAL:
    case duckdb::ExceptionType::FATAL:
    case duckdb::ExceptionType::NULL_POINTER:
      return ErrorCode::kInternal;
    default:
      return ErrorCode::kInvalid;
  }
}

// "line 2, column 5" of a byte offset.
std::string PlaceOf(std::string_view sql, size_t offset) {
  size_t line = 1;
  size_t column = 1;
  for (size_t i = 0; i < offset && i < sql.size(); ++i) {
    if (sql[i] == '\n') {
      ++line;
      column = 1;
    } else if ((static_cast<unsigned char>(sql[i]) & 0xC0) != 0x80) {
      ++column;  // code points, as an editor counts them
    }
  }
  return fmt::format("line {}, column {}", line, column);
}

// The offset that DuckDB's drawing points at: "LINE 2: FROM WHERE" with a caret in the line below.
// Nothing when there is no drawing, or the line's beginning is cut off.
std::optional<size_t> OffsetInDrawing(const std::string& drawing, std::string_view sql) {
  const size_t begin = drawing.find("LINE ");
  if (begin == std::string::npos) return std::nullopt;
  const size_t colon = drawing.find(": ", begin);
  const size_t end = drawing.find('\n', begin);
  if (colon == std::string::npos || end == std::string::npos || colon > end) return std::nullopt;
  const size_t caret = drawing.find('^', end);
  const size_t indent = colon + 2 - begin;
  if (caret == std::string::npos || drawing.compare(colon + 2, 3, "...") == 0 ||
      caret - end - 1 < indent) {
    return std::nullopt;
  }
  size_t offset = 0;
  for (int line = std::atoi(drawing.c_str() + begin + 5); line > 1; --line) {
    offset = sql.find('\n', offset);
    if (offset == std::string_view::npos) return std::nullopt;
    ++offset;
  }
  return offset + (caret - end - 1 - indent);
}

}  // namespace

duckdb::LogicalType VariantTextType() {
  duckdb::LogicalType type(duckdb::LogicalTypeId::VARCHAR);
  type.SetAlias("TARN_VARIANT");
  return type;
}

duckdb::LogicalType ToDuckType(const Type& type) {
  using duckdb::LogicalType;
  switch (type.kind) {
    case TypeKind::kBoolean:
      return LogicalType::BOOLEAN;
    case TypeKind::kInt8:
      return LogicalType::TINYINT;
    case TypeKind::kInt16:
      return LogicalType::SMALLINT;
    case TypeKind::kInt32:
      return LogicalType::INTEGER;
    case TypeKind::kInt64:
      return LogicalType::BIGINT;
    case TypeKind::kFloat:
      return LogicalType::FLOAT;
    case TypeKind::kDouble:
      return LogicalType::DOUBLE;
    case TypeKind::kDecimal:
      return LogicalType::DECIMAL(static_cast<uint8_t>(type.precision),
                                  static_cast<uint8_t>(type.scale));
    case TypeKind::kDate:
      return LogicalType::DATE;
    case TypeKind::kTime:
      return LogicalType::TIME;
    case TypeKind::kTimestamp:
      return LogicalType::TIMESTAMP;
    case TypeKind::kTimestampTz:
    case TypeKind::kTimestampTzNs:
      return LogicalType::TIMESTAMP_TZ;
    case TypeKind::kTimestampNs:
      return LogicalType::TIMESTAMP_NS;
    case TypeKind::kString:
    case TypeKind::kVoid:
      return LogicalType::VARCHAR;
    case TypeKind::kVariant:
      return VariantTextType();
    case TypeKind::kBinary:
    case TypeKind::kFixed:
      return LogicalType::BLOB;
    case TypeKind::kUuid:
      return LogicalType::UUID;
    case TypeKind::kStruct: {
      duckdb::child_list_t<LogicalType> children;
      for (const Field& field : type.fields) {
        if (field.type.kind != TypeKind::kVoid) {
          children.emplace_back(field.name, ToDuckType(field.type));
        }
      }
      return LogicalType::STRUCT(std::move(children));
    }
    case TypeKind::kList:
      return LogicalType::LIST(ToDuckType(type.fields[0].type));
    case TypeKind::kMap:
      return LogicalType::MAP(ToDuckType(type.fields[0].type), ToDuckType(type.fields[1].type));
  }
  return LogicalType::VARCHAR;
}

Result<Type> FromDuckType(const duckdb::LogicalType& type) {
  using duckdb::LogicalTypeId;
  switch (type.id()) {
    case LogicalTypeId::SQLNULL:
      return Type::Of(TypeKind::kVoid);
    case LogicalTypeId::BOOLEAN:
      return Type::Of(TypeKind::kBoolean);
    case LogicalTypeId::TINYINT:
      return Type::Of(TypeKind::kInt8);
    case LogicalTypeId::SMALLINT:
    case LogicalTypeId::UTINYINT:
      return Type::Of(TypeKind::kInt16);
    case LogicalTypeId::INTEGER:
    case LogicalTypeId::USMALLINT:
      return Type::Of(TypeKind::kInt32);
    case LogicalTypeId::BIGINT:
    case LogicalTypeId::UINTEGER:
      return Type::Of(TypeKind::kInt64);
    case LogicalTypeId::UBIGINT:
      return Type::Decimal(20, 0);
    case LogicalTypeId::HUGEINT:
    case LogicalTypeId::UHUGEINT:
      return Type::Decimal(38, 0);
    case LogicalTypeId::FLOAT:
      return Type::Of(TypeKind::kFloat);
    case LogicalTypeId::DOUBLE:
      return Type::Of(TypeKind::kDouble);
    case LogicalTypeId::DECIMAL:
      return Type::Decimal(duckdb::DecimalType::GetWidth(type),
                           duckdb::DecimalType::GetScale(type));
    case LogicalTypeId::DATE:
      return Type::Of(TypeKind::kDate);
    case LogicalTypeId::TIME:
      return Type::Of(TypeKind::kTime);
    case LogicalTypeId::TIMESTAMP:
    case LogicalTypeId::TIMESTAMP_SEC:
    case LogicalTypeId::TIMESTAMP_MS:
      return Type::Of(TypeKind::kTimestamp);
    case LogicalTypeId::TIMESTAMP_NS:
      return Type::Of(TypeKind::kTimestampNs);
    case LogicalTypeId::TIMESTAMP_TZ:
      return Type::Of(TypeKind::kTimestampTz);
    case LogicalTypeId::CHAR:
    case LogicalTypeId::VARCHAR:
    case LogicalTypeId::UUID:
    case LogicalTypeId::ENUM:
    case LogicalTypeId::BIT:
      return Type::Of(TypeKind::kString);
    case LogicalTypeId::BLOB:
      return Type::Of(TypeKind::kBinary);
    case LogicalTypeId::STRUCT: {
      std::vector<Field> members;
      for (const auto& [name, child] : duckdb::StructType::GetChildTypes(type)) {
        TARN_ASSIGN_OR_RETURN(Type member, FromDuckType(child));
        members.push_back({.name = name, .type = std::move(member)});
      }
      return Type::Struct(std::move(members));
    }
    case LogicalTypeId::LIST: {
      TARN_ASSIGN_OR_RETURN(Type element, FromDuckType(duckdb::ListType::GetChildType(type)));
      return Type::List({.name = "element", .type = std::move(element)});
    }
    case LogicalTypeId::ARRAY: {
      TARN_ASSIGN_OR_RETURN(Type element, FromDuckType(duckdb::ArrayType::GetChildType(type)));
      return Type::List({.name = "element", .type = std::move(element)});
    }
    case LogicalTypeId::MAP: {
      TARN_ASSIGN_OR_RETURN(Type key, FromDuckType(duckdb::MapType::KeyType(type)));
      TARN_ASSIGN_OR_RETURN(Type value, FromDuckType(duckdb::MapType::ValueType(type)));
      return Type::Map({.name = "key", .type = std::move(key), .required = true},
                       {.name = "value", .type = std::move(value)});
    }
    default:
      return Unsupported("sql: no column of a table can have the type " + type.ToString() +
                         "; CAST it, for example to VARCHAR");
  }
}

duckdb::Value ToDuckValue(const Type& type, const Value& value) {
  using DuckValue = duckdb::Value;
  if (IsNull(value)) return DuckValue(ToDuckType(type));
  switch (type.kind) {
    case TypeKind::kBoolean:
      return DuckValue::BOOLEAN(std::get<bool>(value));
    case TypeKind::kInt8:
      return DuckValue::TINYINT(static_cast<int8_t>(std::get<int64_t>(value)));
    case TypeKind::kInt16:
      return DuckValue::SMALLINT(static_cast<int16_t>(std::get<int64_t>(value)));
    case TypeKind::kInt32:
      return DuckValue::INTEGER(static_cast<int32_t>(std::get<int64_t>(value)));
    case TypeKind::kInt64:
      return DuckValue::BIGINT(std::get<int64_t>(value));
    case TypeKind::kFloat:
      return DuckValue::FLOAT(static_cast<float>(std::get<double>(value)));
    case TypeKind::kDouble:
      return DuckValue::DOUBLE(std::get<double>(value));
    case TypeKind::kDecimal: {
      const auto width = static_cast<uint8_t>(type.precision);
      const auto scale = static_cast<uint8_t>(type.scale);
      const Int128 unscaled = std::get<Int128>(value);
      // DuckDB keeps a decimal in the smallest integer its width fits.
      if (width <= 4) return DuckValue::DECIMAL(static_cast<int16_t>(unscaled), width, scale);
      if (width <= 9) return DuckValue::DECIMAL(static_cast<int32_t>(unscaled), width, scale);
      if (width <= 18) return DuckValue::DECIMAL(static_cast<int64_t>(unscaled), width, scale);
      return DuckValue::DECIMAL(ToHugeint(unscaled), width, scale);
    }
    case TypeKind::kDate:
      return DuckValue::DATE(duckdb::date_t(static_cast<int32_t>(std::get<int64_t>(value))));
    case TypeKind::kTime:
      return DuckValue::TIME(duckdb::dtime_t(std::get<int64_t>(value)));
    case TypeKind::kTimestamp:
      return DuckValue::TIMESTAMP(duckdb::timestamp_t(std::get<int64_t>(value)));
    case TypeKind::kTimestampTz:
      return DuckValue::TIMESTAMPTZ(duckdb::timestamp_tz_t(std::get<int64_t>(value)));
    case TypeKind::kTimestampNs: {
      duckdb::timestamp_ns_t nanos;
      nanos.value = std::get<int64_t>(value);
      return DuckValue::TIMESTAMPNS(nanos);
    }
    case TypeKind::kTimestampTzNs: {
      const int64_t nanos = std::get<int64_t>(value);
      return DuckValue::TIMESTAMPTZ(
          duckdb::timestamp_tz_t(nanos / 1000 - (nanos % 1000 < 0 ? 1 : 0)));
    }
    case TypeKind::kString:
    case TypeKind::kVariant:
      return DuckValue(std::get<std::string>(value));
    case TypeKind::kBinary:
    case TypeKind::kFixed: {
      const std::string& bytes = std::get<std::string>(value);
      return DuckValue::BLOB(reinterpret_cast<duckdb::const_data_ptr_t>(bytes.data()),
                             bytes.size());
    }
    case TypeKind::kUuid: {
      const std::string& bytes = std::get<std::string>(value);
      if (bytes.size() != 16) return DuckValue(ToDuckType(type));
      return DuckValue::UUID(
          duckdb::BaseUUID::FromBlob(reinterpret_cast<duckdb::const_data_ptr_t>(bytes.data())));
    }
    case TypeKind::kVoid:
    case TypeKind::kStruct:
    case TypeKind::kList:
    case TypeKind::kMap:
      break;
  }
  return DuckValue(ToDuckType(type));
}

std::optional<Value> FromDuckValue(const Type& type, const duckdb::Value& value) {
  if (value.IsNull()) return Value();
  if (value.type() != ToDuckType(type)) return std::nullopt;
  switch (type.kind) {
    case TypeKind::kBoolean:
      return Value(duckdb::BooleanValue::Get(value));
    case TypeKind::kInt8:
    case TypeKind::kInt16:
    case TypeKind::kInt32:
    case TypeKind::kInt64:
      return Value(value.GetValue<int64_t>());
    case TypeKind::kFloat:
      return Value(static_cast<double>(duckdb::FloatValue::Get(value)));
    case TypeKind::kDouble:
      return Value(duckdb::DoubleValue::Get(value));
    case TypeKind::kDecimal:
      return Value(FromHugeint(duckdb::IntegralValue::Get(value)));
    case TypeKind::kDate: {
      const duckdb::date_t date = duckdb::DateValue::Get(value);
      if (!duckdb::Value::IsFinite(date)) return std::nullopt;
      return Value(static_cast<int64_t>(date.days));
    }
    case TypeKind::kTime:
      return Value(duckdb::TimeValue::Get(value).micros);
    case TypeKind::kTimestamp: {
      const duckdb::timestamp_t timestamp = duckdb::TimestampValue::Get(value);
      if (!duckdb::Value::IsFinite(timestamp)) return std::nullopt;
      return Value(timestamp.value);
    }
    case TypeKind::kTimestampTz: {
      const duckdb::timestamp_tz_t timestamp = value.GetValueUnsafe<duckdb::timestamp_tz_t>();
      if (!duckdb::Value::IsFinite(duckdb::timestamp_t(timestamp.value))) return std::nullopt;
      return Value(timestamp.value);
    }
    case TypeKind::kString:
      return Value(duckdb::StringValue::Get(value));
    case TypeKind::kBinary:
      return Value(duckdb::StringValue::Get(value));
    default:
      return std::nullopt;  // no bounds exist that could be compared exactly
  }
}

Error ToError(const duckdb::ErrorData& error, std::string_view sql, const SqlOrigin* origin) {
  std::string message = error.RawMessage();
  if (message.empty()) message = error.Message();
  // The first line says it; the next ones draw the statement, or suggest.
  std::string rest;
  if (const size_t end = message.find('\n'); end != std::string::npos) {
    rest = message.substr(end);
    message.resize(end);
  }
  if (const size_t hint = rest.find("Did you mean"); hint != std::string::npos) {
    message += "; " + rest.substr(hint, rest.find('\n', hint) - hint);
  }
  if (const size_t hint = rest.find("Candidate"); hint != std::string::npos) {
    message += "; " + rest.substr(hint, rest.find('\n', hint) - hint);
  }
  ErrorCode code = CodeOf(error.Type());
  if (code == ErrorCode::kUnavailable && message.find("No such file") != std::string::npos) {
    code = ErrorCode::kNotFound;
  }
  std::optional<size_t> offset = OffsetInDrawing(rest, sql);
  const auto& extra = error.ExtraInfo();
  if (const auto position = extra.find("position"); position != extra.end()) {
    offset = std::strtoull(position->second.c_str(), nullptr, 10);
  }
  if (offset && *offset < sql.size()) {
    message += " (" +
               (origin == nullptr ? PlaceOf(sql, *offset)
                                  : PlaceOf(origin->text, origin->offset_of(*offset))) +
               ")";
  }
  if (code == ErrorCode::kCancelled) return Cancelled("sql: interrupted");
  return {code, "sql: " + message};
}

Error ToError(const std::exception& exception, std::string_view sql) {
  return ToError(duckdb::ErrorData(exception), sql);
}

}  // namespace tarn
