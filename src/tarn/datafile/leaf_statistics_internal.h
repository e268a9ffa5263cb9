#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include <arrow/type_fwd.h>

#include "tarn/base/result.h"
#include "tarn/datafile/parquet_statistics_internal.h"
#include "tarn/model/schema.h"
#include "tarn/model/statistics.h"

namespace tarn {

// The values of a leaf within a batch of a file's layout: nulls of structs above it pushed down,
// list items as they are.
Result<std::shared_ptr<arrow::Array>> LeafArray(const arrow::RecordBatch& batch, const Leaf& leaf);

// Bounds and NaN of a floating-point leaf.
struct FloatBounds {
  int64_t nan_count = 0;
  int64_t number_count = 0;
  double lower = INFINITY;
  double upper = -INFINITY;

  void Add(const arrow::Array& array);  // float or double
  // Sets nan_count and the bounds, which hold for both zeros.
  void Put(ColumnStatistics& out) const;
};

// Cuts the bounds of strings and bytes to `length` (TruncateLower, TruncateUpper).
void CutBounds(const Type& type, int32_t length, ColumnStatistics& out);

// Statistics of a file whose format keeps none, gathered from the batches that are written to it:
// counts of values, nulls and NaN, and bounds, of the leaves `ids` that are in no list or map.
class BatchStatistics {
 public:
  BatchStatistics(Schema schema, const std::vector<int32_t>& ids, int32_t string_bound_length);

  Status Add(const arrow::RecordBatch& file_batch);
  std::vector<ColumnStatistics> Finish() const;  // by field id

 private:
  struct Column {
    Leaf leaf;  // points into schema_
    ColumnStatistics so_far;
    FloatBounds floats;
  };

  static Status Bound(const arrow::Array& array, Column& column);

  const std::unique_ptr<const Schema> schema_;
  const int32_t string_bound_length_;
  std::map<int32_t, Column> columns_;  // by field id
};

}  // namespace tarn
