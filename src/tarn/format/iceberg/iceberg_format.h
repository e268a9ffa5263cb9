#pragma once

#include <memory>

#include "tarn/base/runtime.h"
#include "tarn/format/iceberg/file_formats.h"
#include "tarn/table/table_format.h"

namespace tarn {

// The Apache Iceberg codec (iceberg.apache.org/spec; mapping to the model: docs/format/iceberg.md).
// Reads format versions 1, 2 and 3. The file formats read delete files; they and `runtime` outlive
// the codec.
std::unique_ptr<TableFormat> MakeIcebergFormat(Runtime& runtime, FileFormats file_formats);

}  // namespace tarn
