#pragma once

#include "tarn/base/result.h"
#include "tarn/format/iceberg/metadata_files.h"
#include "tarn/model/snapshot.h"
#include "tarn/table/table_format.h"
#include "tarn/table/table_home.h"

namespace tarn::iceberg {

// TableFormat::PlanUpkeep: the version hint of a path table, and, with
// write.metadata.delete-after-commit.enabled, the metadata files that have left the log.
Result<Upkeep> PlanIcebergUpkeep(MetadataReader& files, const TableHome& home,
                                 const Snapshot& snapshot);

}  // namespace tarn::iceberg
