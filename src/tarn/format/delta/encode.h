#pragma once

#include <functional>

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/model/commit.h"
#include "tarn/model/row_set.h"
#include "tarn/model/snapshot.h"
#include "tarn/table/table_format.h"
#include "tarn/table/table_home.h"

namespace tarn::delta {

// Reads the rows that a deletion vector already takes away.
using DeletedRowsReader = std::function<Result<RowSet>(const DeleteFile&)>;

// Lineage longer than this is left out of a commit, with a warning in the log.
inline constexpr size_t kLineageBytesMax = 32 << 10;

// `commit` on top of `base` as one log entry, `_delta_log/<version>.json`: commitInfo first, then
// protocol and metaData where they change, txn, remove, add, cdc. Staged before it: the file of new
// deletion vectors, if there is one. `requirements` names the head, `changes` carries the same
// lines as one "commit".
//
// commitInfo.timestamp (and inCommitTimestamp where the table keeps it) is now, or a millisecond
// after the base's, whichever is later. A file's location is written as it was read; a new file's
// path is percent-encoded once, here. Row deletes become a remove of the file as it was and an add
// with the merged deletion vector and wide bounds; a file that loses all its rows is removed.
// Positions become txn actions: appId is the source, version the position, a decimal 64-bit number.
//
// kInvalid: no metadata for a new table; data removed from an append-only table; a file named
// twice; a partition value that the log cannot tell from NULL; a position that is no number.
// kConflict: a position is not what the commit thought.
// kUnsupported: features Tarn does not write; row deletes where `delta.enableDeletionVectors` is
// not set (rewrite the file instead) or the file's number of rows is unknown; another partitioning
// of a table that keeps its files. Cost: microseconds for small commits; no I/O but `deleted_rows`.
Result<EncodedCommit> EncodeCommit(Runtime& runtime, const TableHome& home, const Snapshot& base,
                                   const Commit& commit, const DeletedRowsReader& deleted_rows);

}  // namespace tarn::delta
