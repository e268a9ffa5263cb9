#include "tarn/query/changes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "tarn/base/text.h"
#include "tarn/model/file_groups.h"
#include "tarn/model/row_set.h"
#include "tarn/scan/plan.h"

namespace tarn {

namespace {

// Far above any id a table gives: the column of change data has none of its own.
constexpr int32_t kChangeTypeId = INT32_MAX - 100;

RowSet Without(const RowSet& rows, const RowSet& taken) {
  RowSet rest;
  rows.ForEach([&](uint64_t row) {
    if (!taken.Contains(row)) rest.Add(row);
  });
  return rest;
}

class Builder {
 public:
  Builder(std::shared_ptr<const Table> table, Snapshot last)
      : table_(std::move(table)), last_(std::move(last)) {}

  Status Add(const Commit& commit) {
    if (!commit.change_files.empty()) {
      AddScan(commit, "", commit.change_files, {}, /*change_data=*/true);
      return OkStatus();
    }
    if (!commit.data_change) return OkStatus();
    std::map<std::string, const DataFile*> removed;
    for (const DataFile& file : commit.removed) removed[file.path] = &file;
    std::vector<DataFile> inserted, deleted;
    std::vector<DataFile> touched;
    std::map<std::string, RowSet, std::less<>> rows_deleted, rows_restored;
    for (const DataFile& file : commit.added) {
      const auto before = removed.find(file.path);
      if (before == removed.end()) {
        inserted.push_back(file);
        continue;
      }
      // The same file under other deletes.
      TARN_ASSIGN_OR_RETURN(const RowSet then, Deleted(*before->second));
      TARN_ASSIGN_OR_RETURN(const RowSet now, Deleted(file));
      rows_deleted[file.path] = Without(now, then);
      rows_restored[file.path] = Without(then, now);
      touched.push_back(file);
      removed.erase(before);
    }
    for (const RowDelete& rows : commit.row_deletes) {
      rows_deleted[rows.file.path].Merge(rows.rows);
      touched.push_back(rows.file);
    }
    for (const auto& [path, file] : removed) deleted.push_back(*file);
    TARN_RETURN_IF_ERROR(FillPartitions(commit, deleted));
    AddScan(commit, "insert", inserted, {}, false);
    AddScan(commit, "delete", deleted, {}, false);
    AddRows(commit, "delete", touched, std::move(rows_deleted));
    AddRows(commit, "insert", touched, std::move(rows_restored));
    return OkStatus();
  }

  std::vector<ChangePart> Finish() { return std::move(parts_); }

 private:
  // The rows that `file`'s deletes take away.
  Result<RowSet> Deleted(const DataFile& file) const {
    if (file.deletes.empty()) return RowSet();
    return table_->format->DeletedRows(table_->home, last_, file);
  }

  // A removal need not repeat the partition values: then they are looked up in the state before.
  Status FillPartitions(const Commit& commit, std::vector<DataFile>& files) {
    std::map<std::string, DataFile*> wanting;
    for (DataFile& file : files) {
      const PartitionSpec* spec = last_.metadata.SpecById(file.spec_id);
      if (spec != nullptr && file.partition.size() < spec->fields.size()) {
        wanting[file.path] = &file;
      }
    }
    if (wanting.empty()) return OkStatus();
    const std::optional<int64_t> number = ParseInt64(commit.version.text);
    if (!number || *number == 0) {
      return Unsupported(table_->name + ": version " + commit.version.text +
                         " removes files without their partition values");
    }
    TARN_ASSIGN_OR_RETURN(const Snapshot before,
                          table_->Load(AtVersion{std::to_string(*number - 1)}));
    TARN_ASSIGN_OR_RETURN(auto stream, table_->format->Files(table_->home, before, {}));
    while (true) {
      TARN_ASSIGN_OR_RETURN(const auto batch, stream->Next());
      if (!batch) break;
      for (int64_t row = 0; row < batch->size; ++row) {
        const auto found = wanting.find(std::string(batch->path[static_cast<size_t>(row)]));
        if (found != wanting.end()) *found->second = batch->At(row);
      }
    }
    return OkStatus();
  }

