#pragma once

#include <map>
#include <memory>
#include <string>

#include "tarn/base/runtime.h"
#include "tarn/datafile/file_format.h"
#include "tarn/table/table_format.h"

namespace tarn {

// By the names that manifests use, in lower case.
using FileFormats = std::map<std::string, const FileFormat*, std::less<>>;

// The Apache Iceberg codec (iceberg.apache.org/spec; mapping to the model: docs/format/iceberg.md).
// Reads format versions 1, 2 and 3. The file formats read delete files; they and `runtime` outlive
// the codec.
std::unique_ptr<TableFormat> MakeIcebergFormat(Runtime& runtime, FileFormats file_formats);

}  // namespace tarn
