#include "tarn/format/delta/table_properties.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "tarn/base/text.h"

namespace tarn::delta {
namespace {

using Configuration = std::map<std::string, std::string>;

const std::string* Find(const Configuration& configuration, std::string_view name) {
  const auto found = configuration.find(std::string(name));
  return found == configuration.end() ? nullptr : &found->second;
}

Error BadValue(std::string_view name, std::string_view value, std::string_view wanted) {
  return Invalid("delta: table property '" + std::string(name) + "' is '" + std::string(value) +
                 "', expected " + std::string(wanted));
}

Status ReadBool(const Configuration& configuration, std::string_view name, bool& out) {
  const std::string* text = Find(configuration, name);
  if (text == nullptr) return OkStatus();
  if (AsciiEqualsIgnoreCase(*text, "true")) {
    out = true;
  } else if (AsciiEqualsIgnoreCase(*text, "false")) {
    out = false;
  } else {
    return BadValue(name, *text, "true or false");
  }
  return OkStatus();
}

Status ReadInteger(const Configuration& configuration, std::string_view name, int64_t least,
                   std::optional<int64_t>& out) {
  const std::string* text = Find(configuration, name);
  if (text == nullptr) return OkStatus();
  const std::optional<int64_t> value = ParseInt64(*text);
  if (!value || *value < least) {
    return BadValue(name, *text, "a whole number of at least " + std::to_string(least));
  }
  out = value;
  return OkStatus();
}

Status ReadInterval(const Configuration& configuration, std::string_view name,
                    std::optional<int64_t>& out) {
  const std::string* text = Find(configuration, name);
  if (text == nullptr) return OkStatus();
  const std::optional<int64_t> value = ParseIntervalMs(*text);
  if (!value) return BadValue(name, *text, "an interval such as 'interval 30 days'");
  out = value;
  return OkStatus();
}

Status ReadInterval(const Configuration& configuration, std::string_view name, int64_t& out) {
  std::optional<int64_t> value;
  TARN_RETURN_IF_ERROR(ReadInterval(configuration, name, value));
  if (value) out = *value;
  return OkStatus();
}

std::optional<int64_t> UnitMicros(std::string_view unit) {
  struct Unit {
    std::string_view name;
    int64_t micros;
  };
  static constexpr std::array<Unit, 7> kUnits = {{{"week", int64_t{7} * 24 * 3600 * 1000000},
                                                  {"day", int64_t{24} * 3600 * 1000000},
                                                  {"hour", int64_t{3600} * 1000000},
                                                  {"minute", int64_t{60} * 1000000},
                                                  {"second", 1000000},
                                                  {"millisecond", 1000},
                                                  {"microsecond", 1}}};
  std::string name = AsciiLower(unit);
  if (name.size() > 1 && name.back() == 's') name.pop_back();
  for (const Unit& known : kUnits) {
    if (known.name == name) return known.micros;
  }
  return std::nullopt;
}

std::vector<std::string> Words(std::string_view text) {
  std::vector<std::string> words;
  for (std::string& word : Split(text, ' ')) {
    if (!word.empty()) words.push_back(std::move(word));
  }
  return words;
}

Status ReadCompression(const Configuration& configuration, TableProperties& out) {
  constexpr std::string_view kName = "delta.parquet.compression.codec";
  const std::string* text = Find(configuration, kName);
  if (text == nullptr) return OkStatus();
  const std::string codec = AsciiLower(*text);
  if (codec == "none" || codec == "uncompressed") {
    out.compression = "none";
  } else if (codec == "snappy" || codec == "zstd") {
    out.compression = codec;
  } else if (codec == "gzip" || codec == "lz4" || codec == "lz4_raw") {
    out.compression = "zstd";  // readers must know all codecs, so the default may stand in
  } else {
    return BadValue(kName, *text, "zstd, snappy or none");
  }
  return OkStatus();
}

}  // namespace

std::optional<int64_t> ParseIntervalMs(std::string_view text) {
  const std::vector<std::string> words = Words(text);
  size_t at = !words.empty() && AsciiEqualsIgnoreCase(words[0], "interval") ? 1 : 0;
  if (at == words.size() || (words.size() - at) % 2 != 0) return std::nullopt;
  int64_t micros = 0;
  for (; at < words.size(); at += 2) {
    const std::optional<int64_t> count = ParseInt64(words[at]);
    const std::optional<int64_t> unit = UnitMicros(words[at + 1]);
    if (!count || *count < 0 || !unit) return std::nullopt;
    int64_t part = 0;
    if (__builtin_mul_overflow(*count, *unit, &part) ||
        __builtin_add_overflow(micros, part, &micros)) {
      return std::nullopt;
    }
  }
  return micros / 1000;
}

std::optional<int64_t> ParseSizeBytes(std::string_view text) {
  const std::string lower = AsciiLower(text);
  const size_t digits = lower.find_first_not_of("0123456789");
  const std::optional<int64_t> count = ParseInt64(std::string_view(lower).substr(0, digits));
  if (!count) return std::nullopt;
  std::string unit = digits == std::string::npos ? "" : lower.substr(digits);
  unit.erase(0, unit.find_first_not_of(' '));
  if (unit.size() > 1 && unit.back() == 'b') unit.pop_back();
  if (unit.size() > 1 && unit.back() == 'i') unit.pop_back();
  static constexpr std::string_view kUnits = "bkmgt";
  const size_t power = unit.empty() ? 0 : kUnits.find(unit);
  if (power == std::string_view::npos || unit.size() > 1) return std::nullopt;
  const int shift = static_cast<int>(power) * 10;
  if (*count > (std::numeric_limits<int64_t>::max() >> shift)) return std::nullopt;
  return *count << shift;
}

Result<TableProperties> ParseTableProperties(const Configuration& configuration) {
  TableProperties out;
  const auto read = [&](std::string_view name, bool& value) {
    return ReadBool(configuration, name, value);
  };
  TARN_RETURN_IF_ERROR(read("delta.appendOnly", out.append_only));
  TARN_RETURN_IF_ERROR(read("delta.enableDeletionVectors", out.deletion_vectors));
  TARN_RETURN_IF_ERROR(read("delta.enableInCommitTimestamps", out.in_commit_timestamps));
  TARN_RETURN_IF_ERROR(read("delta.enableChangeDataFeed", out.change_data_feed));
  TARN_RETURN_IF_ERROR(read("delta.enableTypeWidening", out.type_widening));
  TARN_RETURN_IF_ERROR(read("delta.randomizeFilePrefixes", out.randomize_file_prefixes));
  TARN_RETURN_IF_ERROR(read("delta.enableExpiredLogCleanup", out.expired_log_cleanup));
  TARN_RETURN_IF_ERROR(read("delta.checkpoint.writeStatsAsJson", out.stats_as_json));
  TARN_RETURN_IF_ERROR(read("delta.checkpoint.writeStatsAsStruct", out.stats_as_struct));

  std::optional<int64_t> interval;
  TARN_RETURN_IF_ERROR(ReadInteger(configuration, "delta.checkpointInterval", 1, interval));
  if (interval) out.checkpoint_interval = *interval;
  TARN_RETURN_IF_ERROR(
      ReadInteger(configuration, "delta.dataSkippingNumIndexedCols", -1, out.indexed_columns));
  TARN_RETURN_IF_ERROR(
      ReadInterval(configuration, "delta.logRetentionDuration", out.log_retention_ms));
  TARN_RETURN_IF_ERROR(ReadInterval(configuration, "delta.deletedFileRetentionDuration",
                                    out.deleted_file_retention_ms));
  TARN_RETURN_IF_ERROR(ReadInterval(configuration, "delta.setTransactionRetentionDuration",
                                    out.transaction_retention_ms));
  TARN_RETURN_IF_ERROR(ReadCompression(configuration, out));

  if (const std::string* text = Find(configuration, "delta.targetFileSize")) {
    out.target_file_size_bytes = ParseSizeBytes(*text);
    if (out.target_file_size_bytes.value_or(0) <= 0) {
      return BadValue("delta.targetFileSize", *text, "a size such as '134217728' or '128mb'");
    }
  }
  if (const std::string* text = Find(configuration, "delta.checkpointPolicy")) {
    if (*text != "classic" && *text != "v2") {
      return BadValue("delta.checkpointPolicy", *text, "classic or v2");
    }
    out.v2_checkpoints = *text == "v2";
  }
  if (const std::string* text = Find(configuration, "delta.isolationLevel")) {
    if (*text != "Serializable" && *text != "WriteSerializable") {
      return BadValue("delta.isolationLevel", *text, "Serializable or WriteSerializable");
    }
    out.isolation_level = *text;
  }
  if (const std::string* text = Find(configuration, "delta.dataSkippingStatsColumns")) {
    out.stats_columns = *text;
  }
  return out;
}

std::optional<std::string> SuspectProperty(std::string_view name) {
  static constexpr auto kKnown =
      std::to_array<std::string_view>({"appendOnly",
                                       "autoOptimize",
                                       "autoOptimize.autoCompact",
                                       "autoOptimize.optimizeWrite",
                                       "checkpoint.writeStatsAsJson",
                                       "checkpoint.writeStatsAsStruct",
                                       "checkpointInterval",
                                       "checkpointPolicy",
                                       "checkpointRetentionDuration",
                                       "columnMapping.maxColumnId",
                                       "columnMapping.mode",
                                       "compatibility.symlinkFormatManifest.enabled",
                                       "dataSkippingNumIndexedCols",
                                       "dataSkippingStatsColumns",
                                       "deletedFileRetentionDuration",
                                       "dropFeatureTruncateHistory.retentionDuration",
                                       "enableChangeDataFeed",
                                       "enableDeletionVectors",
                                       "enableExpiredLogCleanup",
                                       "enableFullRetentionRollback",
                                       "enableInCommitTimestamps",
                                       "enableRowTracking",
                                       "enableTypeWidening",
                                       "enableVariantShredding",
                                       "ignoreProtocolDefaults",
                                       "inCommitTimestampEnablementTimestamp",
                                       "inCommitTimestampEnablementVersion",
                                       "isolationLevel",
                                       "lastCommitTimestamp",
                                       "lastUpdateVersion",
                                       "logRetentionDuration",
                                       "minReaderVersion",
                                       "minWriterVersion",
                                       "parquet.compression.codec",
                                       "parquet.format.version",
                                       "randomPrefixLength",
                                       "randomizeFilePrefixes",
                                       "requireCheckpointProtectionBeforeVersion",
                                       "sampleRetentionDuration",
                                       "sampling.enabled",
                                       "setTransactionRetentionDuration",
                                       "targetFileSize",
                                       "tuneFileSizesForRewrites",
                                       "universalFormat.enabledFormats"});
  constexpr std::string_view kPrefix = "delta.";
  if (!AsciiEqualsIgnoreCase(name.substr(0, kPrefix.size()), kPrefix)) return std::nullopt;
  const std::string_view rest = name.substr(kPrefix.size());
  const bool exact_prefix = name.starts_with(kPrefix);
  if (exact_prefix && std::find(kKnown.begin(), kKnown.end(), rest) != kKnown.end()) {
    return std::nullopt;
  }
  // Families whose further names are anyone's.
  for (const std::string_view family : {"feature.", "constraints.", "rowTracking.",
                                        "coordinatedCommits.", "universalFormat.", "liquid."}) {
    if (exact_prefix && rest.starts_with(family)) return std::nullopt;
  }
  // What makes a table readable as one of another format: "enable<Format>CompatV1".
  if (exact_prefix && rest.starts_with("enable") && rest.find("Compat") != rest.npos) {
    return std::nullopt;
  }
  std::vector<std::string> names;
  names.reserve(kKnown.size());
  for (const std::string_view known : kKnown) {
    names.push_back(std::string(kPrefix) + std::string(known));
  }
  std::string nearest = DidYouMean(name, names);
  // The list of all names is no help here.
  if (nearest.find("did you mean") == std::string::npos) nearest.clear();
  return "delta: no engine is known to read the table property '" + std::string(name) + "'" +
         nearest;
}

}  // namespace tarn::delta
