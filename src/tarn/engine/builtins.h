#pragma once

#include <string>

#include "tarn/base/registry.h"
#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/datafile/file_format.h"
#include "tarn/model/table_metadata.h"
#include "tarn/table/table.h"
#include "tarn/table/table_format.h"

namespace tarn {

// Every plug-in there is, by interface. Immutable; thread-safe.
struct Builtins {
  Registry<TableFormat> table_formats;
  Registry<FileFormat> file_formats;
};

// `metadata` of a table with a dropped column back (QueryOptions::undrop_column), by the table's
// format. kUnsupported if the format does not remember dropped columns.
Result<TableMetadata> UndropColumnOf(const Table& table, TableMetadata metadata,
                                     const std::string& path, const std::string& new_name);

// This function's body is the list of what Tarn can do. `runtime` outlives the result.
Builtins MakeBuiltins(Runtime& runtime);

}  // namespace tarn
