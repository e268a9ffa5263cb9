#pragma once

#include <cstdint>
#include <vector>

#include "tarn/model/expression.h"
#include "tarn/model/file_batch.h"
#include "tarn/model/partition_spec.h"

namespace tarn {

// For each file of `batch`, 1 when some row of it may satisfy `filter`, 0 when none can, by its
// partition values and bounds; the same for every format. Unknown statistics keep the file. A value
// that is NaN is greater than all others: upper bounds of floating-point columns are not trusted
// unless nan_count is 0.
std::vector<uint8_t> MayMatch(const Expression& filter, const Schema& schema,
                              const PartitionSpec& spec, const FileBatch& batch);

// The same for one file as a value.
bool MayMatch(const Expression& filter, const Schema& schema, const PartitionSpec& spec,
              const DataFile& file);

// For each file, 1 when every row of it surely satisfies `filter` (Truth::kTrue): what a
// metadata-only delete needs. 0 when in doubt.
std::vector<uint8_t> MustMatch(const Expression& filter, const Schema& schema,
                               const PartitionSpec& spec, const FileBatch& batch);
bool MustMatch(const Expression& filter, const Schema& schema, const PartitionSpec& spec,
               const DataFile& file);

// The fields whose bounds help to decide `filter`: those it mentions, but for identity partition
// columns, whose values decide alone. Sorted.
std::vector<int32_t> BoundsNeeded(const Expression& filter, const PartitionSpec& spec);

}  // namespace tarn
