#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tarn/model/partition_spec.h"
#include "tarn/model/schema.h"

namespace tarn {

// One column that rows are ordered by, perhaps transformed as a partition field is.
struct SortField {
  int32_t source_id = 0;  // the column's field id
  TransformKind transform = TransformKind::kIdentity;
  int32_t parameter = 0;  // of the transform
  bool descending = false;
  bool nulls_first = true;
  friend bool operator==(const SortField&, const SortField&) = default;
};

// How the rows of a data file are ordered (Iceberg's specification, "Sorting"): by the first field,
// equal ones by the second, …. Numbers by value, floating ones in IEEE 754's total order (-NaN
// first, -0.0 before 0.0, NaN last); strings and bytes by their bytes, without sign; false before
// true.
struct SortOrder {
  int32_t id = 0;  // the format's; 0 with fields: not given yet
  std::vector<SortField> fields = {};
  bool IsUnsorted() const { return fields.empty(); }
  friend bool operator==(const SortOrder&, const SortOrder&) = default;
};

// The field's transform of its column, as partition specs have them.
PartitionField TransformOf(const SortField& field);

// kInvalid naming a field whose column is not in the schema, lies in a list or map, has no order,
// or does not take the transform.
Status CheckSortOrder(const SortOrder& order, const Schema& schema);

// "day(ts) DESC NULLS LAST, id ASC NULLS FIRST"; empty for none.
std::string SortOrderToText(const SortOrder& order, const Schema& schema);

}  // namespace tarn
