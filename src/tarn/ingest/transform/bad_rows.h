#pragma once

#include <map>
#include <memory>

#include <arrow/type_fwd.h>

#include "tarn/base/result.h"
#include "tarn/ingest/transform/transform.h"

namespace tarn {

// `batch` without its bad rows (by number), which are reported beside it.
Result<Transformed> SetBadRowsAside(std::shared_ptr<arrow::RecordBatch> batch,
                                    std::map<int64_t, BadBatchRow> bad);

}  // namespace tarn
