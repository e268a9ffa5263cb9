#include "tarn/datafile/orc_types_internal.h"

#include <string>
#include <utility>
#include <vector>

#include <arrow/api.h>
#include <arrow/compute/cast.h>
#include <arrow/util/key_value_metadata.h>

#include "tarn/datafile/arrow_status.h"
#include "tarn/datafile/conform_internal.h"

namespace tarn {
namespace {

using ArrayPtr = std::shared_ptr<arrow::Array>;
using TypePtr = std::shared_ptr<arrow::DataType>;

constexpr const char* kInOrcTypes = "orc";
constexpr std::string_view kId = "id";
constexpr std::string_view kRequired = "required";
constexpr std::string_view kLongType = "long-type";
constexpr std::string_view kBinaryType = "binary-type";
constexpr std::string_view kLength = "length";
constexpr const char* kExtensionName = "ARROW:extension:name";

std::string NameOf(std::string_view prefix, std::string_view key) {
  return std::string(prefix) + "." + std::string(key);
}

std::string Attribute(const arrow::Field& field, std::string_view prefix, std::string_view key) {
  if (!field.HasMetadata()) return "";
  return field.metadata()->Get(NameOf(prefix, key)).ValueOr("");
}

TypePtr FromOrcType(const arrow::Field& field, std::string_view prefix) {
  const TypePtr& type = field.type();
  switch (type->id()) {
    case arrow::Type::INT64:
      return Attribute(field, prefix, kLongType) == "TIME" ? arrow::time64(arrow::TimeUnit::MICRO)
                                                           : type;
    case arrow::Type::BINARY: {
      const std::string kind = Attribute(field, prefix, kBinaryType);
      if (kind == "UUID") return arrow::fixed_size_binary(16);
      if (kind != "FIXED") return type;
      const std::string length = Attribute(field, prefix, kLength);
      const bool number = !length.empty() && length.size() < 9 &&
                          length.find_first_not_of("0123456789") == std::string::npos;
      return number ? arrow::fixed_size_binary(std::stoi(length)) : type;
    }
    case arrow::Type::STRUCT: {
      std::vector<std::shared_ptr<arrow::Field>> members;
      members.reserve(type->fields().size());
      for (const auto& member : type->fields()) members.push_back(FromOrcField(*member, prefix));
      return arrow::struct_(members);
    }
    case arrow::Type::LIST:
      return arrow::list(FromOrcField(*type->field(0), prefix)->WithName("element"));
    case arrow::Type::MAP: {
      const auto& map = static_cast<const arrow::MapType&>(*type);
      return std::make_shared<arrow::MapType>(
          FromOrcField(*map.key_field(), prefix)->WithName("key")->WithNullable(false),
          FromOrcField(*map.item_field(), prefix)->WithName("value"));
    }
    default:
      return type;
  }
}

TypePtr ToOrcType(const arrow::DataType& type, const Type& table, std::string_view prefix) {
  switch (table.kind) {
    case TypeKind::kTime:
      return arrow::int64();
    case TypeKind::kUuid:
    case TypeKind::kFixed:
      return arrow::binary();
    case TypeKind::kStruct: {
      std::vector<std::shared_ptr<arrow::Field>> members;
      for (const Field& member : table.fields) {
        if (member.type.kind == TypeKind::kVoid) continue;  // no part of the file
        members.push_back(
            ToOrcField(*type.field(static_cast<int>(members.size())), member, prefix));
      }
      return arrow::struct_(members);
    }
    case TypeKind::kList:
      return arrow::list(ToOrcField(*type.field(0), table.fields[0], prefix));
    case TypeKind::kMap: {
      const auto& map = static_cast<const arrow::MapType&>(type);
      return std::make_shared<arrow::MapType>(
          ToOrcField(*map.key_field(), table.fields[0], prefix),
          ToOrcField(*map.item_field(), table.fields[1], prefix));
    }
    default:
      return type.GetSharedPtr();
  }
}

// The array's buffers under another type whose leaves are made by `leaf`.
template <class Leaf>
Result<std::shared_ptr<arrow::ArrayData>> Relabel(const arrow::ArrayData& data, const TypePtr& type,
                                                  const Leaf& leaf) {
  if (type->num_fields() == 0) {
    if (data.type->id() == type->id()) {
      auto same = data.Copy();
      same->type = type;
      return same;
    }
    TARN_ASSIGN_OR_RETURN(const ArrayPtr made, leaf(arrow::MakeArray(data.Copy()), type));
    return made->data();
  }
  auto out = data.Copy();
  out->type = type;
  for (size_t i = 0; i < out->child_data.size(); ++i) {
    TARN_ASSIGN_OR_RETURN(
        out->child_data[i],
        Relabel(*data.child_data[i], type->field(static_cast<int>(i))->type(), leaf));
  }
  return out;
}

// The same eight bytes under another name.
ArrayPtr As(const ArrayPtr& array, const TypePtr& type) {
  auto data = array->data()->Copy();
  data->type = type;
  return arrow::MakeArray(data);
}

}  // namespace

std::shared_ptr<arrow::Field> FromOrcField(const arrow::Field& field, std::string_view prefix) {
  std::vector<std::string> keys, values;
  if (const std::string id = Attribute(field, prefix, kId); !id.empty()) {
    keys.emplace_back(kFieldIdKey);
    values.push_back(id);
  }
  if (Attribute(field, prefix, kBinaryType) == "UUID") {
    keys.emplace_back(kExtensionName);
    values.emplace_back("arrow.uuid");
  }
  const bool required = Attribute(field, prefix, kRequired) == "true";
  return arrow::field(
      field.name(), FromOrcType(field, prefix), !required,
      keys.empty() ? nullptr : arrow::key_value_metadata(std::move(keys), std::move(values)));
}

Result<ArrayPtr> FromOrcArray(const ArrayPtr& array, const TypePtr& type) {
  TARN_ASSIGN_OR_RETURN(auto data,
                        Relabel(*array->data(), type,
                                [](const ArrayPtr& leaf, const TypePtr& to) -> Result<ArrayPtr> {
                                  if (to->id() == arrow::Type::TIME64) return As(leaf, to);
                                  return Lift(arrow::compute::Cast(*leaf, to), kInOrcTypes);
                                }));
  return arrow::MakeArray(data);
}

std::shared_ptr<arrow::Field> ToOrcField(const arrow::Field& field, const Field& table,
                                         std::string_view prefix) {
  std::vector<std::string> keys, values;
  const auto add = [&](std::string_view key, std::string value) {
    keys.push_back(NameOf(prefix, key));
    values.push_back(std::move(value));
  };
  if (table.id != 0) add(kId, std::to_string(table.id));
  add(kRequired, table.required ? "true" : "false");
  switch (table.type.kind) {
    case TypeKind::kTime:
      add(kLongType, "TIME");
      break;
    case TypeKind::kInt64:
      add(kLongType, "LONG");
      break;
    case TypeKind::kUuid:
      add(kBinaryType, "UUID");
      break;
    case TypeKind::kFixed:
      add(kBinaryType, "FIXED");
      add(kLength, std::to_string(table.type.length));
      break;
    default:
      break;
  }
  return arrow::field(field.name(), ToOrcType(*field.type(), table.type, prefix), field.nullable(),
                      arrow::key_value_metadata(std::move(keys), std::move(values)));
}

Result<ArrayPtr> ToOrcArray(const ArrayPtr& array, const TypePtr& type) {
  TARN_ASSIGN_OR_RETURN(auto data,
                        Relabel(*array->data(), type,
                                [](const ArrayPtr& leaf, const TypePtr& to) -> Result<ArrayPtr> {
                                  if (leaf->type_id() == arrow::Type::TIME64) return As(leaf, to);
                                  return Lift(arrow::compute::Cast(*leaf, to), kInOrcTypes,
                                              ErrorCode::kInvalid);
                                }));
  return arrow::MakeArray(data);
}

}  // namespace tarn
