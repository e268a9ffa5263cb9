#pragma once

#include <functional>
#include <memory>

#include <arrow/type_fwd.h>

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/model/schema.h"
#include "tarn/model/sort_order.h"

namespace tarn {

// Rows in, and out again in a sort order; those that are equal in it in the order they came. They
// are sorted in runs of up to 128 MiB; a quarter of the memory limit (at most 1 GiB) holds runs,
// others are put aside in files without a name below the system's temporary folder (LZ4, Arrow
// IPC), and all are merged batch by batch. Not thread-safe.
class RowSorter {
 public:
  virtual ~RowSorter() = default;
  // A batch of the schema's columns (ToArrow's types).
  virtual Status Add(std::shared_ptr<arrow::RecordBatch> batch) = 0;
  // Hands all rows to `take`, once, while a further thread merges on. Errors: those of `take`;
  // kUnavailable when what was put aside cannot be written or read; kCancelled.
  using Take = std::function<Status(std::shared_ptr<arrow::RecordBatch> batch)>;
  virtual Status Drain(const Take& take) = 0;
};

// kInvalid as CheckSortOrder.
Result<std::unique_ptr<RowSorter>> MakeRowSorter(Runtime& runtime, const Schema& schema,
                                                 const SortOrder& order);

}  // namespace tarn
