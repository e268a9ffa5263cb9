#include "tarn/format/iceberg/snapshot_state.h"

namespace tarn::iceberg {

Result<const IcebergState*> StateOf(const Snapshot& snapshot) {
  const auto* state = dynamic_cast<const IcebergState*>(snapshot.state.get());
  if (state == nullptr) return Internal("iceberg: a snapshot that this codec did not load");
  return state;
}

}  // namespace tarn::iceberg
