#pragma once

#include <memory>
#include <vector>

#include <arrow/type_fwd.h>

#include "tarn/base/result.h"
#include "tarn/model/schema.h"
#include "tarn/model/sort_order.h"

namespace tarn {

// Rows' places in a sort order as bytes: of two rows the one whose key is less, byte by byte
// without sign, comes first. Per field a byte for NULL or not, then numbers with the highest byte
// first and the sign turned, text with its zeros escaped and an end; all but the NULLs inverted
// where the order descends. So one comparison serves orders of any number of fields and types. A
// plain value; thread-safe.
class SortKeys {
 public:
  // As CheckSortOrder.
  static Result<SortKeys> Make(const Schema& schema, const SortOrder& order);

  // One key per row; `batch` has the schema's columns (ToArrow's types). kInvalid past 2 GiB of
  // keys.
  Result<std::shared_ptr<arrow::BinaryArray>> Of(const arrow::RecordBatch& batch) const;

 private:
  struct Source {
    SortField field;
    Type type;  // of the column
    std::vector<int> steps;
  };
  std::vector<Source> sources_;
};

}  // namespace tarn
