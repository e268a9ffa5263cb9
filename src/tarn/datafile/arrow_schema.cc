#include "tarn/datafile/arrow_schema.h"

#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include <arrow/api.h>
#include <arrow/extension_type.h>
#include <arrow/util/byte_size.h>
#include <arrow/util/decimal.h>
#include <arrow/util/float16.h>
#include <arrow/util/key_value_metadata.h>

#include "tarn/datafile/arrow_status.h"
#include "tarn/datafile/conform_internal.h"

namespace tarn {
namespace {

constexpr const char* kExtensionNameKey = "ARROW:extension:name";
constexpr const char* kExtensionDataKey = "ARROW:extension:metadata";
constexpr const char* kUuidExtension = "arrow.uuid";

Result<std::shared_ptr<arrow::DataType>> ToArrowType(const Type& type, FieldNames names,
                                                     const std::string& path);

// The field, or null where it has no place in a file (void).
Result<std::shared_ptr<arrow::Field>> ToArrowField(const Field& field, FieldNames names,
                                                   const std::string& path) {
  if (names == FieldNames::kFile) {
    if (field.type.kind == TypeKind::kVoid) return std::shared_ptr<arrow::Field>();
    if (field.type.kind == TypeKind::kVariant) {
      return Unsupported("column '" + path +
                         "': writing variant values is not supported; cast it "
                         "to string");
    }
  }
  TARN_ASSIGN_OR_RETURN(auto type, ToArrowType(field.type, names, path));
  std::vector<std::string> keys, values;
  if (field.id != 0) {
    keys.push_back(kFieldIdKey);
    values.push_back(std::to_string(field.id));
  }
  if (field.type.kind == TypeKind::kUuid && names == FieldNames::kTable) {
    keys.insert(keys.end(), {kExtensionNameKey, kExtensionDataKey});
    values.insert(values.end(), {kUuidExtension, ""});
  }
  const std::string& name = names == FieldNames::kFile ? field.file_name() : field.name;
  return arrow::field(
      name, std::move(type), !field.required,
      keys.empty() ? nullptr : arrow::key_value_metadata(std::move(keys), std::move(values)));
}

Result<std::vector<std::shared_ptr<arrow::Field>>> ToArrowFields(const std::vector<Field>& fields,
                                                                 FieldNames names,
                                                                 const std::string& parent) {
  std::vector<std::shared_ptr<arrow::Field>> out;
  for (const Field& field : fields) {
    const std::string path = parent.empty() ? field.name : parent + "." + field.name;
    TARN_ASSIGN_OR_RETURN(auto converted, ToArrowField(field, names, path));
    if (converted != nullptr) out.push_back(std::move(converted));
  }
  return out;
}

Result<std::shared_ptr<arrow::DataType>> ToArrowType(const Type& type, FieldNames names,
                                                     const std::string& path) {
  using Out = std::shared_ptr<arrow::DataType>;
  switch (type.kind) {
    case TypeKind::kBoolean:
      return arrow::boolean();
    case TypeKind::kInt8:
      return arrow::int8();
    case TypeKind::kInt16:
      return arrow::int16();
    case TypeKind::kInt32:
      return arrow::int32();
    case TypeKind::kInt64:
      return arrow::int64();
    case TypeKind::kFloat:
      return arrow::float32();
    case TypeKind::kDouble:
      return arrow::float64();
    case TypeKind::kDecimal:
      if (type.precision < 1 || type.precision > 38) {
        return Invalid("column '" + path + "': " + TypeToText(type) + " has no Arrow type");
      }
      return arrow::decimal128(type.precision, type.scale);
    case TypeKind::kDate:
      return arrow::date32();
    case TypeKind::kTime:
      return arrow::time64(arrow::TimeUnit::MICRO);
    case TypeKind::kTimestamp:
      return arrow::timestamp(arrow::TimeUnit::MICRO);
    case TypeKind::kTimestampTz:
      return arrow::timestamp(arrow::TimeUnit::MICRO, "UTC");
    case TypeKind::kTimestampNs:
      return arrow::timestamp(arrow::TimeUnit::NANO);
    case TypeKind::kTimestampTzNs:
      return arrow::timestamp(arrow::TimeUnit::NANO, "UTC");
    case TypeKind::kString:
    case TypeKind::kVariant:
      return arrow::utf8();
    case TypeKind::kBinary:
      return arrow::binary();
    case TypeKind::kFixed:
      return arrow::fixed_size_binary(type.length);
    case TypeKind::kUuid:
      return arrow::fixed_size_binary(16);
    case TypeKind::kVoid:
      return arrow::null();
    case TypeKind::kStruct: {
      TARN_ASSIGN_OR_RETURN(auto fields, ToArrowFields(type.fields, names, path));
      if (fields.empty() && names == FieldNames::kFile) {
        return Unsupported("column '" + path + "': a struct without columns cannot be written");
      }
      return Out(arrow::struct_(fields));
    }
    case TypeKind::kList: {
      TARN_ASSIGN_OR_RETURN(auto fields, ToArrowFields(type.fields, names, path));
      if (fields.size() != 1) {
        return Unsupported("column '" + path + "': " + TypeToText(type) + " cannot be written");
      }
      return Out(arrow::list(std::move(fields[0])));
    }
    case TypeKind::kMap: {
      TARN_ASSIGN_OR_RETURN(auto fields, ToArrowFields(type.fields, names, path));
      if (fields.size() != 2) {
        return Unsupported("column '" + path + "': " + TypeToText(type) + " cannot be written");
      }
      return Out(
          std::make_shared<arrow::MapType>(fields[0]->WithNullable(false), std::move(fields[1])));
    }
  }
  return Internal("arrow: type kind out of range");
}

Result<Type> FromArrowType(const arrow::DataType& type, const std::string& path);

Result<Field> FromArrowField(const arrow::Field& field, const std::string& parent) {
  Field out;
  out.name = field.name();
  out.id = FieldIdOf(field);
  out.required = !field.nullable();
  const std::string path = parent.empty() ? field.name() : parent + "." + field.name();
  TARN_ASSIGN_OR_RETURN(out.type, FromArrowType(*field.type(), path));
  if (out.type == Type::Fixed(16) && field.HasMetadata()) {
    const auto name = field.metadata()->Get(kExtensionNameKey);
    if (name.ok() && *name == kUuidExtension) out.type = Type::Of(TypeKind::kUuid);
  }
  return out;
}

Result<Type> FromArrowType(const arrow::DataType& type, const std::string& path) {
  switch (type.id()) {
    case arrow::Type::NA:
      return Type::Of(TypeKind::kVoid);
    case arrow::Type::BOOL:
      return Type::Of(TypeKind::kBoolean);
    case arrow::Type::INT8:
      return Type::Of(TypeKind::kInt8);
    case arrow::Type::INT16:
    case arrow::Type::UINT8:
      return Type::Of(TypeKind::kInt16);
    case arrow::Type::INT32:
    case arrow::Type::UINT16:
      return Type::Of(TypeKind::kInt32);
    case arrow::Type::INT64:
    case arrow::Type::UINT32:
      return Type::Of(TypeKind::kInt64);
    case arrow::Type::UINT64:
      return Type::Decimal(20, 0);
    case arrow::Type::HALF_FLOAT:
    case arrow::Type::FLOAT:
      return Type::Of(TypeKind::kFloat);
    case arrow::Type::DOUBLE:
      return Type::Of(TypeKind::kDouble);
    case arrow::Type::DECIMAL32:
    case arrow::Type::DECIMAL64:
    case arrow::Type::DECIMAL128:
    case arrow::Type::DECIMAL256: {
      const auto& decimal = static_cast<const arrow::DecimalType&>(type);
      if (decimal.precision() > 38 || decimal.scale() < 0 ||
          decimal.scale() > decimal.precision()) {
        break;
      }
      return Type::Decimal(decimal.precision(), decimal.scale());
    }
    case arrow::Type::DATE32:
    case arrow::Type::DATE64:
      return Type::Of(TypeKind::kDate);
    case arrow::Type::TIME32:
    case arrow::Type::TIME64:
      return Type::Of(TypeKind::kTime);
    case arrow::Type::TIMESTAMP: {
      const auto& timestamp = static_cast<const arrow::TimestampType&>(type);
      const bool nanos = timestamp.unit() == arrow::TimeUnit::NANO;
      if (timestamp.timezone().empty()) {
        return Type::Of(nanos ? TypeKind::kTimestampNs : TypeKind::kTimestamp);
      }
      return Type::Of(nanos ? TypeKind::kTimestampTzNs : TypeKind::kTimestampTz);
    }
    case arrow::Type::STRING:
    case arrow::Type::LARGE_STRING:
    case arrow::Type::STRING_VIEW:
      return Type::Of(TypeKind::kString);
    case arrow::Type::BINARY:
    case arrow::Type::LARGE_BINARY:
    case arrow::Type::BINARY_VIEW:
      return Type::Of(TypeKind::kBinary);
    case arrow::Type::FIXED_SIZE_BINARY:
      return Type::Fixed(static_cast<const arrow::FixedSizeBinaryType&>(type).byte_width());
    case arrow::Type::DICTIONARY:
      return FromArrowType(*static_cast<const arrow::DictionaryType&>(type).value_type(), path);
    case arrow::Type::RUN_END_ENCODED:
      return FromArrowType(*static_cast<const arrow::RunEndEncodedType&>(type).value_type(), path);
    case arrow::Type::EXTENSION: {
      const auto& extension = static_cast<const arrow::ExtensionType&>(type);
      if (extension.extension_name() == kUuidExtension) return Type::Of(TypeKind::kUuid);
      return FromArrowType(*extension.storage_type(), path);
    }
    case arrow::Type::STRUCT: {
      std::vector<Field> members;
      for (const auto& child : type.fields()) {
        TARN_ASSIGN_OR_RETURN(Field member, FromArrowField(*child, path));
        members.push_back(std::move(member));
      }
      return Type::Struct(std::move(members));
    }
    case arrow::Type::LIST:
    case arrow::Type::LARGE_LIST:
    case arrow::Type::FIXED_SIZE_LIST:
    case arrow::Type::LIST_VIEW:
    case arrow::Type::LARGE_LIST_VIEW: {
      TARN_ASSIGN_OR_RETURN(Field element,
                            FromArrowField(*type.field(0)->WithName("element"), path));
      return Type::List(std::move(element));
    }
    case arrow::Type::MAP: {
      const auto& map = static_cast<const arrow::MapType&>(type);
      TARN_ASSIGN_OR_RETURN(Field key, FromArrowField(*map.key_field()->WithName("key"), path));
      TARN_ASSIGN_OR_RETURN(Field value,
                            FromArrowField(*map.item_field()->WithName("value"), path));
      key.required = true;
      return Type::Map(std::move(key), std::move(value));
    }
    default:
      break;
  }
  return Unsupported("column '" + path + "': Arrow type " + type.ToString() +
                     " has no counterpart in a table");
}

Int128 ToInt128(const arrow::Decimal128& decimal) {
  return (static_cast<Int128>(decimal.high_bits()) << 64) | static_cast<Int128>(decimal.low_bits());
}

}  // namespace

int32_t FieldIdOf(const arrow::Field& field) {
  if (!field.HasMetadata()) return 0;
  const auto text = field.metadata()->Get(kFieldIdKey);
  int32_t id = 0;
  if (!text.ok()) return 0;
  std::from_chars(text->data(), text->data() + text->size(), id);
  return id > 0 ? id : 0;
}

Result<std::shared_ptr<arrow::Schema>> ToArrow(const Schema& schema) {
  TARN_ASSIGN_OR_RETURN(auto fields, ToArrowFields(schema.fields, FieldNames::kTable, ""));
  return arrow::schema(std::move(fields));
}

Result<std::shared_ptr<arrow::DataType>> ToArrow(const Type& type) {
  return ToArrowType(type, FieldNames::kTable, TypeToText(type));
}

Result<std::shared_ptr<arrow::Schema>> ToFileSchema(const Schema& schema) {
  TARN_ASSIGN_OR_RETURN(auto fields, ToArrowFields(schema.fields, FieldNames::kFile, ""));
  return arrow::schema(std::move(fields));
}

Result<Schema> FromArrow(const arrow::Schema& schema) {
  Schema out;
  for (const auto& field : schema.fields()) {
    TARN_ASSIGN_OR_RETURN(Field converted, FromArrowField(*field, ""));
    out.fields.push_back(std::move(converted));
  }
  ForEachField(out, [&out](const Field& field, const std::string&) {
    out.last_column_id = std::max(out.last_column_id, field.id);
  });
  return out;
}

int64_t BatchBytes(const arrow::RecordBatch& batch) {
  int64_t bytes = 0;
  for (int i = 0; i < batch.num_columns(); ++i) {
    const arrow::ArrayData& data = *batch.column_data(i);
    const arrow::Type::type id = data.type->id();
    if (id == arrow::Type::STRING || id == arrow::Type::BINARY) {
      if (data.length == 0) continue;
      const int32_t* offsets = data.GetValues<int32_t>(1);
      bytes += offsets[data.length] - offsets[0] + 4 * data.length;
    } else if (id != arrow::Type::DICTIONARY && arrow::is_fixed_width(id)) {
      bytes += data.length * data.type->bit_width() / 8;
    } else {
      bytes += arrow::util::ReferencedBufferSize(*batch.column(i)).ValueOr(data.length * 16);
    }
  }
  return bytes;
}

Result<Value> ValueAt(const arrow::Array& array, int64_t row, const Type& type) {
  if (array.IsNull(row)) return Value();
  switch (array.type_id()) {
    case arrow::Type::NA:
      return Value();
    case arrow::Type::BOOL:
      return Value(static_cast<const arrow::BooleanArray&>(array).Value(row));
    case arrow::Type::INT8:
      return Value(int64_t{static_cast<const arrow::Int8Array&>(array).Value(row)});
    case arrow::Type::INT16:
      return Value(int64_t{static_cast<const arrow::Int16Array&>(array).Value(row)});
    case arrow::Type::INT32:
      return Value(int64_t{static_cast<const arrow::Int32Array&>(array).Value(row)});
    case arrow::Type::INT64:
      return Value(static_cast<const arrow::Int64Array&>(array).Value(row));
    case arrow::Type::UINT8:
      return Value(int64_t{static_cast<const arrow::UInt8Array&>(array).Value(row)});
    case arrow::Type::UINT16:
      return Value(int64_t{static_cast<const arrow::UInt16Array&>(array).Value(row)});
    case arrow::Type::UINT32:
      return Value(int64_t{static_cast<const arrow::UInt32Array&>(array).Value(row)});
    case arrow::Type::FLOAT:
      return Value(double{static_cast<const arrow::FloatArray&>(array).Value(row)});
    case arrow::Type::DOUBLE:
      return Value(static_cast<const arrow::DoubleArray&>(array).Value(row));
    case arrow::Type::DATE32:
      return Value(int64_t{static_cast<const arrow::Date32Array&>(array).Value(row)});
    case arrow::Type::TIME64: {
      const auto unit = static_cast<const arrow::Time64Type&>(*array.type()).unit();
      if (unit != arrow::TimeUnit::MICRO) break;
      return Value(static_cast<const arrow::Time64Array&>(array).Value(row));
    }
    case arrow::Type::TIMESTAMP: {
      const auto unit = static_cast<const arrow::TimestampType&>(*array.type()).unit();
      const bool nanos =
          type.kind == TypeKind::kTimestampNs || type.kind == TypeKind::kTimestampTzNs;
      if (unit != (nanos ? arrow::TimeUnit::NANO : arrow::TimeUnit::MICRO)) break;
      return Value(static_cast<const arrow::TimestampArray&>(array).Value(row));
    }
    case arrow::Type::DECIMAL128: {
      const auto& decimals = static_cast<const arrow::Decimal128Array&>(array);
      if (static_cast<const arrow::DecimalType&>(*array.type()).scale() != type.scale) break;
      return Value(ToInt128(arrow::Decimal128(decimals.GetValue(row))));
    }
    case arrow::Type::STRING:
    case arrow::Type::BINARY:
      return Value(std::string(static_cast<const arrow::BinaryArray&>(array).GetView(row)));
    case arrow::Type::LARGE_STRING:
    case arrow::Type::LARGE_BINARY:
      return Value(std::string(static_cast<const arrow::LargeBinaryArray&>(array).GetView(row)));
    case arrow::Type::STRING_VIEW:
    case arrow::Type::BINARY_VIEW:
      return Value(std::string(static_cast<const arrow::BinaryViewArray&>(array).GetView(row)));
    case arrow::Type::FIXED_SIZE_BINARY:
      return Value(
          std::string(static_cast<const arrow::FixedSizeBinaryArray&>(array).GetView(row)));
    case arrow::Type::DICTIONARY: {
      const auto& dictionary = static_cast<const arrow::DictionaryArray&>(array);
      return ValueAt(*dictionary.dictionary(), dictionary.GetValueIndex(row), type);
    }
    case arrow::Type::EXTENSION:
      return ValueAt(*static_cast<const arrow::ExtensionArray&>(array).storage(), row, type);
    default:
      break;
  }
  if (type.IsNested()) return Invalid("a " + TypeToText(type) + " is no single value");
  // Another layout of the same values: Conform knows them all.
  TARN_ASSIGN_OR_RETURN(auto same,
                        ConformArray(array.Slice(row, 1), Field{0, "value", type}, {}, "value"));
  if (same->type()->Equals(*array.type())) {
    return Internal("arrow: no value of " + array.type()->ToString() + " as " + TypeToText(type));
  }
  return ValueAt(*same, 0, type);
}

Result<std::shared_ptr<arrow::Array>> Repeat(const Type& type, const Value& value, int64_t length) {
  TARN_ASSIGN_OR_RETURN(auto arrow_type, ToArrow(type));
  if (IsNull(value)) return Lift(arrow::MakeArrayOfNull(arrow_type, length), "arrow");
  std::shared_ptr<arrow::Scalar> scalar;
  if (const auto* boolean = std::get_if<bool>(&value)) {
    scalar = std::make_shared<arrow::BooleanScalar>(*boolean);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    auto buffer = arrow::Buffer::FromString(*text);
    if (arrow_type->id() == arrow::Type::STRING) {
      scalar = std::make_shared<arrow::StringScalar>(std::move(buffer));
    } else if (arrow_type->id() == arrow::Type::BINARY) {
      scalar = std::make_shared<arrow::BinaryScalar>(std::move(buffer));
    } else if (arrow_type->id() == arrow::Type::FIXED_SIZE_BINARY &&
               static_cast<int64_t>(text->size()) == arrow_type->byte_width()) {
      scalar = std::make_shared<arrow::FixedSizeBinaryScalar>(std::move(buffer), arrow_type);
    }
  } else if (const auto* decimal = std::get_if<Int128>(&value)) {
    if (arrow_type->id() == arrow::Type::DECIMAL128) {
      scalar = std::make_shared<arrow::Decimal128Scalar>(
          arrow::Decimal128(static_cast<int64_t>(*decimal >> 64), static_cast<uint64_t>(*decimal)),
          arrow_type);
    }
  } else if (const auto* number = std::get_if<double>(&value)) {
    if (type.kind == TypeKind::kFloat) {
      scalar = std::make_shared<arrow::FloatScalar>(static_cast<float>(*number));
    } else if (type.kind == TypeKind::kDouble) {
      scalar = std::make_shared<arrow::DoubleScalar>(*number);
    }
  } else if (const auto* integer = std::get_if<int64_t>(&value)) {
    switch (arrow_type->id()) {
      case arrow::Type::INT8:
        scalar = std::make_shared<arrow::Int8Scalar>(static_cast<int8_t>(*integer));
        break;
      case arrow::Type::INT16:
        scalar = std::make_shared<arrow::Int16Scalar>(static_cast<int16_t>(*integer));
        break;
      case arrow::Type::INT32:
        scalar = std::make_shared<arrow::Int32Scalar>(static_cast<int32_t>(*integer));
        break;
      case arrow::Type::INT64:
        scalar = std::make_shared<arrow::Int64Scalar>(*integer);
        break;
      case arrow::Type::DATE32:
        scalar = std::make_shared<arrow::Date32Scalar>(static_cast<int32_t>(*integer));
        break;
      case arrow::Type::TIME64:
        scalar = std::make_shared<arrow::Time64Scalar>(*integer, arrow_type);
        break;
      case arrow::Type::TIMESTAMP:
        scalar = std::make_shared<arrow::TimestampScalar>(*integer, arrow_type);
        break;
      default:
        break;
    }
  }
  if (scalar == nullptr) return Invalid("a value that is no " + TypeToText(type));
  return Lift(arrow::MakeArrayFromScalar(*scalar, length), "arrow");
}

}  // namespace tarn
