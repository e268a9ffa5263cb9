#pragma once

#include <memory>
#include <string>

#include "tarn/base/result.h"
#include "tarn/datafile/file_format.h"
#include "tarn/storage/storage.h"

namespace tarn {

// FileFormat's calls for ORC (Apache ORC specification v1), through Arrow's adapter. `prefix`
// begins the names of attributes (orc_types_internal.h).
Result<Schema> ReadOrcSchema(std::shared_ptr<const ObjectReader> file, const std::string& prefix);
Result<std::unique_ptr<BatchStream>> ReadOrc(std::shared_ptr<const ObjectReader> file,
                                             const FileReadOptions& options,
                                             const std::string& prefix);

}  // namespace tarn
