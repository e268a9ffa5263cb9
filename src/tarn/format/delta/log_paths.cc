#include "tarn/format/delta/log_paths.h"

#include <fmt/format.h>

namespace tarn::delta {
namespace {

constexpr size_t kVersionDigits = 20;
constexpr size_t kPartDigits = 10;
constexpr size_t kUuidLength = 36;

// Exactly `length` digits at the front of `text`, taken off it. Null otherwise, or past 2^63 - 1.
std::optional<int64_t> TakeDigits(std::string_view& text, size_t length) {
  if (text.size() < length) return std::nullopt;
  uint64_t number = 0;
  for (size_t i = 0; i < length; ++i) {
    const char digit = text[i];
    if (digit < '0' || digit > '9') return std::nullopt;
    if (number > (uint64_t{INT64_MAX} - static_cast<uint64_t>(digit - '0')) / 10) {
      return std::nullopt;
    }
    number = number * 10 + static_cast<uint64_t>(digit - '0');
  }
  text.remove_prefix(length);
  return static_cast<int64_t>(number);
}

bool TakePrefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

std::optional<LogName> ParseCheckpointRest(LogName name, std::string_view rest) {
  if (rest == "parquet") {
    name.kind = LogName::Kind::kClassicCheckpoint;
    return name;
  }
  std::string_view parts_text = rest;
  if (const auto part = TakeDigits(parts_text, kPartDigits); part && TakePrefix(parts_text, ".")) {
    const auto parts = TakeDigits(parts_text, kPartDigits);
    if (parts && parts_text == ".parquet" && *part >= 1 && *part <= *parts && *parts <= INT32_MAX) {
      name.kind = LogName::Kind::kMultiPartCheckpoint;
      name.part = static_cast<int32_t>(*part);
      name.parts = static_cast<int32_t>(*parts);
      return name;
    }
    return std::nullopt;
  }
  if (rest.size() <= kUuidLength || rest[kUuidLength] != '.') return std::nullopt;
  const std::string_view extension = rest.substr(kUuidLength + 1);
  if (extension == "parquet") {
    name.kind = LogName::Kind::kUuidCheckpointParquet;
  } else if (extension == "json") {
    name.kind = LogName::Kind::kUuidCheckpointJson;
  } else {
    return std::nullopt;
  }
  return name;
}

}  // namespace

std::string VersionDigits(int64_t version) { return fmt::format("{:020}", version); }

Path CommitPath(const Path& root, int64_t version) {
  return root / kLogFolder / (VersionDigits(version) + ".json");
}

Path ClassicCheckpointPath(const Path& root, int64_t version) {
  return root / kLogFolder / (VersionDigits(version) + ".checkpoint.parquet");
}

Path ChecksumPath(const Path& root, int64_t version) {
  return root / kLogFolder / (VersionDigits(version) + ".crc");
}

Path CompactionPath(const Path& root, int64_t first, int64_t last) {
  return root / kLogFolder / (VersionDigits(first) + "." + VersionDigits(last) + ".compacted.json");
}

Path LastCheckpointPath(const Path& root) { return root / kLogFolder / kLastCheckpointName; }

std::optional<LogName> ParseLogName(std::string_view name) {
  const std::optional<int64_t> version = TakeDigits(name, kVersionDigits);
  if (!version || !TakePrefix(name, ".")) return std::nullopt;
  LogName parsed;
  parsed.version = parsed.last_version = *version;
  if (name == "json") return parsed;
  if (name == "crc") {
    parsed.kind = LogName::Kind::kChecksum;
    return parsed;
  }
  if (TakePrefix(name, "checkpoint.")) return ParseCheckpointRest(parsed, name);
  const std::optional<int64_t> last = TakeDigits(name, kVersionDigits);
  if (last && name == ".compacted.json" && *last > *version) {
    parsed.kind = LogName::Kind::kCompaction;
    parsed.last_version = *last;
    return parsed;
  }
  return std::nullopt;
}

}  // namespace tarn::delta
