#pragma once

#include <functional>
#include <map>
#include <string>

namespace tarn {

class FileFormat;

// What reads data and delete files, by the names that manifests use, in lower case.
using FileFormats = std::map<std::string, const FileFormat*, std::less<>>;

}  // namespace tarn
