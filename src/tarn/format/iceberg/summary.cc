#include "tarn/format/iceberg/summary.h"

#include <optional>
#include <set>

#include "tarn/base/text.h"
#include "tarn/base/version.h"
#include "tarn/format/iceberg/load.h"
#include "tarn/model/partition_key.h"

namespace tarn::iceberg {
namespace {

struct Totals {
  int64_t files = 0;
  int64_t records = 0;
  int64_t bytes = 0;

  void Add(const std::vector<DataFile>& all) {
    for (const DataFile& file : all) {
      files += 1;
      records += std::max<int64_t>(file.record_count, 0);
      bytes += file.size_bytes;
    }
  }
};

// Delete files of positions. Of a vector the size is that of its blob.
struct DeleteTotals {
  int64_t files = 0;
  int64_t vectors = 0;
  int64_t positions = 0;
  int64_t bytes = 0;

  void Add(const NewDelete& one) {
    files += 1;
    vectors += one.content_size ? 1 : 0;
    positions += one.file.record_count;
    bytes += one.content_size.value_or(one.file.size_bytes);
  }
  // What goes with its data file, or for a newer vector of it.
  void AddVectorsOf(const DataFile& file) {
    for (const DeleteFile& deletes : file.deletes) {
      if (deletes.kind != DeleteKind::kDeletionVector) continue;
      files += 1;
      vectors += 1;
      positions += deletes.row_count;
      bytes += deletes.size_bytes;
    }
  }
};

// A total of the parent's; of no parent 0; nothing where the parent does not tell.
std::optional<int64_t> ParentTotal(const SnapshotEntry* parent, const char* key) {
  if (parent == nullptr) return 0;
  const auto found = parent->summary.find(key);
  if (found == parent->summary.end()) return std::nullopt;
  return ParseInt64(found->second);
}

}  // namespace

std::string OperationOf(const Commit& commit) {
  if (!commit.data_change || commit.operation.kind == OperationKind::kRewrite) return "replace";
  switch (commit.operation.kind) {
    case OperationKind::kAppend:
    case OperationKind::kCreate:
      return commit.removed.empty() ? "append" : "overwrite";
    case OperationKind::kDelete:
      return commit.added.empty() ? "delete" : "overwrite";
    default:
      return "overwrite";
  }
}

std::map<std::string, std::string> SummaryOf(const Commit& commit, const SnapshotEntry* parent,
                                             int64_t removed_delete_files,
                                             const NewDeletes& added_deletes) {
  std::map<std::string, std::string> summary;
  summary["operation"] = OperationOf(commit);
  Totals added, removed;
  added.Add(commit.added);
  removed.Add(commit.removed);
  const auto count = [&](const char* key, int64_t number) {
    if (number > 0) summary[key] = std::to_string(number);
  };
  count("added-data-files", added.files);
  count("added-records", added.records);
  DeleteTotals deletes;
  for (const NewDelete& one : added_deletes.entries) deletes.Add(one);
  DeleteTotals gone;
  for (const DataFile& file : commit.removed) gone.AddVectorsOf(file);
  for (const RowDelete& one : commit.row_deletes) {
    if (!one.rows.empty()) gone.AddVectorsOf(one.file);
  }
  added.bytes += deletes.bytes;
  removed.bytes += gone.bytes;
  count("added-delete-files", deletes.files);
  count("added-dvs", deletes.vectors);
  count("added-position-delete-files", deletes.files - deletes.vectors);
  count("added-position-deletes", deletes.positions);
  count("removed-position-deletes", gone.positions);
  count("added-files-size", added.bytes);
  count("deleted-data-files", removed.files);
  count("deleted-records", removed.records);
  count("removed-files-size", removed.bytes);
  count("removed-delete-files", removed_delete_files);
  count("removed-dvs", gone.vectors);
  count("removed-position-delete-files", removed_delete_files - gone.vectors);
  std::set<std::string> partitions;
  for (const auto* files : {&commit.added, &commit.removed}) {
    for (const DataFile& file : *files)
      partitions.insert(PartitionKey(file.spec_id, file.partition));
  }
  for (const NewDelete& one : added_deletes.entries)
    partitions.insert(PartitionKey(one.file.spec_id, one.file.partition));
  summary["changed-partition-count"] = std::to_string(partitions.size());
  const auto total = [&](const char* key, int64_t change) {
    if (const auto before = ParentTotal(parent, key)) {
      summary[key] = std::to_string(std::max<int64_t>(*before + change, 0));
    }
  };
  total("total-data-files", added.files - removed.files);
  total("total-records", added.records - removed.records);
  total("total-files-size", added.bytes - removed.bytes);
  total("total-delete-files", deletes.files - removed_delete_files);
  total("total-position-deletes", deletes.positions - gone.positions);
  total("total-equality-deletes", 0);
  for (const auto& [key, value] : commit.extra) summary[key] = value;
  summary[std::string(kCommitIdProperty)] = commit.id;
  summary["engine-name"] = "tarn";
  summary["engine-version"] = std::string(kTarnVersion);
  if (!commit.operation.name.empty()) summary["tarn.operation"] = commit.operation.name;
  if (!commit.writer.empty()) summary["tarn.writer"] = commit.writer;
  if (!commit.lineage.empty()) summary["tarn.lineage"] = commit.lineage;
  return summary;
}

}  // namespace tarn::iceberg
