#pragma once

#include <memory>

#include "tarn/ingest/transform/transform.h"

namespace tarn {

// partition_from: {column: eventTime, into: date}: adds a date column with the day of a timestamp
// (or date) column, NULL where that is NULL. Days are UTC's, or those of `zone: Asia/Kolkata` (IANA
// name) for timestamps with zone. `into` is "date" when left out.
std::unique_ptr<TransformMaker> MakePartitionFromMaker();

}  // namespace tarn
