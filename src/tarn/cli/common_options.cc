#include "tarn/cli/common_options.h"

#include <charconv>

#include "tarn/base/text.h"

namespace tarn::cli {

Result<int64_t> ParseMemoryLimit(std::string_view text) {
  const auto refuse = [&](std::string_view why) {
    return Invalid("'" + std::string(text) + "': " + std::string(why) +
                   "; write for example 512MB or 2GiB");
  };
  double amount = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), amount);
  if (error != std::errc() || !(amount >= 0)) return refuse("not a size");
  std::string_view unit = text.substr(static_cast<size_t>(end - text.data()));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  static const std::vector<std::pair<std::string, double>> kUnits = {{"", 1},
                                                                     {"b", 1},
                                                                     {"k", 1e3},
                                                                     {"kb", 1e3},
                                                                     {"m", 1e6},
                                                                     {"mb", 1e6},
                                                                     {"g", 1e9},
                                                                     {"gb", 1e9},
                                                                     {"t", 1e12},
                                                                     {"tb", 1e12},
                                                                     {"kib", 1024.0},
                                                                     {"mib", 1048576.0},
                                                                     {"gib", 1073741824.0},
                                                                     {"tib", 1099511627776.0}};
  for (const auto& [name, factor] : kUnits) {
    if (!AsciiEqualsIgnoreCase(name, unit)) continue;
    const double bytes = amount * factor;
    if (bytes > 9e18) return refuse("too large");
    if (bytes < 64e6) return refuse("at least 64MB are needed");
    return static_cast<int64_t>(bytes);
  }
  return refuse("no unit '" + std::string(unit) + "'");
}

Result<std::pair<std::string, std::string>> ParseRelocation(std::string_view text) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size()) {
    return Invalid("--relocate '" + std::string(text) +
                   "': write FROM=TO, a prefix of the paths that "
                   "the table's metadata names and where it stands now");
  }
  return std::pair(std::string(text.substr(0, equals)), std::string(text.substr(equals + 1)));
}

Result<RuntimeOptions> MakeRuntimeOptions(const CommonOptions& options) {
  RuntimeOptions runtime;
  if (options.threads < 0 || options.threads > 1024) {
    return Invalid("--threads " + std::to_string(options.threads) + ": write 1 to 1024");
  }
  runtime.threads = options.threads;
  if (!options.memory_limit.empty()) {
    TARN_ASSIGN_OR_RETURN(runtime.memory_limit_bytes, ParseMemoryLimit(options.memory_limit));
  }
  if (options.log_format == "json") {
    runtime.log_format = RuntimeOptions::LogFormat::kJson;
  } else if (options.log_format != "text") {
    return Invalid("--log-format '" + options.log_format + "'" +
                   DidYouMean(options.log_format, {"text", "json"}));
  }
  return runtime;
}

}  // namespace tarn::cli
