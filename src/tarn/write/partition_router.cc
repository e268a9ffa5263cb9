#include "tarn/write/partition_router.h"

#include <optional>
#include <utility>

#include <arrow/api.h>

#include "tarn/write/number_codes_internal.h"
#include "tarn/write/transform_codes.h"

namespace tarn {

Result<PartitionRouter> PartitionRouter::Make(const Schema& schema, const PartitionSpec& spec) {
  PartitionRouter router;
  for (const PartitionField& field : spec.fields) {
    const Field* source = schema.FindById(field.source_id);
    auto steps = StepsThroughStructs(schema, field.source_id);
    if (source == nullptr || !steps) {
      return Invalid("partition field '" + field.name + "': its column is not in the schema");
    }
    TARN_RETURN_IF_ERROR(TransformedType(field, source->type));
    router.sources_.push_back({field, source->type, std::move(*steps)});
  }
  return router;
}

Result<RoutedBatch> PartitionRouter::Route(const arrow::RecordBatch& batch) const {
  const size_t rows = static_cast<size_t>(batch.num_rows());
  std::vector<int32_t> group_of(rows, 0);
  std::vector<std::vector<Value>> groups(1);
  for (const Source& source : sources_) {
    TARN_ASSIGN_OR_RETURN(const auto array, ColumnAt(batch, source.steps));
    TARN_ASSIGN_OR_RETURN(const CodedColumn coded,
                          CodeTransform(*array, source.field, source.type));
    NumberCodes pairs;
    std::vector<std::vector<Value>> finer;
    uint64_t last_pair = 0;
    int32_t last_group = -1;
    for (size_t row = 0; row < rows; ++row) {
      const uint64_t pair =
          static_cast<uint64_t>(group_of[row]) << 32 | static_cast<uint32_t>(coded.codes[row]);
      if (last_group < 0 || pair != last_pair) {
        last_pair = pair;
        last_group = pairs.Find(pair);
        if (last_group < 0) {
          last_group = static_cast<int32_t>(finer.size());
          pairs.Insert(pair, last_group);
          finer.push_back(groups[group_of[row]]);
          finer.back().push_back(coded.values[coded.codes[row]]);
        }
      }
      group_of[row] = last_group;
    }
    groups = std::move(finer);
  }

  RoutedBatch routed;
  if (rows == 0) {
    routed.begins.push_back(0);
    return routed;
  }
  routed.partitions = std::move(groups);
  routed.begins.assign(routed.partitions.size() + 1, 0);
  for (const int32_t group : group_of) ++routed.begins[group + 1];
  for (size_t i = 1; i < routed.begins.size(); ++i) routed.begins[i] += routed.begins[i - 1];
  std::vector<int32_t> next(routed.begins.begin(), routed.begins.end() - 1);
  routed.order.resize(rows);
  for (size_t row = 0; row < rows; ++row) {
    routed.order[next[group_of[row]]++] = static_cast<int32_t>(row);
  }
  return routed;
}

}  // namespace tarn