#pragma once

#include <cstdint>
#include <vector>

#include "tarn/model/columns.h"
#include "tarn/model/data_file.h"
#include "tarn/model/partition_spec.h"

namespace tarn {

// Bounds of one field over the files of a batch. Present only for fields that were asked for.
struct BoundsColumns {
  int32_t field_id = 0;
  ValueColumn lower;                // null: unknown
  ValueColumn upper;                // null: unknown
  std::vector<int64_t> null_count;  // -1: unknown
  std::vector<int64_t> nan_count;   // -1: unknown
};

// Data files of one snapshot, partition spec and file format, a row per file, in columns: a million
// files must fit in a few hundred megabytes. Columns of `size` rows unless said. Order of files is
// the codec's.
struct FileBatch {
  int64_t size = 0;
  int32_t spec_id = 0;
  std::string format = "parquet";
  StringColumn path;      // as DataFile::path
  StringColumn location;  // as DataFile::location; no rows at all when equal to path everywhere
  std::vector<int64_t> size_bytes;
  std::vector<int64_t> record_count;  // -1: unknown; deleted rows still counted
  std::vector<int64_t> modified_ms;
  // As of DataFile; both empty where the table does not number its rows.
  std::vector<int64_t> first_row_id;
  std::vector<int64_t> sequence_number;
  std::vector<ValueColumn> partition;  // one per field of the spec
  std::vector<BoundsColumns> bounds;   // sorted by field id
  // Deletes of file i: deletes[delete_offsets[i], delete_offsets[i + 1]). Both empty when no file
  // of the batch has any.
  std::vector<uint32_t> delete_offsets;
  std::vector<DeleteFile> deletes;

  // Row `i` as a value; statistics only of the bounds present.
  DataFile At(int64_t i) const;
  // The rows where keep[i] is not 0, in order.
  FileBatch Filter(const std::vector<uint8_t>& keep) const;
  const BoundsColumns* BoundsOf(int32_t field_id) const;
};

// Appends a file: for decoders that meet them one by one, and tests. Fields of `batch.bounds` that
// the file lacks become unknown.
void AppendFile(FileBatch& batch, const DataFile& file);

}  // namespace tarn
