#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tarn/base/registry.h"
#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/datafile/file_format.h"
#include "tarn/ingest/ingest_progress.h"
#include "tarn/ingest/pipeline.h"
#include "tarn/table/table.h"

namespace tarn {

struct IngestSummary {
  int64_t files_loaded = 0;
  int64_t files_skipped = 0;  // known to the table already
  int64_t rows = 0;
  int64_t bytes_read = 0;
  int64_t elapsed_ms = 0;
  std::string version;  // the table's, after the last commit; empty: nothing committed
  std::vector<std::string> columns_added;
  std::vector<std::string> warnings;
};

// Loads what `pipeline` names into `table` (which may not exist yet: the first commit creates it).
// Every file is loaded once: what is loaded is known from the table (ingest/source/file_ledger.h),
// moved by the same commit as the rows; a killed run is repeated safely, and of two runs at once
// the one that loses starts again with what the other left. kOverwrite loads every file each time
// and forgets what was loaded before; kOverwritePartitions loads every file each time and remembers
// it. Errors: kInvalid naming file, line, column, expected and got, or a loaded file that changed
// since, with nothing committed of the commit it is in; kNotFound: a file; kConflict: others won
// every time.
Result<IngestSummary> RunIngest(Runtime& runtime, Table& table,
                                const Registry<FileFormat>& file_formats, const Pipeline& pipeline,
                                const std::function<void(const IngestProgress&)>& progress);

// What RunIngest would do, without writing: files, schema, partitions, changes to the table.
struct IngestPlan {
  std::vector<std::string> files;
  int64_t files_known = 0;
  Schema schema;
  std::vector<std::string> partition_by;
  std::vector<std::string> changes;  // one line each: "create table", "add column c string"
};
Result<IngestPlan> PlanIngest(Runtime& runtime, Table& table,
                              const Registry<FileFormat>& file_formats, const Pipeline& pipeline);

}  // namespace tarn
