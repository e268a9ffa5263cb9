#include "tarn/engine/table_restore.h"

#include <algorithm>
#include <utility>

#include "tarn/engine/table_diff.h"
#include "tarn/engine/table_facts.h"
#include "tarn/table/transaction.h"

namespace tarn {
namespace {

// The old metadata on top of what must not go backwards: ids given, features that readers and
// writers of later versions rely on.
TableMetadata Restored(const TableMetadata& now, const TableMetadata& then) {
  TableMetadata metadata = then;
  metadata.table_id = now.table_id;
  metadata.schema.last_column_id = std::max(now.schema.last_column_id, then.schema.last_column_id);
  metadata.reader_version = std::max(now.reader_version, then.reader_version);
  metadata.writer_version = std::max(now.writer_version, then.writer_version);
  for (const auto member : {&TableMetadata::reader_features, &TableMetadata::writer_features}) {
    for (const std::string& feature : now.*member) {
      auto& kept = metadata.*member;
      if (std::find(kept.begin(), kept.end(), feature) == kept.end()) kept.push_back(feature);
    }
  }
  return metadata;
}

Status CheckFilesExist(Runtime& runtime, const Table& table, const std::string& version,
                       const std::vector<DataFile>& files) {
  return runtime.executor.ParallelFor(static_cast<int64_t>(files.size()), [&](int64_t i) -> Status {
    const DataFile& file = files[static_cast<size_t>(i)];
    TARN_ASSIGN_OR_RETURN(const Path object, table.home.ObjectOf(file.path));
    const auto found = table.home.storage.Stat(object);
    if (found.ok()) return OkStatus();
    if (found.error().code != ErrorCode::kNotFound) return found.error();
    return Invalid("table '" + table.name + "' cannot be restored to version " + version +
                   ": its file '" + file.path + "' is gone (removed by a vacuum or by hand)");
  });
}

}  // namespace

Result<RestoreSummary> RestoreTable(Runtime& runtime, Table& table, const std::string& version) {
  if (table.committer == nullptr)
    return Invalid("table '" + table.name + "' is open for reading only");
  TARN_ASSIGN_OR_RETURN(const TableFacts now, ReadTableFacts(table, Newest{}, FileBounds::kYes));
  TARN_ASSIGN_OR_RETURN(const TableFacts then,
                        ReadTableFacts(table, AtVersion{version}, FileBounds::kYes));
  TableDiff diff = DiffTables(now, then);
  TARN_RETURN_IF_ERROR(CheckFilesExist(runtime, table, version, diff.files_added));

  Commit commit;
  commit.operation.kind = OperationKind::kRestore;
  commit.operation.parameters = {{"version", version}};
  commit.reads.everything = true;
  commit.added = std::move(diff.files_added);
  commit.removed = std::move(diff.files_removed);
  // A file whose deletes differ leaves as it is now and comes back as it was then.
  for (DataFile& file : diff.files_with_rows_deleted) {
    for (const PartitionFacts& partition : now.partitions) {
      for (const DataFile& old : partition.files) {
        if (old.path == file.path) commit.removed.push_back(old);
      }
    }
    commit.added.push_back(std::move(file));
  }
  const TableMetadata& current = now.snapshot.metadata;
  TableMetadata wanted = Restored(current, then.snapshot.metadata);
  if (!(wanted == current)) {
    TARN_ASSIGN_OR_RETURN(wanted, table.format->Prepare(&current, std::move(wanted)));
    if (!(wanted == current)) commit.metadata = std::move(wanted);
  }
  RestoreSummary summary;
  summary.files_added = static_cast<int64_t>(commit.added.size());
  summary.files_removed = static_cast<int64_t>(commit.removed.size());
  if (commit.added.empty() && commit.removed.empty() && !commit.metadata) {
    summary.version = now.snapshot.version;  // it is as it was
    return summary;
  }
  Transaction transaction(runtime, table.home, *table.format, *table.committer, now.snapshot,
                          std::move(commit), Isolation::kSerializable);
  TARN_ASSIGN_OR_RETURN(summary.version, transaction.Publish());
  RunUpkeepAfter(runtime, table.home, *table.format, *table.committer, summary.version);
  return summary;
}

Result<Version> CheckpointTable(Table& table) {
  if (table.committer == nullptr)
    return Invalid("table '" + table.name + "' is open for reading only");
  TARN_ASSIGN_OR_RETURN(const Snapshot newest, table.Load());
  TARN_ASSIGN_OR_RETURN(const Upkeep upkeep,
                        table.format->PlanUpkeep(table.home, newest, UpkeepWish::kCheckpointNow));
  TARN_RETURN_IF_ERROR(table.committer->RunUpkeep(table.home, upkeep));
  return newest.version;
}

}  // namespace tarn
