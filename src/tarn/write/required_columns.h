#pragma once

#include <cstdint>

#include <arrow/type_fwd.h>

#include "tarn/base/result.h"
#include "tarn/model/schema.h"

namespace tarn {

// Refuses NULL in a required column at any depth (a member is only asked for where its parent is
// not NULL): kInvalid naming the column and the row, counted from `first_row` + 1. `batch` has the
// schema's columns. Costs nothing for columns without nulls.
Status CheckRequired(const arrow::RecordBatch& batch, const Schema& schema, int64_t first_row);

}  // namespace tarn
