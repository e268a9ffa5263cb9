#pragma once

#include <memory>

#include "tarn/base/runtime.h"
#include "tarn/table/table_format.h"

namespace tarn {

// The Delta Lake codec (PROTOCOL.md of delta-io/delta; mapping to the model: docs/format/delta.md).
// Reads every reader version up to 3 with the features listed in format/delta/features.h, refusing
// others by name. `runtime` outlives it.
std::unique_ptr<TableFormat> MakeDeltaFormat(Runtime& runtime);

}  // namespace tarn
