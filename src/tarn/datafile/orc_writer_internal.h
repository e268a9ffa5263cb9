#pragma once

#include <memory>

#include "tarn/base/result.h"
#include "tarn/datafile/file_format.h"
#include "tarn/storage/storage.h"

namespace tarn {

// FileFormat::Write for ORC, through Arrow's adapter.
Result<std::unique_ptr<DataFileWriter>> MakeOrcWriter(std::unique_ptr<ObjectWriter> object,
                                                      const FileWriteOptions& options);

}  // namespace tarn
