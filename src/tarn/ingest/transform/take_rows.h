#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <arrow/type_fwd.h>

#include "tarn/base/result.h"

namespace tarn {

// The rows of `batch` with these numbers, in this order.
Result<std::shared_ptr<arrow::RecordBatch>> TakeRows(const arrow::RecordBatch& batch,
                                                     const std::vector<int32_t>& rows);

}  // namespace tarn
