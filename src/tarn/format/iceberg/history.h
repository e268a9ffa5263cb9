#pragma once

#include <optional>

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/format/iceberg/deleted_rows.h"
#include "tarn/format/iceberg/metadata_files.h"
#include "tarn/model/commit.h"
#include "tarn/table/table_format.h"
#include "tarn/table/table_home.h"

namespace tarn::iceberg {

// TableFormat::Commits. Between two metadata files (versions "v3", "v7") every file between is a
// commit: its new snapshots with their files, its changes of metadata and positions. Between
// snapshots the chain of parents is followed. From the earliest: the snapshots that still exist
// (kPeople, and up to a snapshot id), or every metadata file that does (kConflicts), the first one
// a creation if it is. kGone: a metadata file of the range was removed; kDiverged: `until` does not
// come from `after`.
Result<History> ReadCommits(Runtime& runtime, MetadataReader& files, const TableHome& home,
                            const Version& after, const std::optional<Version>& until,
                            HistoryDetail detail, DeletedRowsReader& deleted_rows);

}  // namespace tarn::iceberg
