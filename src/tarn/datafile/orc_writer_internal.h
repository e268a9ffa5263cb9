#pragma once

#include <memory>
#include <string>

#include "tarn/base/result.h"
#include "tarn/datafile/file_format.h"
#include "tarn/storage/storage.h"

namespace tarn {

// FileFormat::Write for ORC, through Arrow's adapter. `prefix` begins the names of attributes
// (orc_types_internal.h).
Result<std::unique_ptr<DataFileWriter>> MakeOrcWriter(std::unique_ptr<ObjectWriter> object,
                                                      const FileWriteOptions& options,
                                                      const std::string& prefix);

}  // namespace tarn
