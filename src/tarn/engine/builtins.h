#pragma once

#include "tarn/base/registry.h"
#include "tarn/base/runtime.h"
#include "tarn/datafile/file_format.h"
#include "tarn/table/table_format.h"

namespace tarn {

// Every plug-in there is, by interface. Immutable; thread-safe.
struct Builtins {
  Registry<TableFormat> table_formats;
  Registry<FileFormat> file_formats;
};

// This function's body is the list of what Tarn can do. `runtime` outlives the result.
Builtins MakeBuiltins(Runtime& runtime);

}  // namespace tarn
