#include "tarn/format/iceberg/history.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "tarn/format/iceberg/commit_files.h"
#include "tarn/format/iceberg/load.h"
#include "tarn/format/iceberg/location.h"
#include "tarn/format/iceberg/snapshot_state.h"

namespace tarn::iceberg {
namespace {

using MetadataPtr = std::shared_ptr<const Metadata>;

// One metadata file of a history.
struct Stage {
  MetadataFile file;
  MetadataPtr metadata;
};

OperationKind KindOf(const SnapshotEntry& snapshot) {
  const std::string& name = snapshot.operation();
  if (name == "append") return OperationKind::kAppend;
  if (name == "overwrite") return OperationKind::kOverwrite;
  if (name == "delete") return OperationKind::kDelete;
  if (name == "replace") return OperationKind::kRewrite;
  return OperationKind::kOther;
}

std::string TextIn(const std::map<std::string, std::string>& texts, std::string_view key) {
  const auto found = texts.find(std::string(key));
  return found == texts.end() ? std::string() : found->second;
}

// A snapshot as a commit, without its files.
Commit CommitOf(const SnapshotEntry& snapshot) {
  Commit commit;
  commit.version.text = SnapshotIdText(snapshot.id);
  commit.timestamp_ms = snapshot.timestamp_ms;
  commit.id = TextIn(snapshot.summary, kCommitIdProperty);
  commit.operation.kind = KindOf(snapshot);
  commit.operation.name = snapshot.operation();
  commit.data_change = commit.operation.kind != OperationKind::kRewrite;
  commit.writer = TextIn(snapshot.summary, "tarn.writer");
  commit.lineage = TextIn(snapshot.summary, "tarn.lineage");
  commit.engine = TextIn(snapshot.summary, "engine-name");
  if (const std::string version = TextIn(snapshot.summary, "engine-version"); !version.empty()) {
    commit.engine += (commit.engine.empty() ? "" : "/") + version;
  }
  for (const auto& [key, value] : snapshot.summary) {
    if (key == "operation" || key == kCommitIdProperty || key == "tarn.writer" ||
        key == "tarn.lineage" || key == "engine-name" || key == "engine-version") {
      continue;
    }
    const bool count = !value.empty() && value.find_first_not_of("0123456789") == std::string::npos;
    (count ? commit.operation.metrics : commit.operation.parameters)[key] = value;
  }
  return commit;
}

// The snapshots from the one after `after` (or the first that exists) to `until`, oldest first;
// nothing when `until` does not come from `after`.
std::optional<std::vector<const SnapshotEntry*>> Between(const Metadata& metadata,
                                                         std::optional<int64_t> after,
                                                         std::optional<int64_t> until) {
  std::vector<const SnapshotEntry*> chain;
  std::set<int64_t> seen;
  while (until && until != after) {
    const SnapshotEntry* snapshot = metadata.SnapshotById(*until);
    if (snapshot == nullptr || !seen.insert(*until).second) break;
    chain.push_back(snapshot);
    until = snapshot->parent_id;
  }
  if (after && until != after) return std::nullopt;
  std::reverse(chain.begin(), chain.end());
  return chain;
}

class HistoryReader {
 public:
  HistoryReader(Runtime& runtime, MetadataReader& files, const TableHome& home,
                HistoryDetail detail, DeletedRowsReader& deleted_rows)
      : runtime_(runtime),
        files_(files),
        home_(home),
        detail_(detail),
        deleted_rows_(deleted_rows) {}

