#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/model/snapshot.h"
#include "tarn/table/relation.h"
#include "tarn/table/table.h"

namespace tarn {

// t.history: a row per commit up to `snapshot`, newest first: version, timestamp, operation,
// parameters, metrics, engine, writer, id. Versions are BIGINT where all of them are numbers.
Result<Relation> HistoryOf(const Table& table, const Snapshot& snapshot);

// t.files: a row per data file: path, size_bytes, record_count, deleted_rows, modified, partition
// (a map, NULL kept), lower_bounds, upper_bounds, null_counts (maps by column path).
Result<Relation> FilesOf(const Table& table, const Snapshot& snapshot);

// t.partitions: a row per partition: its values under the spec's names, then files, record_count
// (deleted rows left out), size_bytes. One row for a table without partitions.
Result<Relation> PartitionsOf(const Table& table, const Snapshot& snapshot);

}  // namespace tarn
