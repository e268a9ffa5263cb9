#pragma once

#include <vector>

#include "tarn/format/iceberg/manifest.h"
#include "tarn/model/expression.h"
#include "tarn/model/partition_spec.h"
#include "tarn/model/schema.h"

namespace tarn::iceberg {

// `filter` over rows as a filter over the partition values of `spec` that keeps every partition
// that may hold a matching row ("inclusive projection"): fields are the partition fields' ids.
// What a transform cannot say is true.
Expression ProjectOnPartition(const Expression& filter, const Schema& schema,
                              const PartitionSpec& spec);

// For each manifest, all of `spec`, 1 when some file of it may hold a row that matches `filter`, by
// the summaries of its list; `types` are the partition values' types (PartitionTypes).
std::vector<uint8_t> MayHoldMatches(const Expression& filter, const Schema& schema,
                                    const PartitionSpec& spec, const std::vector<Type>& types,
                                    const std::vector<const ManifestFile*>& manifests);

}  // namespace tarn::iceberg
