#pragma once

#include <memory>

#include "tarn/base/result.h"
#include "tarn/datafile/file_format.h"

namespace tarn {

// Batches of a file's own columns, all rows from the first, as FileReadOptions asks: its columns in
// its order, found by id or file name, widened, missing ones NULL or their initial default; skipped
// rows left out, positions appended. For formats whose reader knows nothing of tables.
Result<std::unique_ptr<BatchStream>> MakeConformStream(std::unique_ptr<BatchStream> rows,
                                                       const FileReadOptions& options);

}  // namespace tarn
