#include "tarn/scan/plan.h"

#include <utility>

#include "tarn/model/file_groups.h"
#include "tarn/model/prune.h"

namespace tarn {

Result<ScanPlan> PlanScan(const TableFormat& format, const TableHome& home,
                          const Snapshot& snapshot, const FileRequest& request) {
  ScanPlan plan;
  plan.snapshot = snapshot;
  if (!snapshot.exists()) return plan;
  TARN_ASSIGN_OR_RETURN(auto files, format.Files(home, snapshot, request));
  while (true) {
    TARN_ASSIGN_OR_RETURN(auto batch, files->Next());
    if (!batch) break;
    plan.files_kept += batch->size;
    plan.batches.push_back(std::move(*batch));
  }
  plan.files_seen = files->files_seen();
  return plan;
}

ScanPlan PlanOf(const Snapshot& snapshot, const std::vector<DataFile>& files) {
  ScanPlan plan;
  plan.snapshot = snapshot;
  plan.batches = GroupFiles(snapshot.metadata, files);
  plan.files_kept = plan.files_seen = static_cast<int64_t>(files.size());
  return plan;
}

ScanPlan Narrow(const ScanPlan& plan, const Expression& filter) {
  ScanPlan narrow;
  narrow.snapshot = plan.snapshot;
  narrow.files_seen = plan.files_seen;
  const TableMetadata& metadata = plan.snapshot.metadata;
  for (const FileBatch& batch : plan.batches) {
    const PartitionSpec* spec = metadata.SpecById(batch.spec_id);
    static const PartitionSpec unknown;
    FileBatch kept =
        batch.Filter(MayMatch(filter, metadata.schema, spec == nullptr ? unknown : *spec, batch));
    if (kept.size == 0) continue;
    narrow.files_kept += kept.size;
    narrow.batches.push_back(std::move(kept));
  }
  return narrow;
}

}  // namespace tarn
