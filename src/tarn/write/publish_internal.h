#pragma once

#include <string>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/model/commit.h"
#include "tarn/model/conflict.h"
#include "tarn/table/table.h"
#include "tarn/table/transaction.h"

namespace tarn {

// kInvalid when the table was opened for reading only.
Status CheckWritableHome(const Table& table);

// The format's ticket for a write on `base` (whose metadata is what the table will be), its first
// objects shown.
Result<WriteTicket> BeginWrite(Table& table, const Snapshot& base, OperationKind operation);

// What every new row must make true: the table's constraints and the ticket's conditions.
std::vector<CheckConstraint> ConditionsOnRows(const TableMetadata& metadata,
                                              const WriteTicket& ticket);

// A format can only frame row deletes of a file whose rows it can count.
bool CanDeleteRows(const std::vector<DataFile>& files);

// Publishes `commit` and runs the upkeep that is due. On failure the commit's new files (added and
// change files) are removed, unless the outcome is unknown: then they may be live.
Result<Version> PublishOrRemove(Runtime& runtime, Table& table, const Snapshot& base,
                                const Commit& commit, Isolation isolation, RetryPolicy retry);

// Removes files that no commit names; failures are logged.
void RemoveWritten(Runtime& runtime, Table& table, const std::vector<DataFile>& files);

}  // namespace tarn