  Result<History> Read(const Version& after, const std::optional<Version>& until) {
    TARN_ASSIGN_OR_RETURN(
        const Snapshot last,
        LoadSnapshot(files_, home_, until ? AsOf(AtVersion{until->text}) : AsOf(Newest{})));
    TARN_ASSIGN_OR_RETURN(const IcebergState* state, StateOf(last));
    const Stage end{state->file, state->metadata};
    if (after.empty()) {
      const bool of_snapshot =
          until && state->snapshot_id && SnapshotIdText(*state->snapshot_id) == until->text;
      if (detail_ == HistoryDetail::kConflicts && !of_snapshot) return FromCreation(end);
      return OfSnapshots(end, std::nullopt, state->snapshot_id);
    }
    if (ParseMetadataName(after.text + ".metadata.json") &&
        !end.metadata->refs.contains(after.text)) {
      return OfFiles(end, after.text);
    }
    TARN_ASSIGN_OR_RETURN(const Snapshot first, LoadSnapshot(files_, home_, AtVersion{after.text}));
    TARN_ASSIGN_OR_RETURN(const IcebergState* from, StateOf(first));
    return OfSnapshots(end, from->snapshot_id, state->snapshot_id);
  }

 private:
  Result<History> OfSnapshots(const Stage& end, std::optional<int64_t> after,
                              std::optional<int64_t> until) {
    const auto chain = Between(*end.metadata, after, until);
    if (!chain) return History(HistoryGap::kDiverged);
    std::vector<Commit> commits;
    const SnapshotEntry* before = after ? end.metadata->SnapshotById(*after) : nullptr;
    for (const SnapshotEntry* snapshot : *chain) {
      Commit commit = CommitOf(*snapshot);
      TARN_RETURN_IF_ERROR(AddFiles(end, *snapshot, commit));
      if (before != nullptr && before->schema_id != snapshot->schema_id) {
        TableMetadata changed = SnapshotOf(end.metadata, end.file).metadata;
        const Schema* schema =
            snapshot->schema_id ? end.metadata->SchemaById(*snapshot->schema_id) : nullptr;
        if (schema != nullptr) changed.schema = *schema;
        commit.metadata = std::move(changed);
      }
      before = snapshot;
      commits.push_back(std::move(commit));
    }
    if (chain->empty() && !after) commits.push_back(Creation(end));
    return History(std::move(commits));
  }

  static Commit Creation(const Stage& stage) {
    Commit commit;
    commit.version.text = stage.file.name.stem;
    commit.timestamp_ms = stage.metadata->last_updated_ms;
    commit.id = TextIn(stage.metadata->properties, kCommitIdProperty);
    commit.operation = {.kind = OperationKind::kCreate, .name = "create"};
    commit.metadata = SnapshotOf(stage.metadata, stage.file).metadata;
    return commit;
  }

  Status AddFiles(const Stage& stage, const SnapshotEntry& snapshot, Commit& commit) {
    if (detail_ == HistoryDetail::kPeople) return OkStatus();
    return AddFilesOf(runtime_, home_, stage.metadata, stage.file, snapshot, commit, deleted_rows_);
  }

  // A metadata file that the log of `end` names; nothing when it is gone.
  Result<std::optional<Stage>> Open(const Stage& end, const MetadataLogEntry& entry) const {
    const Locations locations(home_, end.metadata->location);
    TARN_ASSIGN_OR_RETURN(const Path path, locations.Resolve(entry.location));
    const auto name = ParseMetadataName(path.name());
    Result<MetadataPtr> metadata = files_.Read(home_, path);
    if (!metadata.ok()) {
      if (metadata.error().code == ErrorCode::kNotFound) return std::optional<Stage>();
      return std::move(metadata).error();
    }
    return std::optional(
        Stage{{name ? *name : MetadataName{.stem = std::string(path.name())}, path},
              *std::move(metadata)});
  }

  Result<History> OfFiles(const Stage& end, const std::string& after) {
    if (end.file.name.stem == after) return History(std::vector<Commit>());
    const auto& log = end.metadata->metadata_log;
    std::vector<Stage> stages;  // oldest first, `after` in front
    for (auto entry = log.rbegin(); entry != log.rend(); ++entry) {
      TARN_ASSIGN_OR_RETURN(auto stage, Open(end, *entry));
      if (!stage) return History(HistoryGap::kGone);
      const bool found = stage->file.name.stem == after;
      stages.insert(stages.begin(), *std::move(stage));
      if (found) break;
    }
    if (stages.empty() || stages.front().file.name.stem != after) {
      return History(HistoryGap::kGone);
    }
    stages.push_back(end);
    std::vector<Commit> commits;
    return Append(stages, std::move(commits));
  }

