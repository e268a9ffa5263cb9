#pragma once

#include <string>

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/model/snapshot.h"
#include "tarn/table/table.h"

namespace tarn {

// What a restore did.
struct RestoreSummary {
  Version version;  // of the commit that restored; the newest if there was nothing to do
  int64_t files_added = 0;
  int64_t files_removed = 0;
};

// A new commit after which the table is as it was at `version`: its files, columns, properties; ids
// stay used and protocol versions stay as high as they are now. Reads the whole table, so it
// conflicts with whatever lands meanwhile. kNotFound: no such version; kInvalid: files of that
// version are gone, naming the first.
Result<RestoreSummary> RestoreTable(Runtime& runtime, Table& table, const std::string& version);

// Writes a checkpoint of the newest version now; gives that version.
Result<Version> CheckpointTable(Table& table);

}  // namespace tarn
