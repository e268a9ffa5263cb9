#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <arrow/type_fwd.h>

#include "tarn/base/result.h"

namespace tarn {

// Rows of one batch among several.
struct PickedRows {
  size_t batch = 0;
  std::span<const int32_t> rows;
};

// The picked rows, in the order given, as one batch of the `columns` named by position. All batches
// have one schema. Copies; columns of fixed width, strings and binary by loops of our own (a Take
// per piece costs more than the rows when pieces are short), others through Arrow. kInvalid when a
// column's text would pass 2 GiB. The result's buffers come from `pool` (null: Arrow's default),
// which outlives them.
Result<std::shared_ptr<arrow::RecordBatch>> GatherRows(
    const std::vector<std::shared_ptr<arrow::RecordBatch>>& batches,
    const std::vector<PickedRows>& picked, const std::vector<int>& columns,
    arrow::MemoryPool* pool = nullptr);

}  // namespace tarn
