#pragma once

#include "tarn/base/registry.h"
#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/datafile/file_format.h"
#include "tarn/engine/engine.h"
#include "tarn/table/table.h"

namespace tarn {

// Appends `rows` to the table, or overwrites with them, in one commit; creates the table from the rows'
// columns if none stands there. Errors: as Engine::Write.
Result<Version> WriteBatches(Runtime& runtime, Table& table, const Registry<FileFormat>& file_formats,
                             BatchStream& rows, const Engine::WriteOptions& options);

}  // namespace tarn
