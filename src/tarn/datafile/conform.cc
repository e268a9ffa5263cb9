#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <arrow/api.h>
#include <arrow/compute/cast.h>
#include <arrow/extension_type.h>
#include <arrow/util/bitmap_ops.h>

#include "tarn/base/text.h"
#include "tarn/datafile/arrow_schema.h"
#include "tarn/datafile/arrow_status.h"
#include "tarn/datafile/conform_internal.h"
#include "tarn/datafile/variant_json.h"
#include "tarn/model/evolution.h"

namespace tarn {
namespace {

using ArrayPtr = std::shared_ptr<arrow::Array>;
using Casts = ConformOptions::Casts;

const std::string& NameOf(const Field& field, FieldNames names) {
  return names == FieldNames::kFile ? field.file_name() : field.name;
}

Error Mismatch(const std::string& path, const Type& expected, const arrow::DataType& got) {
  return Invalid("column '" + path + "': expected " + TypeToText(expected) + ", got " +
                 got.ToString());
}

// The array's validity with no offset, or null when every row is valid.
Result<std::shared_ptr<arrow::Buffer>> Validity(const arrow::Array& array) {
  if (array.null_count() == 0) return std::shared_ptr<arrow::Buffer>();
  if (array.offset() == 0) return array.null_bitmap();
  return Lift(arrow::internal::CopyBitmap(arrow::default_memory_pool(), array.null_bitmap_data(),
                                          array.offset(), array.length()),
              "arrow");
}

Result<ArrayPtr> CastTo(const arrow::Array& array, const std::shared_ptr<arrow::DataType>& type,
                        const std::string& path) {
  return Lift(arrow::compute::Cast(array, type, arrow::compute::CastOptions::Safe()),
              "column '" + path + "'", ErrorCode::kInvalid);
}

// The same buffers under another type of the same layout.
ArrayPtr Relabel(const arrow::Array& array, std::shared_ptr<arrow::DataType> type) {
  auto data = array.data()->Copy();
  data->type = std::move(type);
  return arrow::MakeArray(std::move(data));
}

bool IsTextOrBytes(TypeKind kind) {
  return kind == TypeKind::kString || kind == TypeKind::kBinary || kind == TypeKind::kVariant;
}

// Whether values of `from` may be cast to `to`, given that the cast itself fails on a value that
// would change.
bool MayCast(const Type& from, const Type& to, Casts casts) {
  if (from == to || CanWiden(from, to)) return true;
  const bool zones_alike =
      (from.kind == TypeKind::kTimestampTz || from.kind == TypeKind::kTimestampTzNs) ==
      (to.kind == TypeKind::kTimestampTz || to.kind == TypeKind::kTimestampTzNs);
  if (from.IsTimestamp() && to.IsTimestamp()) return zones_alike || casts == Casts::kChecked;
  if (from.kind == TypeKind::kString && to.kind == TypeKind::kVariant) return true;
  if (from.kind == TypeKind::kFixed && from.length == 16 && to.kind == TypeKind::kUuid) return true;
  if ((from.kind == TypeKind::kFixed || from.kind == TypeKind::kUuid) &&
      to.kind == TypeKind::kBinary) {
    return true;
  }
  if (casts == Casts::kExact) return false;
  if (from.IsInteger() && to.IsInteger()) return true;
  if (from.kind == TypeKind::kDecimal && from.scale == 0 && to.IsInteger()) return true;  // uint64
  if (from.kind == TypeKind::kDecimal && to.kind == TypeKind::kDecimal) return true;
  return IsTextOrBytes(from.kind) && IsTextOrBytes(to.kind);
}

Result<ArrayPtr> ConformLeaf(const ArrayPtr& array, const Type& wanted,
                             const std::shared_ptr<arrow::DataType>& target, Casts casts,
                             const std::string& path) {
  Result<Schema> described = FromArrow(*arrow::schema({arrow::field(path, array->type(), true)}));
  if (!described.ok()) return described.error();
  const Type& from = described->fields[0].type;
  if (from.IsNested() || !MayCast(from, wanted, casts)) {
    return Mismatch(path, wanted, *array->type());
  }
  if (from.IsTimestamp() && wanted.IsTimestamp()) {
    // Zones are labels on the same count since 1970 UTC: only the unit is cast.
    const auto unit = static_cast<const arrow::TimestampType&>(*target).unit();
    TARN_ASSIGN_OR_RETURN(
        auto counted,
        CastTo(
            *Relabel(*array, arrow::timestamp(
                                 static_cast<const arrow::TimestampType&>(*array->type()).unit())),
            arrow::timestamp(unit), path));
    return Relabel(*counted, target);
  }
  return CastTo(*array, target, path);
}

Result<ArrayPtr> ConformStruct(const arrow::StructArray& array, const Field& wanted,
                               const std::shared_ptr<arrow::DataType>& target,
                               const ConformOptions& options, const std::string& path) {
  const auto& have = array.type()->fields();
  std::vector<std::shared_ptr<arrow::ArrayData>> children;
  for (const Field& member : wanted.type.fields) {
    const std::string member_path = path + "." + member.name;
    TARN_ASSIGN_OR_RETURN(const int found, FindField(have, member, options, path));
    ArrayPtr child;
    if (found < 0) {
      TARN_ASSIGN_OR_RETURN(child, MissingColumn(member, array.length()));
    } else {
      TARN_ASSIGN_OR_RETURN(child, ConformArray(array.field(found), member, options, member_path));
    }
    children.push_back(child->data());
  }
  TARN_ASSIGN_OR_RETURN(auto validity, Validity(array));
  return arrow::MakeArray(arrow::ArrayData::Make(target, array.length(), {std::move(validity)},
                                                 std::move(children), array.null_count()));
}

// List and map share one layout: offsets over one child. The offsets stay, the child is conformed.
Result<ArrayPtr> WithChild(const arrow::Array& array, std::shared_ptr<arrow::DataType> target,
                           std::shared_ptr<arrow::ArrayData> child) {
  auto data = array.data()->Copy();
  data->type = std::move(target);
  data->child_data = {std::move(child)};
  return arrow::MakeArray(std::move(data));
}

Result<ArrayPtr> ConformList(const ArrayPtr& array, const Field& wanted,
                             const std::shared_ptr<arrow::DataType>& target,
                             const ConformOptions& options, const std::string& path) {
  ArrayPtr list = array;
  if (array->type_id() != arrow::Type::LIST) {
    switch (array->type_id()) {
      case arrow::Type::LARGE_LIST:
      case arrow::Type::FIXED_SIZE_LIST:
      case arrow::Type::LIST_VIEW:
      case arrow::Type::LARGE_LIST_VIEW:
        break;
      default:
        return Mismatch(path, wanted.type, *array->type());
    }
    TARN_ASSIGN_OR_RETURN(list, CastTo(*array, arrow::list(array->type()->field(0)), path));
  }
  const auto& typed = static_cast<const arrow::ListArray&>(*list);
  TARN_ASSIGN_OR_RETURN(
      auto values, ConformArray(typed.values(), wanted.type.fields[0], options, path + ".element"));
  return WithChild(*list, target, values->data());
}

Result<ArrayPtr> ConformMap(const ArrayPtr& array, const Field& wanted,
                            const std::shared_ptr<arrow::DataType>& target,
                            const ConformOptions& options, const std::string& path) {
  if (array->type_id() != arrow::Type::MAP) return Mismatch(path, wanted.type, *array->type());
  const auto& typed = static_cast<const arrow::MapArray&>(*array);
  TARN_ASSIGN_OR_RETURN(auto keys,
                        ConformArray(typed.keys(), wanted.type.fields[0], options, path + ".key"));
  TARN_ASSIGN_OR_RETURN(
      auto items, ConformArray(typed.items(), wanted.type.fields[1], options, path + ".value"));
  auto entries = arrow::ArrayData::Make(target->field(0)->type(), keys->length(), {nullptr},
                                        {keys->data(), items->data()}, 0);
  return WithChild(*array, target, std::move(entries));
}

}  // namespace

Result<int> FindField(const std::vector<std::shared_ptr<arrow::Field>>& fields, const Field& wanted,
                      const ConformOptions& options, const std::string& path) {
  if (options.match == ColumnMatch::kById && wanted.id != 0) {
    for (size_t i = 0; i < fields.size(); ++i) {
      if (FieldIdOf(*fields[i]) == wanted.id) return static_cast<int>(i);
    }
    return -1;
  }
  if (options.match == ColumnMatch::kByAlias) {
    for (const std::string& alias : wanted.aliases) {
      for (size_t i = 0; i < fields.size(); ++i) {
        if (AsciiEqualsIgnoreCase(fields[i]->name(), alias)) return static_cast<int>(i);
      }
    }
    return -1;
  }
  const std::string& name = NameOf(wanted, options.names);
  for (size_t i = 0; i < fields.size(); ++i) {
    if (fields[i]->name() == name) return static_cast<int>(i);
  }
  int found = -1;
  for (size_t i = 0; i < fields.size(); ++i) {
    if (!AsciiEqualsIgnoreCase(fields[i]->name(), name)) continue;
    if (found >= 0) {
      return Invalid("column '" + name + "'" + (path.empty() ? "" : " of '" + path + "'") +
                     " is ambiguous: '" + fields[found]->name() + "' or '" + fields[i]->name() +
                     "'; rename one");
    }
    found = static_cast<int>(i);
  }
  return found;
}

bool HasFieldIds(const std::vector<std::shared_ptr<arrow::Field>>& fields) {
  return std::any_of(fields.begin(), fields.end(), [](const auto& field) {
    return FieldIdOf(*field) != 0 || HasFieldIds(field->type()->fields());
  });
}

ColumnMatch MatchIn(ColumnMatch match, bool has_ids) {
  if (match != ColumnMatch::kByIdElseAlias) return match;
  return has_ids ? ColumnMatch::kById : ColumnMatch::kByAlias;
}

Result<ArrayPtr> MissingColumn(const Field& wanted, int64_t length) {
  return Repeat(wanted.type, wanted.initial_default.value_or(Value()), length);
}

Result<ArrayPtr> ConformArray(const ArrayPtr& array, const Field& wanted,
                              const ConformOptions& options, const std::string& path) {
  TARN_ASSIGN_OR_RETURN(auto target, ToArrow(wanted.type));
  if (array->type()->Equals(*target, /*check_metadata=*/false) && !wanted.type.IsNested()) {
    return array;
  }
  switch (array->type_id()) {
    case arrow::Type::NA:
      return Lift(arrow::MakeArrayOfNull(target, array->length()), "arrow");
    case arrow::Type::DICTIONARY: {
      const auto& dictionary = static_cast<const arrow::DictionaryType&>(*array->type());
      TARN_ASSIGN_OR_RETURN(auto plain, CastTo(*array, dictionary.value_type(), path));
      return ConformArray(plain, wanted, options, path);
    }
    case arrow::Type::RUN_END_ENCODED: {
      const auto& encoded = static_cast<const arrow::RunEndEncodedType&>(*array->type());
      TARN_ASSIGN_OR_RETURN(auto plain, CastTo(*array, encoded.value_type(), path));
      return ConformArray(plain, wanted, options, path);
    }
    case arrow::Type::EXTENSION:
      return ConformArray(static_cast<const arrow::ExtensionArray&>(*array).storage(), wanted,
                          options, path);
    default:
      break;
  }
  switch (wanted.type.kind) {
    case TypeKind::kStruct:
      if (array->type_id() != arrow::Type::STRUCT) break;
      return ConformStruct(static_cast<const arrow::StructArray&>(*array), wanted, target, options,
                           path);
    case TypeKind::kList:
      return ConformList(array, wanted, target, options, path);
    case TypeKind::kMap:
      return ConformMap(array, wanted, target, options, path);
    case TypeKind::kVariant:
      if (array->type_id() == arrow::Type::STRUCT) {
        return VariantToJson(static_cast<const arrow::StructArray&>(*array), path);
      }
      break;
    default:
      break;
  }
  return ConformLeaf(array, wanted.type, target, options.casts, path);
}

Result<std::shared_ptr<arrow::RecordBatch>> Conform(const arrow::RecordBatch& batch,
                                                    const Schema& schema) {
  TARN_ASSIGN_OR_RETURN(auto arrow_schema, ToArrow(schema));
  std::vector<ArrayPtr> columns;
  for (const Field& field : schema.fields) {
    TARN_ASSIGN_OR_RETURN(const int found, FindField(batch.schema()->fields(), field, {}, ""));
    ArrayPtr column;
    if (found < 0) {
      TARN_ASSIGN_OR_RETURN(column, Repeat(field.type, Value(), batch.num_rows()));
    } else {
      TARN_ASSIGN_OR_RETURN(column, ConformArray(batch.column(found), field, {}, field.name));
    }
    columns.push_back(std::move(column));
  }
  return arrow::RecordBatch::Make(std::move(arrow_schema), batch.num_rows(), std::move(columns));
}

Result<std::shared_ptr<arrow::RecordBatch>> ToFileBatch(
    const arrow::RecordBatch& batch, const Schema& schema,
    const std::shared_ptr<arrow::Schema>& file_schema) {
  std::vector<ArrayPtr> columns;
  int written = 0;
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    const Field& field = schema.fields[i];
    if (field.type.kind == TypeKind::kVoid) continue;
    const ArrayPtr& column = batch.column(static_cast<int>(i));
    const auto& type = file_schema->field(written++)->type();
    if (!field.type.IsNested()) {
      columns.push_back(column);
    } else if (column->type()->Equals(*type, /*check_metadata=*/true)) {
      columns.push_back(column);
    } else {
      // Other names, ids or fewer (void) children: the same values under the file's type.
      const std::function<std::shared_ptr<arrow::ArrayData>(
          const std::shared_ptr<arrow::ArrayData>&, const Field&,
          const std::shared_ptr<arrow::DataType>&)>
          relabel = [&](const std::shared_ptr<arrow::ArrayData>& from, const Field& as,
                        const std::shared_ptr<arrow::DataType>& to) {
            if (!as.type.IsNested()) return from;
            auto data = from->Copy();
            data->type = to;
            if (as.type.kind == TypeKind::kMap) {
              auto entries = from->child_data[0]->Copy();
              entries->type = to->field(0)->type();
              for (int k = 0; k < 2; ++k) {
                entries->child_data[k] =
                    relabel(from->child_data[0]->child_data[k], as.type.fields[k],
                            entries->type->field(k)->type());
              }
              data->child_data = {std::move(entries)};
              return data;
            }
            data->child_data.clear();
            int kept = 0;
            for (size_t k = 0; k < as.type.fields.size(); ++k) {
              if (as.type.fields[k].type.kind == TypeKind::kVoid) continue;
              data->child_data.push_back(
                  relabel(from->child_data[k], as.type.fields[k], to->field(kept++)->type()));
            }
            return data;
          };
      columns.push_back(arrow::MakeArray(relabel(column->data(), field, type)));
    }
  }
  return arrow::RecordBatch::Make(file_schema, batch.num_rows(), std::move(columns));
}

}  // namespace tarn
