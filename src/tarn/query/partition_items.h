#pragma once

#include "tarn/base/result.h"
#include "tarn/model/partition_spec.h"
#include "tarn/model/schema.h"
#include "tarn/model/sort_order.h"
#include "tarn/sql/statement.h"

namespace tarn {

// A column or a transform of one, as a statement names it, bound to the schema: a field without a
// name and without ids of its own. kInvalid naming the column or the transform.
Result<PartitionField> BindPartitionItem(const Schema& schema, const sql::PartitionItem& item);

// What rows are ordered by. kInvalid as CheckSortOrder.
Result<SortOrder> BindSortItems(const Schema& schema, const std::vector<sql::SortItem>& items);

}  // namespace tarn
