#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tarn/model/row_set.h"
#include "tarn/model/statistics.h"
#include "tarn/model/value.h"

namespace tarn {

enum class DeleteKind : uint8_t { kDeletionVector, kPositionDeletes, kEqualityDeletes };

// Where the rows that were deleted from a data file are listed. The codec that made it reads it
// (TableFormat::DeletedRows).
struct DeleteFile {
  DeleteKind kind = DeleteKind::kDeletionVector;
  // As the metadata spells it (Delta: storage type and pathOrInlineDv, "u" +
  // "ab^-aqEH.-t@S}K{vb[*k^").
  std::string location;
  std::optional<int64_t> offset = {};
  int64_t size_bytes = 0;
  int64_t row_count = 0;
  std::vector<int32_t> equality_ids = {};
  std::string format = {};  // of the file that lists them, where there is more than one
  friend bool operator==(const DeleteFile&, const DeleteFile&) = default;
};

// One immutable file of rows, as a writer made it or the metadata describes it.
struct DataFile {
  // As the metadata spells it; byte-equal wherever the file is named again (removal, deletes). A
  // writer leaves it empty: the codec spells `path`.
  std::string location = {};
  // The object's path: relative to the table's root, or "/"-led and relative to the store's root.
  std::string path;
  std::string format = "parquet";
  int64_t size_bytes = 0;
  int64_t record_count = -1;  // -1: unknown
  int64_t modified_ms = 0;
  int32_t spec_id = 0;
  int32_t sort_order_id = 0;  // of the order that its rows are in; 0: not known to be in any
  std::vector<Value> partition = {};  // one per field of the spec
  std::vector<ColumnStatistics> statistics = {};
  bool tight_bounds = true;  // false: some rows that made the bounds are deleted
  std::vector<DeleteFile> deletes = {};
  // Of tables that number their rows, of files the metadata describes: what identifies the first
  // row (the others count on), and the number of the commit that the file's rows are from. -1:
  // unknown.
  int64_t first_row_id = -1;
  int64_t sequence_number = -1;
  std::vector<int64_t> split_offsets = {};
  std::map<std::string, std::string> tags = {};  // a format's own, kept as they are
};

// Rows to take away from a file, by position in the file.
struct RowDelete {
  DataFile file;
  RowSet rows;
};

}  // namespace tarn
