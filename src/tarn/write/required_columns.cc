#include "tarn/write/required_columns.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <arrow/api.h>

namespace tarn {
namespace {

bool AsksAnything(const Field& field) {
  return field.required || std::any_of(field.type.fields.begin(), field.type.fields.end(),
                                       [](const Field& child) { return AsksAnything(child); });
}

// The row of `array` in [begin, end) at which a required field is NULL, or -1; `path` becomes the
// column's. Lists and maps are walked row by row, so that the row can be named.
int64_t FirstBroken(const arrow::Array& array, const Field& field, int64_t begin, int64_t end,
                    std::string& path) {
  if (field.required && array.null_count() > 0) {
    for (int64_t row = begin; row < end; ++row) {
      if (array.IsNull(row)) return row;
    }
  }
  const std::string own = path;
  if (field.type.kind == TypeKind::kStruct) {
    const auto& members = static_cast<const arrow::StructArray&>(array);
    for (size_t i = 0; i < field.type.fields.size(); ++i) {
      const Field& member = field.type.fields[i];
      if (!AsksAnything(member)) continue;
      const auto child = members.field(static_cast<int>(i));
      if (!member.type.IsNested() && child->null_count() == 0) continue;
      for (int64_t row = begin; row < end; ++row) {
        if (array.IsNull(row)) continue;
        path = own + "." + member.name;
        if (FirstBroken(*child, member, row, row + 1, path) >= 0) return row;
      }
    }
  } else if (field.type.kind == TypeKind::kList || field.type.kind == TypeKind::kMap) {
    const auto& list = static_cast<const arrow::ListArray&>(array);
    const bool map = field.type.kind == TypeKind::kMap;
    for (size_t i = 0; i < field.type.fields.size(); ++i) {
      const Field& item = field.type.fields[i];
      if (!AsksAnything(item)) continue;
      const auto& entries = *list.values();
      const auto child =
          map ? static_cast<const arrow::StructArray&>(entries).field(static_cast<int>(i))
              : list.values();
      if (!item.type.IsNested() && child->null_count() == 0) continue;
      for (int64_t row = begin; row < end; ++row) {
        if (array.IsNull(row)) continue;
        path = own + "." + item.name;
        if (FirstBroken(*child, item, list.value_offset(row), list.value_offset(row + 1), path) >=
            0) {
          return row;
        }
      }
    }
  }
  path = own;
  return -1;
}

}  // namespace

Status CheckRequired(const arrow::RecordBatch& batch, const Schema& schema, int64_t first_row) {
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    const Field& field = schema.fields[i];
    if (!AsksAnything(field)) continue;
    std::string path = field.name;
    const int64_t row =
        FirstBroken(*batch.column(static_cast<int>(i)), field, 0, batch.num_rows(), path);
    if (row >= 0) {
      return Invalid("column '" + path + "' is NOT NULL, but row " +
                     std::to_string(first_row + row + 1) + " has no value for it");
    }
  }
  return OkStatus();
}

}  // namespace tarn
