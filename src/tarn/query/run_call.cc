#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tarn/base/text.h"
#include "tarn/query/call_internal.h"

namespace tarn {
namespace {

// The commits that lead to a table's state, oldest first.
Result<std::vector<Commit>> HistoryTo(const Table& table, const Version& until) {
  TARN_ASSIGN_OR_RETURN(
      History history, table.format->Commits(table.home, Version{}, until, HistoryDetail::kPeople));
  if (auto* commits = std::get_if<std::vector<Commit>>(&history)) return std::move(*commits);
  return NotFound(table.name + ": its history cannot be read");
}

std::string LastOf(const std::vector<Commit>& commits) {
  return commits.empty() ? std::string() : commits.back().version.text;
}

// Makes `version` what the table's own line says.
Result<StatementResult> SetHead(const CallArguments& arguments, const PinnedTable& target,
                                const std::string& version, const char* operation) {
  TARN_ASSIGN_OR_RETURN(const auto before, HistoryTo(*target.table, target.snapshot.version));
  Commit commit;
  commit.operation.kind = OperationKind::kRestore;
  commit.operation.name = operation;
  commit.operation.parameters = {{"version", version}};
  commit.references.push_back({.version = version});
  commit.reads.everything = true;
  TARN_ASSIGN_OR_RETURN(const Version made, PublishMetadata(arguments.context(), *target.table,
                                                            target.snapshot, std::move(commit)));
  TARN_ASSIGN_OR_RETURN(const auto after, HistoryTo(*target.table, made));
  return AnswerRow(arguments.context(), {{"previous_snapshot_id", VersionSql(LastOf(before))},
                                         {"current_snapshot_id", VersionSql(LastOf(after))}});
}

Result<StatementResult> RollbackTo(const CallArguments& arguments, const PinnedTable& target,
                                   const std::string& version) {
  TARN_ASSIGN_OR_RETURN(const auto commits, HistoryTo(*target.table, target.snapshot.version));
  const bool ancestor = std::any_of(commits.begin(), commits.end(), [&](const Commit& commit) {
    return commit.version.text == version;
  });
  if (!ancestor) {
    return Invalid("CALL " + arguments.procedure() + ": " + version +
                   " is no earlier state of what " + target.table->name +
                   " is now; set_current_snapshot goes to any state");
  }
  return SetHead(arguments, target, version, "ROLLBACK");
}

Result<StatementResult> RollbackToSnapshot(const CallArguments& arguments) {
  TARN_ASSIGN_OR_RETURN(const PinnedTable target, arguments.TableWithReferences());
  TARN_ASSIGN_OR_RETURN(const std::string version, arguments.Required("snapshot_id"));
  return RollbackTo(arguments, target, version);
}

Result<StatementResult> RollbackToTimestamp(const CallArguments& arguments) {
  TARN_ASSIGN_OR_RETURN(const PinnedTable target, arguments.TableWithReferences());
  TARN_ASSIGN_OR_RETURN(const auto ms, arguments.Millis("timestamp"));
  if (!ms) return Invalid("CALL rollback_to_timestamp: 'timestamp' is missing");
  TARN_ASSIGN_OR_RETURN(const Snapshot then, target.table->Load(AtTimestamp{*ms * 1000}));
  return RollbackTo(arguments, target, then.version.text);
}

Result<StatementResult> SetCurrentSnapshot(const CallArguments& arguments) {
  TARN_ASSIGN_OR_RETURN(const PinnedTable target, arguments.TableWithReferences());
  if (arguments.Has("snapshot_id") == arguments.Has("ref")) {
    return Invalid("CALL set_current_snapshot takes either snapshot_id or ref");
  }
  TARN_ASSIGN_OR_RETURN(const std::string version,
                        arguments.Required(arguments.Has("ref") ? "ref" : "snapshot_id"));
  return SetHead(arguments, target, version, "SET CURRENT");
}

Result<StatementResult> FastForward(const CallArguments& arguments) {
  TARN_ASSIGN_OR_RETURN(const PinnedTable target, arguments.TableWithReferences());
  TARN_ASSIGN_OR_RETURN(const std::string branch, arguments.Required("branch"));
  TARN_ASSIGN_OR_RETURN(const std::string to, arguments.Required("to"));
  const Table& table = *target.table;
  const auto head_of = [&](const std::string& name) -> Result<std::vector<Commit>> {
    return HistoryTo(table, Version{name});
  };
  TARN_ASSIGN_OR_RETURN(const auto from, head_of(branch));
  TARN_ASSIGN_OR_RETURN(const auto ahead, head_of(to));
  const std::string old_head = LastOf(from);
  const bool behind = std::any_of(ahead.begin(), ahead.end(), [&](const Commit& commit) {
    return commit.version.text == old_head;
  });
  if (!behind) {
    return Invalid("CALL fast_forward: '" + branch + "' has commits that '" + to +
                   "' has not, so it cannot be moved forward to it");
  }
  Commit commit;
  commit.operation.kind = OperationKind::kAlter;
  commit.operation.name = "FAST FORWARD";
  commit.references.push_back({.name = branch, .version = LastOf(ahead)});
  commit.reads.everything = true;
  TARN_RETURN_IF_ERROR(
      PublishMetadata(arguments.context(), *target.table, target.snapshot, std::move(commit))
          .status());
  return AnswerRow(arguments.context(), {{"branch_updated", QuoteLiteral(branch)},
                                         {"previous_ref", VersionSql(old_head)},
                                         {"updated_ref", VersionSql(LastOf(ahead))}});
}

constexpr char kSourceSnapshot[] = "source-snapshot-id";
// What a writer staged under an id ("write-audit-publish") is published once.
constexpr char kStagedId[] = "wap.id";
constexpr char kPublishedId[] = "published-wap-id";

// What a commit says of itself under `key`; empty: nothing.
std::string SaidBy(const Commit& commit, const char* key) {
  for (const auto* said : {&commit.operation.parameters, &commit.operation.metrics}) {
    if (const auto found = said->find(key); found != said->end()) return found->second;
  }
  return {};
}

Result<StatementResult> CherryPick(const CallArguments& arguments) {
  TARN_ASSIGN_OR_RETURN(const PinnedTable target, arguments.TableWithReferences());
  TARN_ASSIGN_OR_RETURN(const std::string version, arguments.Required("snapshot_id"));
  const Table& table = *target.table;
  TARN_ASSIGN_OR_RETURN(const auto mine, HistoryTo(table, target.snapshot.version));
  for (const Commit& commit : mine) {
    if (SaidBy(commit, kSourceSnapshot) == version || commit.version.text == version) {
      return Invalid("CALL cherrypick_snapshot: " + table.name + " has what " + version +
                     " did already, by " + commit.version.text);
    }
  }
  TARN_ASSIGN_OR_RETURN(const auto theirs, HistoryTo(table, Version{version}));
  const Version parent = theirs.size() < 2 ? Version{} : theirs[theirs.size() - 2].version;
  TARN_ASSIGN_OR_RETURN(History history, table.format->Commits(table.home, parent, Version{version},
                                                               HistoryDetail::kConflicts));
  auto* commits = std::get_if<std::vector<Commit>>(&history);
  if (commits == nullptr || commits->size() != 1) {
    return NotFound("CALL cherrypick_snapshot: what " + version + " did cannot be read");
  }
  Commit& picked = commits->front();
  const std::string staged_id = SaidBy(picked, kStagedId);
  for (const Commit& commit : mine) {
    if (staged_id.empty()) break;
    if (SaidBy(commit, kStagedId) != staged_id && SaidBy(commit, kPublishedId) != staged_id) {
      continue;
    }
    return Invalid("CALL cherrypick_snapshot: a duplicate: " + commit.version.text +
                   " has published what was staged as '" + staged_id + "' already");
  }
  Commit commit;
  commit.reads.everything = true;
  const bool next = parent.text == LastOf(mine);
  if (next) {
    commit.operation = {.kind = OperationKind::kRestore, .name = "CHERRY PICK"};
    commit.references.push_back({.version = version});
  } else {
    if (!picked.removed.empty() || !picked.row_deletes.empty()) {
      return Unsupported("CALL cherrypick_snapshot: " + version +
                         " takes rows away; only what adds rows can be picked");
    }
    commit.operation = {.kind = OperationKind::kAppend, .name = "CHERRY PICK"};
    commit.added = std::move(picked.added);
    commit.extra[kSourceSnapshot] = version;
    if (!staged_id.empty()) commit.extra[kPublishedId] = staged_id;
  }
  TARN_ASSIGN_OR_RETURN(const Version made, PublishMetadata(arguments.context(), *target.table,
                                                            target.snapshot, std::move(commit)));
  TARN_ASSIGN_OR_RETURN(const auto after, HistoryTo(table, made));
  return AnswerRow(arguments.context(), {{"source_snapshot_id", VersionSql(version)},
                                         {"current_snapshot_id", VersionSql(LastOf(after))}});
}

struct Procedure {
  const char* name;
  std::vector<std::string> parameters;
  Result<StatementResult> (*run)(const CallArguments& arguments);
};

const std::vector<Procedure>& Procedures() {
  static const std::vector<Procedure> procedures = {
      {"cherrypick_snapshot", {"table", "snapshot_id"}, CherryPick},
      {"expire_snapshots",
       {"table", "older_than", "retain_last", "snapshot_ids"},
       CallExpireSnapshots},
      {"fast_forward", {"table", "branch", "to"}, FastForward},
      {"register_table", {"table", "metadata_file"}, CallRegisterTable},
      {"remove_orphan_files", {"table", "older_than", "dry_run"}, CallRemoveOrphanFiles},
      {"rewrite_data_files",
       {"table", "min_input_files", "target_file_size_bytes", "strategy", "sort_order",
        "rewrite_all"},
       CallRewriteDataFiles},
      {"rewrite_manifests", {"table"}, CallRewriteManifests},
      {"rollback_to_snapshot", {"table", "snapshot_id"}, RollbackToSnapshot},
      {"rollback_to_timestamp", {"table", "timestamp"}, RollbackToTimestamp},
      {"set_current_snapshot", {"table", "snapshot_id", "ref"}, SetCurrentSnapshot},
      {"upkeep", {"table"}, CallUpkeep},
  };
  return procedures;
}

}  // namespace

Result<StatementResult> RunCall(StatementContext& context, const sql::Call& call) {
  const std::string name = AsciiLower(call.procedure.back());
  std::vector<std::string> names;
  for (const Procedure& procedure : Procedures()) {
    names.emplace_back(procedure.name);
    if (name != procedure.name) continue;
    return RerunIfItReads(context, [&](bool& reads_itself) -> Result<StatementResult> {
      reads_itself = true;
      context.tables.Begin();
      TARN_ASSIGN_OR_RETURN(const CallArguments arguments,
                            CallArguments::Make(context, name, procedure.parameters, call));
      return procedure.run(arguments);
    });
  }
  return NotFound("CALL: no procedure '" + name + "'" + DidYouMean(name, names));
}

}  // namespace tarn
