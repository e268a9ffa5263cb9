#pragma once

#include <memory>

#include "tarn/datafile/file_format.h"

namespace tarn {

// The Parquet half of MakeParquetFormat that writes (file_format.h).
Result<std::unique_ptr<DataFileWriter>> MakeParquetWriter(std::unique_ptr<ObjectWriter> object,
                                                          const FileWriteOptions& options);

}  // namespace tarn
