#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tarn/base/bytes.h"

namespace tarn::iceberg {

// Manifests as values (specification, "Manifests", "Manifest Lists").

enum class ManifestContent : uint8_t { kData = 0, kDeletes = 1 };

// What a manifest list says of one partition field over all files of a manifest. Bounds as
// single-value binary.
struct FieldSummary {
  bool contains_null = true;
  std::optional<bool> contains_nan = {};
  std::optional<Bytes> lower = {};
  std::optional<Bytes> upper = {};
  friend bool operator==(const FieldSummary&, const FieldSummary&) = default;
};

// A manifest as its list describes it.
struct ManifestFile {
  std::string location;
  int64_t length = 0;
  int32_t spec_id = 0;
  ManifestContent content = ManifestContent::kData;
  int64_t sequence_number = 0;      // what its entries inherit
  int64_t min_sequence_number = 0;  // the lowest data sequence number of its live entries
  int64_t added_snapshot_id = 0;
  std::optional<int64_t> added_files = {};
  std::optional<int64_t> existing_files = {};
  std::optional<int64_t> deleted_files = {};
  std::optional<int64_t> added_rows = {};
  std::optional<int64_t> existing_rows = {};
  std::optional<int64_t> deleted_rows = {};
  std::vector<FieldSummary> partitions = {};  // one per field of the spec, or empty: not told
  std::optional<Bytes> key_metadata = {};
  std::optional<int64_t> first_row_id = {};  // version 3
  friend bool operator==(const ManifestFile&, const ManifestFile&) = default;

  // Whether it may hold files that are in the table.
  bool MayHaveLiveFiles() const {
    return added_files.value_or(1) > 0 || existing_files.value_or(1) > 0;
  }
};

enum class EntryStatus : uint8_t { kExisting = 0, kAdded = 1, kDeleted = 2 };

}  // namespace tarn::iceberg
