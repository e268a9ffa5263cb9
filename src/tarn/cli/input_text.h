#pragma once

#include <string>
#include <string_view>

#include "tarn/base/result.h"

namespace tarn::cli {

// Standard input to its end. kUnavailable when it cannot be read.
Result<std::string> ReadStandardInput();

// A file's text, or standard input for "-". `command` begins the message: kInvalid for a folder,
// kNotFound for a file that cannot be opened, kUnavailable when reading fails.
Result<std::string> ReadFileOrInput(std::string_view command, const std::string& file);

}  // namespace tarn::cli
