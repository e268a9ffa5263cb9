#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "tarn/base/result.h"

namespace tarn::delta {

// The table properties (`metaData.configuration`) that Tarn's writer obeys, as values. Names and
// defaults are Delta's (PROTOCOL.md, "Table Properties", and the documentation of delta-io/delta);
// a property that is absent has the default below.
struct TableProperties {
  bool append_only = false;                              // delta.appendOnly
  bool deletion_vectors = false;                         // delta.enableDeletionVectors
  bool in_commit_timestamps = false;                     // delta.enableInCommitTimestamps
  bool change_data_feed = false;                         // delta.enableChangeDataFeed
  bool type_widening = false;                            // delta.enableTypeWidening
  bool randomize_file_prefixes = false;                  // delta.randomizeFilePrefixes
  bool expired_log_cleanup = true;                       // delta.enableExpiredLogCleanup
  bool stats_as_json = true;                             // delta.checkpoint.writeStatsAsJson
  bool stats_as_struct = false;                          // delta.checkpoint.writeStatsAsStruct
  bool v2_checkpoints = false;                           // delta.checkpointPolicy = v2
  int64_t checkpoint_interval = 10;                      // delta.checkpointInterval, commits
  int64_t log_retention_ms = 30 * kDayMs;                // delta.logRetentionDuration
  int64_t deleted_file_retention_ms = 7 * kDayMs;        // delta.deletedFileRetentionDuration
  std::optional<int64_t> transaction_retention_ms = {};  // delta.setTransactionRetentionDuration
  std::optional<int64_t> target_file_size_bytes = {};    // delta.targetFileSize
  std::optional<std::string> stats_columns = {};         // delta.dataSkippingStatsColumns
  std::optional<int64_t> indexed_columns = {};   // delta.dataSkippingNumIndexedCols; -1: all
  std::string compression = "zstd";              // delta.parquet.compression.codec
  std::string isolation_level = "Serializable";  // delta.isolationLevel

  static constexpr int64_t kDayMs = int64_t{24} * 60 * 60 * 1000;
};

// kInvalid naming property and value: not a boolean, a number, an interval, a size, a codec.
Result<TableProperties> ParseTableProperties(
    const std::map<std::string, std::string>& configuration);

// "interval 30 days", "7 days 12 hours", "interval 1 week": milliseconds. Units: week, day, hour,
// minute, second, millisecond, microsecond; months and years are refused as Delta refuses them.
// Null when it is none.
std::optional<int64_t> ParseIntervalMs(std::string_view text);

// "104857600", "100mb", "1 g": bytes, in powers of 1,024. Null when it is none.
std::optional<int64_t> ParseSizeBytes(std::string_view text);

// What is suspicious about a property's name: one that begins with "delta." (in any case) and that
// no engine is known to read is most likely misspelled, and would do nothing. A message with the
// nearest known name, or nothing.
std::optional<std::string> SuspectProperty(std::string_view name);

}  // namespace tarn::delta
