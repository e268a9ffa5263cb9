#pragma once

#include <memory>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/format/delta/log_segment.h"
#include "tarn/format/delta/parquet_leaf.h"
#include "tarn/format/delta/snapshot_state.h"
#include "tarn/table/table_home.h"

namespace tarn::delta {

// The objects that hold a state's file actions, opened: JSON files newest first, then the Parquet
// files of the checkpoint (its parts and sidecars), which are older than all JSON files but, where
// the checkpoint itself is JSON, that one.
struct LogFiles {
  std::vector<ObjectInfo> json;
  std::vector<std::shared_ptr<const CheckpointParquet>> parquet;
};

// Opens them. A checkpoint or sidecar that cannot be read is passed over with a warning, as in
// Load, for an older checkpoint or the commits alone. kCorrupt, kNotFound when nothing is left to
// fall back on.
Result<LogFiles> OpenLogFiles(Runtime& runtime, const TableHome& home, const DeltaState& state);

}  // namespace tarn::delta
