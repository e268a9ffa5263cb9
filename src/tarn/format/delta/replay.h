#pragma once

#include <functional>

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/format/delta/actions.h"
#include "tarn/format/delta/snapshot_state.h"
#include "tarn/table/table_home.h"

namespace tarn::delta {

// Who receives the files of a state: each at most once, in no meaningful order, on the caller's
// thread. A failure ends the replay.
struct FileVisitor {
  std::function<Status(AddFile&&)> add;        // files of the table
  std::function<Status(RemoveFile&&)> remove;  // tombstones; empty: none are wanted
};

// The files of `state` with every member that the log has for them: "Action Reconciliation", for
// whoever writes a checkpoint. Statistics that stand only in columns (stats_parsed) come back as
// JSON text. Tombstones are all that the log has, expired ones too. Memory: one JSON file or row
// group's share, and a key per file action of the tail. kCorrupt naming the object.
Status ReplayFiles(Runtime& runtime, const TableHome& home, const DeltaState& state,
                   const FileVisitor& visitor);

}  // namespace tarn::delta
