#include "tarn/table/transaction.h"

namespace tarn {

void RunUpkeepAfter(Runtime& runtime, TableHome& home, const TableFormat& format,
                    Committer& committer, const Version& version) {
  const auto run = [&]() -> Status {
    TARN_ASSIGN_OR_RETURN(const std::unique_ptr<CommitGuard> guard, committer.Guard(home));
    TARN_ASSIGN_OR_RETURN(const Snapshot snapshot, format.Load(home, AtVersion{version.text}));
    TARN_ASSIGN_OR_RETURN(const Upkeep upkeep,
                          format.PlanUpkeep(home, snapshot, UpkeepWish::kIfDue));
    if (upkeep.put.empty() && upkeep.remove.empty()) return OkStatus();
    runtime.metrics.Add("table.upkeeps", 1);
    return committer.RunUpkeep(home, upkeep);
  };
  const Status status = run();
  if (!status.ok()) {
    runtime.log.Warn("upkeep of '" + home.root.str() + "' after version " + version.text +
                     " failed; the next commit tries again: " + status.error().ToString());
  }
}

}  // namespace tarn
