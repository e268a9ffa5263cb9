#include "tarn/format/iceberg/metrics_modes.h"

#include <optional>

#include "tarn/base/text.h"
#include "tarn/format/iceberg/entry_batch.h"

namespace tarn::iceberg {
namespace {

constexpr std::string_view kPrefix = "write.metadata.metrics.";

Result<MetricsMode> ParseMode(const std::string& name, const std::string& text) {
  const std::string mode = AsciiLower(text);
  if (mode == "none") return MetricsMode{MetricsMode::Kind::kNone, 0};
  if (mode == "counts") return MetricsMode{MetricsMode::Kind::kCounts, 0};
  if (mode == "full") return MetricsMode{MetricsMode::Kind::kFull, 0};
  if (mode.starts_with("truncate(") && mode.ends_with(')')) {
    const auto length = ParseInt64(std::string_view(mode).substr(9, mode.size() - 10));
    if (length && *length > 0 && *length <= INT32_MAX) {
      return MetricsMode{MetricsMode::Kind::kTruncate, static_cast<int32_t>(*length)};
    }
  }
  return Invalid("iceberg: table property '" + name + "' is '" + text +
                 "'; known: none, counts, truncate(N), full");
}

}  // namespace

Result<std::map<int32_t, MetricsMode>> MetricsModes(
    const Schema& schema, const std::map<std::string, std::string>& properties) {
  const auto find = [&](const std::string& name) -> const std::string* {
    const auto found = properties.find(name);
    return found == properties.end() ? nullptr : &found->second;
  };
  const std::string default_name = std::string(kPrefix) + "default";
  MetricsMode otherwise;
  if (const std::string* text = find(default_name)) {
    TARN_ASSIGN_OR_RETURN(otherwise, ParseMode(default_name, *text));
  }
  int64_t left = 100;
  const std::string limit_name = std::string(kPrefix) + "max-inferred-column-defaults";
  if (const std::string* text = find(limit_name)) {
    const auto limit = ParseInt64(*text);
    if (!limit || *limit < 0) {
      return Invalid("iceberg: table property '" + limit_name + "' is '" + *text +
                     "', expected a number");
    }
    left = *limit;
  }
  std::map<int32_t, MetricsMode> modes;
  for (const int32_t id : BoundedFields(schema)) {
    const std::string name = std::string(kPrefix) + "column." + schema.PathOf(id);
    if (const std::string* text = find(name)) {
      TARN_ASSIGN_OR_RETURN(modes[id], ParseMode(name, *text));
    } else {
      modes[id] = left-- > 0 ? otherwise : MetricsMode{MetricsMode::Kind::kNone, 0};
    }
  }
  return modes;
}

}  // namespace tarn::iceberg
