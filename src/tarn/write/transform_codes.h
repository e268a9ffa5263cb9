#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <arrow/type_fwd.h>

#include "tarn/base/result.h"
#include "tarn/model/partition_spec.h"
#include "tarn/model/value.h"

namespace tarn {

// What a transform makes of each row of a column: a code, and the value behind each code. NULL has
// a code, too.
struct CodedColumn {
  std::vector<int32_t> codes;  // per row
  std::vector<Value> values;   // per code
};

// `array` is a column of `type` (ToArrow's). About 10 ns per row where values are few: a hash of
// each source value, the transform only once per different value.
Result<CodedColumn> CodeTransform(const arrow::Array& array, const PartitionField& field,
                                  const Type& type);

// The column, or the member of structs, that `steps` lead to (StepsThroughStructs): NULL also where
// a parent is.
Result<std::shared_ptr<arrow::Array>> ColumnAt(const arrow::RecordBatch& batch,
                                               const std::vector<int>& steps);

}  // namespace tarn
