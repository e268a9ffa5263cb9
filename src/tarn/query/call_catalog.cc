#include <string>

#include "tarn/query/call_internal.h"

namespace tarn {
namespace {

std::string CountSql(const std::optional<int64_t>& count) {
  return count ? std::to_string(*count) : "NULL";
}

}  // namespace

// The columns are those of Spark's procedure.
Result<StatementResult> CallRegisterTable(const CallArguments& arguments) {
  StatementContext& context = arguments.context();
  TARN_ASSIGN_OR_RETURN(const sql::TableName name, arguments.NameOfTable());
  TARN_ASSIGN_OR_RETURN(const std::string file, arguments.Required("metadata_file"));
  TARN_ASSIGN_OR_RETURN(const std::shared_ptr<Table> table,
                        context.resolver.RegisterMetadata(context.tables.ReferenceOf(name), file));
  TARN_ASSIGN_OR_RETURN(const Snapshot snapshot, table->Load());
  TARN_ASSIGN_OR_RETURN(
      const History history,
      table->format->Commits(table->home, Version{}, snapshot.version, HistoryDetail::kPeople));
  std::string head;
  if (const auto* commits = std::get_if<std::vector<Commit>>(&history)) {
    if (!commits->empty() && !commits->back().metadata) head = commits->back().version.text;
  }
  return AnswerRow(context, {{"current_snapshot_id", VersionSql(head)},
                             {"total_records_count", CountSql(snapshot.record_count)},
                             {"total_data_files_count", CountSql(snapshot.file_count)}});
}

}  // namespace tarn
