#pragma once

#include <string>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/engine/table_facts.h"
#include "tarn/model/table_metadata.h"

namespace tarn {

// How one state of a table differs from another.
struct TableDiff {
  Version from;
  Version to;
  std::vector<std::string> schema_changes;        // one line each: "added column c: string (id 4)"
  std::vector<std::string> property_changes;      // "set a = '1' (was '2')", "unset b"
  std::vector<std::string> other_changes;         // partitioning, constraints, protocol
  std::vector<DataFile> files_added;              // sorted by path
  std::vector<DataFile> files_removed;            // sorted by path
  std::vector<DataFile> files_with_rows_deleted;  // in both; `to`'s deletes, where they differ
  FileTotals added;                               // of files_added
  FileTotals removed;                             // of files_removed
  int64_t rows_deleted_in_files = 0;  // by deletes of files in both; negative: brought back
};

// Pure: of what two versions are, not of how one became the other. A file rewritten counts as
// removed and added.
TableDiff DiffTables(const TableFacts& from, const TableFacts& to);

// The parts of metadata, as lines.
std::vector<std::string> DiffSchemas(const Schema& from, const Schema& to);

}  // namespace tarn
