#pragma once

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/format/delta/snapshot_state.h"
#include "tarn/model/snapshot.h"
#include "tarn/table/table_format.h"
#include "tarn/table/table_home.h"

namespace tarn::delta {

// A checkpoint is due when this much JSON has gathered since the last one, whatever its interval,
// if that is also more than a tenth of the last checkpoint's bytes: readers then decode at most
// that much line by line. Smaller tails are cheap to read, so small tables wait for their interval.
inline constexpr int64_t kTailBytesMax = int64_t{4} << 20;

// Whether `state` should get a checkpoint: delta.checkpointInterval versions after the last one (or
// after version 0), or by kTailBytesMax. Pure; false when it has one.
bool CheckpointDue(const DeltaState& state, int64_t checkpoint_interval);

// What is due after `snapshot` was published (PROTOCOL.md, "Checkpoints", "Last Checkpoint File",
// "Metadata Cleanup"). To put: the classic checkpoint of the snapshot's version, then the hint. It
// holds protocol, metaData, txns (delta.setTransactionRetentionDuration), domainMetadata, files,
// and tombstones younger than delta.deletedFileRetentionDuration. To remove: log entries older than
// delta.logRetentionDuration (counted from midnight UTC) that precede a checkpoint at least as old,
// and checksum files that Hadoop left beside what is replaced or removed: they would no longer fit.
//
// Nothing when no checkpoint is due, so that most commits cost no I/O here. kUnsupported for a
// table Tarn does not write, if a checkpoint was asked for by name. Errors of reading the log. Cost
// of a checkpoint: the files of the table, streamed; its compressed bytes are in memory.
Result<Upkeep> PlanDeltaUpkeep(Runtime& runtime, const TableHome& home, const Snapshot& snapshot,
                               UpkeepWish wish);

}  // namespace tarn::delta
