#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"

namespace tarn::cli {

// Options of every command, as typed.
struct CommonOptions {
  std::string lake = {};                   // empty: the nearest one at or above the working folder
  std::string memory_limit = {};           // "512MB", "2GiB"; empty: the runtime's default
  int threads = 0;                         // 0: as many as the machine has
  std::vector<std::string> relocate = {};  // FROM=TO
  bool quiet = false;
  bool yes = false;
  std::string log_format = "text";  // or "json"
};

// "512MB" (10^6), "2GiB" (2^30), "1048576"; case and a space before the unit do not matter.
// kInvalid for anything else, and below 64 MB, with which nothing can be done.
Result<int64_t> ParseMemoryLimit(std::string_view text);

// "FROM=TO", split at the first '='. kInvalid if either is empty.
Result<std::pair<std::string, std::string>> ParseRelocation(std::string_view text);

// kInvalid naming the option.
Result<RuntimeOptions> MakeRuntimeOptions(const CommonOptions& options);

}  // namespace tarn::cli
