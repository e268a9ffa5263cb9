#pragma once

#include <memory>

#include "tarn/datafile/file_format.h"

namespace tarn {

// The Parquet half of MakeParquetFormat that reads (file_format.h).
Result<Schema> ReadParquetSchema(std::shared_ptr<const ObjectReader> file);
Result<std::unique_ptr<BatchStream>> ReadParquet(Runtime& runtime,
                                                 std::shared_ptr<const ObjectReader> file,
                                                 const FileReadOptions& options);

}  // namespace tarn
