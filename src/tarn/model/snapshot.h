#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "tarn/model/table_metadata.h"

namespace tarn {

// A state of a table, named by its format: a Delta number, an Iceberg snapshot id, a Hudi instant.
// Opaque: compared for equality only. Empty: before the first commit.
struct Version {
  std::string text = {};
  bool empty() const { return text.empty(); }
  friend bool operator==(const Version&, const Version&) = default;
};

// Which state is asked for. Versions are as a user types them (a number, an id, a tag).
struct Newest {};
struct AtVersion {
  std::string version;
};
struct AtTimestamp {
  int64_t micros = 0;  // since 1970 UTC: the newest state not younger than this
};
using AsOf = std::variant<Newest, AtVersion, AtTimestamp>;

// What a codec keeps between Load and Files (a log segment, a manifest list): immutable, opaque.
class SnapshotState {
 public:
  virtual ~SnapshotState() = default;
};

// The head of one state of a table: everything but its files. A plain value, cheap to copy.
struct Snapshot {
  Version version = {};
  int64_t timestamp_ms = 0;
  TableMetadata metadata = {};
  // Stream positions moved by commits: source partition → position (an opaque text).
  std::map<std::string, std::string> positions = {};
  // Totals where the format keeps them.
  std::optional<int64_t> file_count = {};
  std::optional<int64_t> record_count = {};
  std::optional<int64_t> size_bytes = {};
  std::shared_ptr<const SnapshotState> state = nullptr;

  // A table that does not exist yet: no version, no columns.
  static Snapshot Empty() { return {}; }
  bool exists() const { return !version.empty(); }
};

}  // namespace tarn
