#include "tarn/format/delta/snapshot_state.h"

namespace tarn::delta {

Result<const DeltaState*> StateOf(const Snapshot& snapshot) {
  const auto* state = dynamic_cast<const DeltaState*>(snapshot.state.get());
  if (state == nullptr) return Internal("delta: a snapshot that this codec did not load");
  return state;
}

}  // namespace tarn::delta
