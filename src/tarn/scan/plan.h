#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/model/expression.h"
#include "tarn/model/file_batch.h"
#include "tarn/model/snapshot.h"
#include "tarn/table/table_format.h"
#include "tarn/table/table_home.h"

namespace tarn {

// The files of one snapshot that can hold rows of interest.
struct ScanPlan {
  Snapshot snapshot;
  std::vector<FileBatch> batches;
  int64_t files_kept = 0;
  int64_t files_seen = 0;  // before pruning
};

// Plans a read of `snapshot`: files that `request.filter` rules out by partition or statistics are
// gone. Errors as TableFormat::Files.
Result<ScanPlan> PlanScan(const TableFormat& format, const TableHome& home,
                          const Snapshot& snapshot, const FileRequest& request);

// The plan of just these files of `snapshot`, which is in memory: batches as GroupFiles makes them.
ScanPlan PlanOf(const Snapshot& snapshot, const std::vector<DataFile>& files);

// A plan made from one that is already in memory, with a narrower filter. Bounds not decoded in
// `plan` keep their files.
ScanPlan Narrow(const ScanPlan& plan, const Expression& filter);

}  // namespace tarn
