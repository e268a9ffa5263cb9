#pragma once

#include <memory>

#include "tarn/base/result.h"
#include "tarn/datafile/file_format.h"
#include "tarn/storage/storage.h"

namespace tarn {

// FileFormat's calls for ORC (Apache ORC specification v1), through Arrow's adapter.
Result<Schema> ReadOrcSchema(std::shared_ptr<const ObjectReader> file);
Result<std::unique_ptr<BatchStream>> ReadOrc(std::shared_ptr<const ObjectReader> file,
                                             const FileReadOptions& options);

}  // namespace tarn
