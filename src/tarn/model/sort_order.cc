#include "tarn/model/sort_order.h"

namespace tarn {

PartitionField TransformOf(const SortField& field) {
  return {.source_id = field.source_id, .transform = field.transform, .parameter = field.parameter};
}

Status CheckSortOrder(const SortOrder& order, const Schema& schema) {
  for (const SortField& field : order.fields) {
    const Field* source = schema.FindById(field.source_id);
    if (source == nullptr) {
      return Invalid("sort order: field id " + std::to_string(field.source_id) +
                     " is no column of the table");
    }
    PartitionField transform = TransformOf(field);
    transform.name = schema.PathOf(field.source_id);
    if (!StepsThroughStructs(schema, field.source_id)) {
      return Invalid("sort order: '" + transform.name + "' lies in a list or map");
    }
    const Result<Type> type = TransformedType(transform, source->type);
    if (!type.ok()) return type.error().WithContext("sort order");
  }
  return OkStatus();
}

std::string SortOrderToText(const SortOrder& order, const Schema& schema) {
  std::string text;
  for (const SortField& field : order.fields) {
    if (!text.empty()) text += ", ";
    text += TransformToSql(TransformOf(field), schema.PathOf(field.source_id));
    text += field.descending ? " DESC" : " ASC";
    text += field.nulls_first ? " NULLS FIRST" : " NULLS LAST";
  }
  return text;
}

}  // namespace tarn
