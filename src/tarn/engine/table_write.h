#pragma once

#include <map>
#include <string>
#include <vector>

#include "tarn/base/registry.h"
#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/datafile/file_format.h"
#include "tarn/ingest/pipeline.h"
#include "tarn/model/snapshot.h"
#include "tarn/table/table.h"

namespace tarn {

struct BatchWriteOptions {
  IngestMode mode = IngestMode::kAppend;
  std::vector<std::string> partition_by = {};          // of a table to be created
  std::map<std::string, std::string> properties = {};  // likewise
};

// Appends `rows` to the table, or overwrites with them, in one commit; creates the table from the
// rows' columns if none stands there. Errors: as Engine::Write.
Result<Version> WriteBatches(Runtime& runtime, Table& table,
                             const Registry<FileFormat>& file_formats, BatchStream& rows,
                             const BatchWriteOptions& options);

}  // namespace tarn
