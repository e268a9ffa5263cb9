#include "tarn/write/publish_internal.h"

#include <algorithm>
#include <utility>

namespace tarn {

Status CheckWritableHome(const Table& table) {
  if (table.storage != nullptr && table.committer != nullptr) return OkStatus();
  return Invalid("'" + table.name + "' was opened for reading only");
}

Result<WriteTicket> BeginWrite(Table& table, const Snapshot& base, OperationKind operation) {
  TARN_ASSIGN_OR_RETURN(WriteTicket ticket, table.format->Begin(table.home, base, {operation}));
  if (!ticket.shown_first.empty()) {
    TARN_RETURN_IF_ERROR(table.committer->ShowFirst(table.home, ticket));
  }
  return ticket;
}

std::vector<CheckConstraint> ConditionsOnRows(const TableMetadata& metadata,
                                              const WriteTicket& ticket) {
  std::vector<CheckConstraint> conditions = metadata.constraints;
  conditions.insert(conditions.end(), ticket.conditions.begin(), ticket.conditions.end());
  return conditions;
}

bool CanDeleteRows(const std::vector<DataFile>& files) {
  return std::all_of(files.begin(), files.end(),
                     [](const DataFile& file) { return file.record_count >= 0; });
}

Result<Version> PublishOrRemove(Runtime& runtime, Table& table, const Snapshot& base,
                                const Commit& commit, Isolation isolation, RetryPolicy retry) {
  Transaction transaction(runtime, table.home, *table.format, *table.committer, base, commit,
                          isolation, retry);
  Result<Version> version = transaction.Publish();
  if (version.ok()) {
    RunUpkeepAfter(runtime, table.home, *table.format, *table.committer, *version);
  } else if (version.error().code != ErrorCode::kUnknownOutcome) {
    RemoveWritten(runtime, table, commit.added);
    RemoveWritten(runtime, table, commit.change_files);
  }
  return version;
}

void RemoveWritten(Runtime& runtime, Table& table, const std::vector<DataFile>& files) {
  for (const DataFile& file : files) {
    const Result<Path> object = table.home.ObjectOf(file.path);
    const Status removed = object.ok() ? table.storage->Remove(*object) : object.status();
    if (!removed.ok()) {
      runtime.log.Warn("write: the abandoned file '" + file.path +
                       "' stays: " + removed.error().ToString());
    }
  }
}

}  // namespace tarn
