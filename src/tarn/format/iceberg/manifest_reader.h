#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <arrow/type_fwd.h>

#include "tarn/base/path.h"
#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/datafile/file_format.h"
#include "tarn/format/iceberg/columns_internal.h"
#include "tarn/format/iceberg/manifest.h"
#include "tarn/format/iceberg/metadata.h"
#include "tarn/table/table_home.h"

namespace tarn::iceberg {

// What is decoded of each entry beside status, sequence numbers, location, partition and counts.
struct EntryWish {
  bool bounds = false;   // null and NaN counts, lower and upper bounds
  bool row_ids = false;  // what version 3 numbers rows by
  bool all = false;      // with bounds: whatever else the specification has
};

// Entries of a manifest in columns, `size` rows each.
struct EntryColumns {
  int64_t size = 0;
  std::vector<EntryStatus> status;
  std::vector<int64_t> snapshot_id;      // inherited where the entry has none
  std::vector<int64_t> sequence_number;  // of the data; inherited likewise
  std::vector<int64_t> row_id;           // of the file's first row, inherited likewise; -1: none
  IntegerColumn content;                 // 0 data, 1 position deletes, 2 equality deletes
  BytesColumn location;
  BytesColumn format;  // "PARQUET", "parquet", …
  IntegerColumn record_count;
  IntegerColumn size_bytes;
  std::vector<ValueColumn> partition;  // one per field of the spec
  IdMapColumn null_counts, nan_counts, lower, upper;
  std::shared_ptr<arrow::Array> equality_ids;  // lists, or null
  BytesColumn referenced_data_file;
  IntegerColumn content_offset, content_size;
  // Of EntryWish::all:
  IntegerColumn file_sequence_number;  // not inherited
  IdMapColumn column_sizes, value_counts;
  BytesColumn key_metadata;
  std::shared_ptr<arrow::Array> split_offsets;  // lists, or null
  IntegerColumn sort_order_id;
  std::shared_ptr<arrow::RecordBatch> batch;  // what the columns look into
};

// One manifest, read entry by entry in batches. Not thread-safe.
class ManifestReader {
 public:
  // `schema` is that of the snapshot read: partition values come in its types. Where it has lost a
  // source column another schema of the table, else the manifest tells the type.
  static Result<ManifestReader> Make(Runtime& runtime, const TableHome& home, const Path& path,
                                     const Metadata& metadata, const Schema& schema,
                                     const ManifestFile& manifest, EntryWish wish);

  // kCorrupt naming the manifest.
  Result<std::optional<EntryColumns>> Next();

 private:
  Result<EntryColumns> Decode(std::shared_ptr<arrow::RecordBatch> batch);

  Path path_;
  ManifestFile manifest_;
  const PartitionSpec* spec_ = nullptr;
  std::vector<Type> partition_types_;
  std::unique_ptr<BatchStream> rows_;
  std::optional<int64_t> next_row_id_;  // of the next entry that inherits one
};

// The type of each value of `spec`, where the table's schemas tell it; else void.
std::vector<Type> PartitionTypes(const Metadata& metadata, const Schema& schema,
                                 const PartitionSpec& spec);

}  // namespace tarn::iceberg
