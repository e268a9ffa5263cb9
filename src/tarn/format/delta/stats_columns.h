#pragma once

#include <cstdint>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/format/delta/table_properties.h"
#include "tarn/model/table_metadata.h"

namespace tarn::delta {

// Bytes of statistics per file that Tarn aims at when no property says which columns get them: all
// columns of an ordinary table, the first ninety or so of a table of thousands, so that the
// metadata of a commit stays small whatever the width (S29).
inline constexpr int64_t kStatsBudgetBytes = 8 << 10;

// The leaf fields that get statistics, in schema order: those named by
// `delta.dataSkippingStatsColumns` (a struct stands for all in it), else the first
// `delta.dataSkippingNumIndexedCols` (-1: all), else as many leading ones as kStatsBudgetBytes
// hold. Only fields outside lists and maps; partition columns have none, their value is in every
// add. kInvalid naming a listed column that does not exist or can have no statistics.
Result<std::vector<int32_t>> StatisticsIds(const TableMetadata& metadata,
                                           const TableProperties& properties);

}  // namespace tarn::delta
