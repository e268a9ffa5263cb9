#include "tarn/query/partition_items.h"

#include <string>
#include <vector>

#include "tarn/base/text.h"

namespace tarn {

Result<PartitionField> BindPartitionItem(const Schema& schema, const sql::PartitionItem& item) {
  const Field* source = nullptr;
  if (const auto index = schema.IndexOf(item.column)) source = &schema.fields[*index];
  if (source == nullptr) source = schema.FindByPath(item.column);
  if (source == nullptr) {
    std::vector<std::string> names;
    for (const Field& field : schema.fields) names.push_back(field.name);
    return Invalid("'" + item.column + "' is no column" + DidYouMean(item.column, names));
  }
  const bool numbered = item.transform == "bucket" || item.transform == "truncate";
  TARN_ASSIGN_OR_RETURN(
      PartitionField field,
      ParseTransform(numbered ? item.transform + "[" + std::to_string(item.parameter) + "]"
                              : item.transform));
  field.source_id = source->id;
  PartitionField named = field;
  named.name = item.column;
  TARN_RETURN_IF_ERROR(TransformedType(named, source->type));
  return field;
}

Result<SortOrder> BindSortItems(const Schema& schema, const std::vector<sql::SortItem>& items) {
  SortOrder order;
  for (const sql::SortItem& item : items) {
    TARN_ASSIGN_OR_RETURN(const PartitionField key, BindPartitionItem(schema, item.key));
    order.fields.push_back({.source_id = key.source_id,
                            .transform = key.transform,
                            .parameter = key.parameter,
                            .descending = item.descending,
                            .nulls_first = item.nulls_first});
  }
  TARN_RETURN_IF_ERROR(CheckSortOrder(order, schema));
  return order;
}

}  // namespace tarn
