#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tarn/base/path.h"

namespace tarn::delta {

// The names of a Delta log (PROTOCOL.md, "File Types"). Versions have 20 digits, parts 10.

inline constexpr std::string_view kLogFolder = "_delta_log";
inline constexpr std::string_view kSidecarFolder = "_delta_log/_sidecars";
inline constexpr std::string_view kLastCheckpointName = "_last_checkpoint";

// "00000000000000000042".
std::string VersionDigits(int64_t version);

// Paths below a table's root. Versions are not negative.
Path CommitPath(const Path& root, int64_t version);                  // <v>.json
Path ClassicCheckpointPath(const Path& root, int64_t version);       // <v>.checkpoint.parquet
Path ChecksumPath(const Path& root, int64_t version);                // <v>.crc
Path CompactionPath(const Path& root, int64_t first, int64_t last);  // <v>.<w>.compacted.json
Path LastCheckpointPath(const Path& root);

// What one name in the log folder says.
struct LogName {
  enum class Kind : uint8_t {
    kCommit,
    kClassicCheckpoint,
    kMultiPartCheckpoint,
    kUuidCheckpointParquet,
    kUuidCheckpointJson,
    kCompaction,
    kChecksum,
  };
  Kind kind = Kind::kCommit;
  int64_t version = 0;       // kCompaction: the first
  int64_t last_version = 0;  // kCompaction: the last; else equal to version
  int32_t part = 0;          // kMultiPartCheckpoint: 1…parts
  int32_t parts = 0;
};

// Null for names that are none of a log's (temporary files, hints, staged commits of catalogs).
std::optional<LogName> ParseLogName(std::string_view name);

}  // namespace tarn::delta