  Result<History> FromCreation(const Stage& end) {
    const auto& log = end.metadata->metadata_log;
    std::vector<Stage> stages;
    for (auto entry = log.rbegin(); entry != log.rend(); ++entry) {
      TARN_ASSIGN_OR_RETURN(auto stage, Open(end, *entry));
      if (!stage) break;
      stages.insert(stages.begin(), *std::move(stage));
    }
    stages.push_back(end);
    std::vector<Commit> commits;
    const Stage& first = stages.front();
    if (first.metadata->metadata_log.empty()) {
      Commit creation = Creation(first);
      if (const SnapshotEntry* snapshot = first.metadata->current_snapshot()) {
        TARN_RETURN_IF_ERROR(AddFiles(first, *snapshot, creation));
        const std::string id = TextIn(snapshot->summary, kCommitIdProperty);
        if (!id.empty()) creation.id = id;
      }
      commits.push_back(std::move(creation));
    }
    return Append(stages, std::move(commits));
  }

  // The commits that lead from each stage to the next.
  Result<History> Append(const std::vector<Stage>& stages, std::vector<Commit> commits) {
    for (size_t i = 1; i < stages.size(); ++i) {
      TARN_ASSIGN_OR_RETURN(auto step, Step(stages[i - 1], stages[i]));
      if (!step) return History(HistoryGap::kDiverged);
      for (Commit& commit : *step) commits.push_back(std::move(commit));
    }
    return History(std::move(commits));
  }

  Result<std::optional<std::vector<Commit>>> Step(const Stage& before, const Stage& after) {
    const auto chain = Between(*after.metadata, HeadOf(*before.metadata, home_.branch),
                               HeadOf(*after.metadata, home_.branch));
    if (!chain) return std::optional<std::vector<Commit>>();
    std::vector<Commit> commits;
    for (const SnapshotEntry* snapshot : *chain) {
      Commit commit = CommitOf(*snapshot);
      TARN_RETURN_IF_ERROR(AddFiles(after, *snapshot, commit));
      commits.push_back(std::move(commit));
    }
    if (commits.empty()) {
      commits.emplace_back();
      commits.back().operation = {.kind = OperationKind::kAlter, .name = "alter"};
    }
    Commit& last = commits.back();
    last.version.text = after.file.name.stem;
    last.timestamp_ms = after.metadata->last_updated_ms;
    const std::string id = TextIn(after.metadata->properties, kCommitIdProperty);
    if (id != TextIn(before.metadata->properties, kCommitIdProperty) && last.id.empty()) {
      last.id = id;
    }
    Snapshot was = SnapshotOf(before.metadata, before.file);
    Snapshot is = SnapshotOf(after.metadata, after.file);
    last.protocol_changed = was.metadata.reader_version != is.metadata.reader_version ||
                            was.metadata.table_id != is.metadata.table_id;
    if (was.metadata != is.metadata) last.metadata = std::move(is.metadata);
    for (const auto& [source, position] : is.positions) {
      const auto old = was.positions.find(source);
      if (old != was.positions.end() && old->second == position) continue;
      PositionMove move{source, std::nullopt, position};
      if (old != was.positions.end()) move.before = old->second;
      last.positions.push_back(std::move(move));
    }
    return std::optional(std::move(commits));
  }

  Runtime& runtime_;
  MetadataReader& files_;
  const TableHome& home_;
  const HistoryDetail detail_;
  DeletedRowsReader& deleted_rows_;
};

}  // namespace

Result<History> ReadCommits(Runtime& runtime, MetadataReader& files, const TableHome& home,
                            const Version& after, const std::optional<Version>& until,
                            HistoryDetail detail, DeletedRowsReader& deleted_rows) {
  return HistoryReader(runtime, files, home, detail, deleted_rows).Read(after, until);
}

}  // namespace tarn::iceberg