  // Of each of `files` only its rows in `rows`; files that stand in it with none, or not at all,
  // have nothing to say.
  void AddRows(const Commit& commit, std::string change_type, const std::vector<DataFile>& files,
               std::map<std::string, RowSet, std::less<>> rows) {
    std::vector<DataFile> concerned;
    for (const DataFile& file : files) {
      const auto found = rows.find(file.path);
      if (found != rows.end() && !found->second.empty()) concerned.push_back(file);
    }
    AddScan(commit, std::move(change_type), concerned, std::move(rows), false);
  }

  void AddScan(const Commit& commit, std::string change_type, const std::vector<DataFile>& files,
               std::map<std::string, RowSet, std::less<>> only_rows, bool change_data) {
    if (files.empty()) return;
    ScanPlan plan;
    plan.snapshot = last_;
    if (change_data) {
      plan.snapshot.metadata.schema.fields.push_back(
          {.id = kChangeTypeId,
           .name = kChangeTypeColumn,
           .type = Type::Of(TypeKind::kString),
           .annotations = {{std::string(TableScan::kByNameAnnotation), "true"}}});
    }
    plan.batches = GroupFiles(last_.metadata, files);
    plan.files_kept = static_cast<int64_t>(files.size());
    plan.files_seen = plan.files_kept;
    parts_.push_back({std::make_shared<TableScan>(table_, std::move(plan), std::move(only_rows)),
                      std::move(change_type), commit.version.text, commit.timestamp_ms});
  }

  std::shared_ptr<const Table> table_;
  Snapshot last_;
  std::vector<ChangePart> parts_;
};

// The version that `from` came from, empty for the first. Where versions count up by one, that is
// known without a look at the history before.
Result<Version> VersionBefore(const Table& table, const std::string& from, const std::string& to,
                              const Snapshot& last) {
  const std::optional<int64_t> first_number = ParseInt64(from);
  const std::optional<int64_t> last_number = ParseInt64(to);
  const bool rising = first_number && last_number && *first_number <= *last_number;
  if (rising && *first_number == 0) return Version{};
  if (rising && table.Load(AtVersion{std::to_string(*first_number - 1)}).ok()) {
    return Version{std::to_string(*first_number - 1)};
  }
  TARN_ASSIGN_OR_RETURN(
      const History history,
      table.format->Commits(table.home, Version{}, last.version, HistoryDetail::kPeople));
  if (const auto* commits = std::get_if<std::vector<Commit>>(&history)) {
    for (size_t i = 0; i < commits->size(); ++i) {
      if ((*commits)[i].version.text != from) continue;
      return i == 0 ? Version{} : (*commits)[i - 1].version;
    }
  }
  if (first_number && last_number && !rising) {
    return Invalid(table.name + ".changes: version " + from + " is after version " + to);
  }
  return NotFound(table.name + ".changes: the history no longer reaches back to version " + from);
}

}  // namespace

Result<std::vector<ChangePart>> ChangesBetween(std::shared_ptr<const Table> table,
                                               const std::string& from, const std::string& to) {
  TARN_ASSIGN_OR_RETURN(const Snapshot snapshot, table->Load(AtVersion{to}));
  TARN_ASSIGN_OR_RETURN(const Version after, VersionBefore(*table, from, to, snapshot));
  TARN_ASSIGN_OR_RETURN(
      const History history,
      table->format->Commits(table->home, after, snapshot.version, HistoryDetail::kConflicts));
  const auto* commits = std::get_if<std::vector<Commit>>(&history);
  if (commits == nullptr || commits->empty() || commits->front().version.text != from) {
    return NotFound(table->name + ".changes: the history no longer reaches back to version " +
                    from);
  }
  Builder builder(table, snapshot);
  for (const Commit& commit : *commits) TARN_RETURN_IF_ERROR(builder.Add(commit));
  return builder.Finish();
}

}  // namespace tarn
