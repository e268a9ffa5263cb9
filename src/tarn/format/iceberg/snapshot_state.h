#pragma once

#include <memory>
#include <optional>

#include "tarn/base/path.h"
#include "tarn/base/result.h"
#include "tarn/format/iceberg/metadata.h"
#include "tarn/format/iceberg/metadata_files.h"
#include "tarn/model/snapshot.h"

namespace tarn::iceberg {

// What the codec keeps between Load and whatever follows on the same snapshot.
struct IcebergState final : SnapshotState {
  std::shared_ptr<const Metadata> metadata;
  MetadataFile file;                   // that it was read from
  std::optional<int64_t> snapshot_id;  // none: a table without rows

  const SnapshotEntry* snapshot() const {
    return snapshot_id ? metadata->SnapshotById(*snapshot_id) : nullptr;
  }
};

// The state of a snapshot that this codec loaded. kInternal for another's, or none.
Result<const IcebergState*> StateOf(const Snapshot& snapshot);

}  // namespace tarn::iceberg
