#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <arrow/array.h>
#include <arrow/record_batch.h>

#include "tarn/base/text.h"
#include "tarn/model/partition_key.h"
#include "tarn/query/call_internal.h"
#include "tarn/query/multi_file.h"
#include "tarn/query/partition_items.h"
#include "tarn/query/row_lineage.h"
#include "tarn/scan/deleted_row_count.h"
#include "tarn/scan/plan.h"
#include "tarn/sql/ddl_parser.h"
#include "tarn/sql/tokenizer.h"
#include "tarn/write/update_rows.h"

namespace tarn {
namespace {

Status CheckWritable(const Table& table) {
  if (table.committer != nullptr && table.storage != nullptr) return OkStatus();
  return Invalid(table.name + " can only be read");
}

// Names as the relation `objects` gives them: all that some state of the table needs.
Result<std::vector<Path>> NeededObjects(const Table& table, const Snapshot& snapshot) {
  TARN_ASSIGN_OR_RETURN(const Relation rows,
                        table.format->ReadRelation(table.home, snapshot, "objects"));
  std::vector<Path> needed;
  for (const auto& batch : rows.batches) {
    const auto column = batch->GetColumnByName("path");
    if (column == nullptr) return Internal("relation objects: no column 'path'");
    const auto& paths = static_cast<const arrow::StringArray&>(*column);
    for (int64_t row = 0; row < paths.length(); ++row) {
      TARN_ASSIGN_OR_RETURN(Path path, table.home.ObjectOf(paths.GetView(row)));
      needed.push_back(std::move(path));
    }
  }
  std::sort(needed.begin(), needed.end());
  return needed;
}

constexpr int64_t kDayMs = int64_t{24} * 3600 * 1000;

// What other programs keep beside files, and nobody's metadata names: checksums, markers. Folders
// of partitions may begin the same way.
bool IsHidden(std::string_view below_root) {
  while (!below_root.empty()) {
    const std::string_view part = below_root.substr(0, below_root.find('/'));
    const bool hidden = part.starts_with('.') || part.starts_with('_');
    if (hidden && part.find('=') == std::string_view::npos) return true;
    below_root.remove_prefix(std::min(part.size() + 1, below_root.size()));
  }
  return false;
}

// Objects below the table's folder that are old and that nothing needs.
Result<std::vector<Path>> FindOrphans(const Table& table, const std::vector<Path>& needed,
                                      int64_t older_than_ms) {
  std::vector<Path> orphans;
  Path after;
  while (true) {
    constexpr int32_t kPage = 1000;
    TARN_ASSIGN_OR_RETURN(
        const std::vector<ObjectInfo> page,
        table.home.storage.List(table.home.root, after, kPage, Storage::Depth::kAll));
    for (const ObjectInfo& object : page) {
      if (object.modified_ms >= older_than_ms) continue;
      if (IsHidden(object.path.RelativeTo(table.home.root))) continue;
      if (!std::binary_search(needed.begin(), needed.end(), object.path)) {
        orphans.push_back(object.path);
      }
    }
    if (static_cast<int32_t>(page.size()) < kPage) return orphans;
    after = page.back().path;
  }
}

// Files of one partition that are worth writing again together.
struct Group {
  std::vector<DataFile> files;
  int64_t bytes = 0;
  bool at_once = false;  // however few
};

// Small files, and files of which rows were deleted, or all, by partition.
Result<std::vector<Group>> GroupsToRewrite(const Table& table, const Snapshot& snapshot,
                                           const ScanPlan& plan, int64_t target_bytes,
                                           int64_t files_min, bool all) {
  std::map<std::string, Group> groups;
  for (const FileBatch& batch : plan.batches) {
    for (int64_t row = 0; row < batch.size; ++row) {
      DataFile file = batch.At(row);
      // Spark's: what is at least three quarters of the target is left as it is.
      const bool small = file.size_bytes < target_bytes / 4 * 3;
      TARN_ASSIGN_OR_RETURN(const int64_t deleted,
                            DeletedRowCount(*table.format, table.home, snapshot, file));
      const bool holes = deleted * 10 >= std::max<int64_t>(file.record_count, 1) * 3;
      const bool old_spec = file.spec_id != snapshot.metadata.default_spec_id;
      if (!small && !holes && !old_spec && !all) continue;
      Group& group = groups[PartitionKey(file.spec_id, file.partition)];
      group.bytes += file.size_bytes;
      group.at_once |= holes || old_spec || all;
      group.files.push_back(std::move(file));
    }
  }
  std::vector<Group> chosen;
  for (auto& [key, group] : groups) {
    const bool many = static_cast<int64_t>(group.files.size()) >= std::max<int64_t>(files_min, 2);
    if (many || group.at_once) chosen.push_back(std::move(group));
  }
  return chosen;
}

struct Expired {
  size_t snapshots = 0;
  size_t objects = 0;
};

Result<Expired> ExpireSnapshots(const CallArguments& arguments) {
  TARN_ASSIGN_OR_RETURN(const PinnedTable target, arguments.TableWithReferences());
  Table& table = *target.table;
  TARN_RETURN_IF_ERROR(CheckWritable(table));
  ExpiryRequest request;
  TARN_ASSIGN_OR_RETURN(request.older_than_ms, arguments.Millis("older_than"));
  TARN_ASSIGN_OR_RETURN(request.keep_min, arguments.Number("retain_last"));
  TARN_ASSIGN_OR_RETURN(request.versions, arguments.Members("snapshot_ids"));
  TARN_ASSIGN_OR_RETURN(Expiry expiry,
                        table.format->PlanExpiry(table.home, target.snapshot, request));
  Snapshot newest = target.snapshot;
  Expired expired{.snapshots = expiry.versions.size()};
  if (expired.snapshots > 0 || !expiry.references.empty()) {
    Commit commit;
    commit.operation = {.kind = OperationKind::kAlter, .name = "EXPIRE"};
    commit.references = std::move(expiry.references);
    commit.expired = std::move(expiry.versions);
    TARN_ASSIGN_OR_RETURN(
        const Version version,
        PublishMetadata(arguments.context(), table, target.snapshot, std::move(commit)));
    TARN_ASSIGN_OR_RETURN(newest, table.Load(AtVersion{version.text}));
  }
  // Also what an expiry before left behind when it was interrupted.
  TARN_ASSIGN_OR_RETURN(std::vector<Path> objects,
                        table.format->ExpiredObjects(table.home, newest));
  expired.objects = objects.size();
  TARN_RETURN_IF_ERROR(table.committer->RunUpkeep(table.home, {.remove = std::move(objects)}));
  return expired;
}

struct Rewritten {
  size_t files = 0;
  int64_t added = 0;
  int64_t bytes = 0;
};

// strategy => 'sort' wants an order, the table's or sort_order; 'binpack' keeps the table's, too.
Result<std::optional<SortOrder>> OrderOfRewrite(const CallArguments& arguments,
                                                const PinnedTable& target) {
  TARN_ASSIGN_OR_RETURN(const auto strategy, arguments.Text("strategy"));
  TARN_ASSIGN_OR_RETURN(const auto said, arguments.Text("sort_order"));
  const std::string kind = AsciiLower(strategy.value_or(said ? "sort" : "binpack"));
  const std::string call = "CALL " + arguments.procedure() + ": ";
  if (kind != "sort" && kind != "binpack") {
    return Invalid(call + "no strategy '" + *strategy + "'" +
                   DidYouMean(kind, {"sort", "binpack"}));
  }
  if (kind == "binpack" && said) return Invalid(call + "sort_order is for strategy => 'sort'");
  const TableMetadata& metadata = target.snapshot.metadata;
  if (said) {
    const auto tokens = sql::Tokenize(*said);
    if (!tokens.ok()) return tokens.error().WithContext(call + "sort_order");
    sql::TokenCursor cursor(*said, *tokens);
    const auto items = sql::ParseSortItems(cursor);
    if (!items.ok()) return items.error().WithContext(call + "sort_order");
    if (!cursor.AtEnd()) return cursor.Expected("',' or the end").WithContext(call + "sort_order");
    Result<SortOrder> order = BindSortItems(metadata.schema, *items);
    if (!order.ok()) return order.error().WithContext(call + "sort_order");
    if (order->fields == metadata.sort_order.fields) order->id = metadata.sort_order.id;
    return std::optional(*std::move(order));
  }
  if (kind == "sort" && metadata.sort_order.IsUnsorted()) {
    return Invalid(call + "the table has no sort order; say sort_order => 'column, …'");
  }
  return std::optional<SortOrder>();
}

Result<Rewritten> RewriteDataFiles(const CallArguments& arguments) {
  StatementContext& context = arguments.context();
  TARN_ASSIGN_OR_RETURN(const PinnedTable target, arguments.Table());
  Table& table = *target.table;
  TARN_RETURN_IF_ERROR(CheckWritable(table));
  TARN_ASSIGN_OR_RETURN(const WriteTicket ticket,
                        table.format->Begin(table.home, target.snapshot, {}));
  TARN_ASSIGN_OR_RETURN(const auto said_bytes, arguments.Number("target_file_size_bytes"));
  TARN_ASSIGN_OR_RETURN(const auto files_min, arguments.Number("min_input_files"));
  TARN_ASSIGN_OR_RETURN(const auto all, arguments.Flag("rewrite_all"));
  TARN_ASSIGN_OR_RETURN(const ScanPlan plan,
                        PlanScan(*table.format, table.home, target.snapshot, {}));
  constexpr int64_t kFilesMin = 5;
  TARN_ASSIGN_OR_RETURN(const std::vector<Group> groups,
                        GroupsToRewrite(table, target.snapshot, plan,
                                        said_bytes.value_or(ticket.target_file_size_bytes),
                                        files_min.value_or(kFilesMin), all.value_or(false)));
  UpdateRequest write;
  TARN_ASSIGN_OR_RETURN(write.sort_order, OrderOfRewrite(arguments, target));
  Rewritten rewritten;
  std::vector<DataFile> files;
  for (const Group& group : groups) {
    rewritten.bytes += group.bytes;
    for (const DataFile& file : group.files) {
      files.push_back(file);
      write.reads.locations.push_back(file.location);
      write.changed.push_back({file, {}});
    }
  }
  const ScanPlan chosen = PlanOf(target.snapshot, files);
  rewritten.files = write.changed.size();
  if (!write.changed.empty()) {
    write.rows = [&](const UpdateRequest::Wanted& wanted) {
      const std::string key = context.tables.AddOwnScan(std::make_shared<TableScan>(
          target.table, chosen, std::map<std::string, RowSet, std::less<>>(), false,
          wanted.row_lineage));
      std::string moved;
      for (const LineageColumn& column : LineageOfRows(chosen, wanted.row_lineage, "t")) {
        moved += (moved.empty() ? " REPLACE (" : ", ") + column.sql + " AS " +
                 QuoteIdentifier(column.name);
      }
      if (!moved.empty()) moved += ")";
      return context.session.Query("SELECT *" + moved + " FROM " +
                                   StatementTables::FromText(key, "t") + " AS t");
    };
    write.operation = {.kind = OperationKind::kRewrite, .name = "REWRITE DATA FILES"};
    write.writer = WriterName();
    TARN_ASSIGN_OR_RETURN(const Version version, UpdateRows(context.runtime, table, target.snapshot,
                                                            context.file_formats, write));
    TARN_ASSIGN_OR_RETURN(const Snapshot after, table.Load(AtVersion{version.text}));
    TARN_ASSIGN_OR_RETURN(const ScanPlan now, PlanScan(*table.format, table.home, after, {}));
    rewritten.added =
        now.files_kept - (plan.files_kept - static_cast<int64_t>(write.changed.size()));
  }
  return rewritten;
}

}  // namespace

Result<StatementResult> CallExpireSnapshots(const CallArguments& arguments) {
  TARN_ASSIGN_OR_RETURN(const Expired expired, ExpireSnapshots(arguments));
  return AnswerRow(arguments.context(),
                   {{"expired_snapshots_count", std::to_string(expired.snapshots)},
                    {"deleted_files_count", std::to_string(expired.objects)}});
}

Result<StatementResult> CallRemoveOrphanFiles(const CallArguments& arguments) {
  TARN_ASSIGN_OR_RETURN(const PinnedTable target, arguments.TableWithReferences());
  Table& table = *target.table;
  TARN_ASSIGN_OR_RETURN(const auto said_ms, arguments.Millis("older_than"));
  TARN_ASSIGN_OR_RETURN(const auto dry_run, arguments.Flag("dry_run"));
  const int64_t now_ms = arguments.context().runtime.clock.NowMicros() / 1000;
  const int64_t older_than_ms = said_ms.value_or(now_ms - 3 * kDayMs);
  if (older_than_ms > now_ms - kDayMs) {
    return Invalid(
        "CALL remove_orphan_files: older_than is less than a day ago; files of a commit that is "
        "under way would be taken for orphans");
  }
  TARN_ASSIGN_OR_RETURN(const std::vector<Path> needed, NeededObjects(table, target.snapshot));
  TARN_ASSIGN_OR_RETURN(std::vector<Path> orphans, FindOrphans(table, needed, older_than_ms));
  std::string select;
  for (const Path& orphan : orphans) {
    select += (select.empty() ? "SELECT " : " UNION ALL SELECT ") +
              QuoteLiteral(table.home.storage.root_uri() + orphan.str()) +
              " AS orphan_file_location";
  }
  if (select.empty()) select = "SELECT NULL::VARCHAR AS orphan_file_location WHERE false";
  // What is removed by mistake is lost: it is said first.
  if (!dry_run.value_or(true)) {
    TARN_RETURN_IF_ERROR(CheckWritable(table));
    TARN_RETURN_IF_ERROR(table.committer->RunUpkeep(table.home, {.remove = std::move(orphans)}));
  }
  return RowsOf(arguments.context(), select);
}

Result<StatementResult> CallRewriteDataFiles(const CallArguments& arguments) {
  TARN_ASSIGN_OR_RETURN(const Rewritten rewritten, RewriteDataFiles(arguments));
  return AnswerRow(arguments.context(),
                   {{"rewritten_data_files_count", std::to_string(rewritten.files)},
                    {"added_data_files_count", std::to_string(rewritten.added)},
                    {"rewritten_bytes_count", std::to_string(rewritten.bytes)}});
}

Result<StatementResult> CallUpkeep(const CallArguments& arguments) {
  TARN_ASSIGN_OR_RETURN(const Rewritten rewritten, RewriteDataFiles(arguments));
  arguments.context().tables.Begin();
  TARN_ASSIGN_OR_RETURN(const PinnedTable now, arguments.Table());
  Expired expired;
  if (now.table->format->traits().references) {
    TARN_ASSIGN_OR_RETURN(expired, ExpireSnapshots(arguments));
  }
  return AnswerRow(arguments.context(),
                   {{"rewritten_data_files_count", std::to_string(rewritten.files)},
                    {"added_data_files_count", std::to_string(rewritten.added)},
                    {"expired_snapshots_count", std::to_string(expired.snapshots)},
                    {"deleted_files_count", std::to_string(expired.objects)}});
}

Result<StatementResult> CallRewriteManifests(const CallArguments& arguments) {
  TARN_ASSIGN_OR_RETURN(const PinnedTable target, arguments.TableWithReferences());
  Commit commit;
  commit.operation = {.kind = OperationKind::kRewrite, .name = "REWRITE MANIFESTS"};
  commit.data_change = false;
  TARN_ASSIGN_OR_RETURN(const Version version, PublishMetadata(arguments.context(), *target.table,
                                                               target.snapshot, std::move(commit)));
  return StatementResult{.message = "manifests of " + target.table->name + " rewritten, version " +
                                    version.text};
}

}  // namespace tarn
