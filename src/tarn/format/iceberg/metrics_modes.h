#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/model/schema.h"

namespace tarn::iceberg {

// What a table keeps of a column's statistics in manifests (`write.metadata.metrics.…`).
struct MetricsMode {
  enum class Kind : uint8_t { kNone, kCounts, kTruncate, kFull } kind = Kind::kTruncate;
  int32_t length = 16;  // kTruncate: code points or bytes kept of a bound
};

// The mode of every column that may have statistics, by field id: `….column.<path>`, else
// `….default` (truncate(16)), which holds for the first `….max-inferred-column-defaults` (100)
// columns only. kInvalid naming a property whose value is none.
Result<std::map<int32_t, MetricsMode>> MetricsModes(
    const Schema& schema, const std::map<std::string, std::string>& properties);

}  // namespace tarn::iceberg
