#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <arrow/type_fwd.h>

#include "tarn/base/result.h"
#include "tarn/model/partition_spec.h"
#include "tarn/model/schema.h"

namespace tarn {

// The rows of one batch by partition.
struct RoutedBatch {
  std::vector<std::vector<Value>> partitions;  // each once, in order of first appearance
  std::vector<int32_t> order;                  // rows, those of one partition together, ascending
  std::vector<int32_t> begins;  // partition p's rows: order[begins[p], begins[p + 1])

  std::span<const int32_t> RowsOf(size_t partition) const {
    return std::span(order).subspan(begins[partition], begins[partition + 1] - begins[partition]);
  }
};

// Which partition each row of a table belongs to, worked out in columns: a hash of each source
// value, the transform only once per different value. A plain value; thread-safe.
class PartitionRouter {
 public:
  // kInvalid if a field's source is no column, or lies in a list or map, or cannot be transformed.
  static Result<PartitionRouter> Make(const Schema& schema, const PartitionSpec& spec);

  // `batch` has the schema's columns (ToArrow's types). About 10 ns per row and field where values
  // are few.
  Result<RoutedBatch> Route(const arrow::RecordBatch& batch) const;

 private:
  struct Source {
    PartitionField field;
    Type type;
    std::vector<int> steps;  // column, then members of structs
  };
  std::vector<Source> sources_;
};

}  // namespace tarn
