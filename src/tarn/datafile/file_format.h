#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <arrow/type_fwd.h>

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/model/data_file.h"
#include "tarn/model/expression.h"
#include "tarn/model/schema.h"
#include "tarn/model/table_metadata.h"
#include "tarn/storage/storage.h"

namespace tarn {

// Batches of rows, one after another. Not thread-safe.
class BatchStream {
 public:
  virtual ~BatchStream() = default;
  virtual std::shared_ptr<arrow::Schema> schema() const = 0;
  // The next batch (may be of 0 rows), or null at the end.
  virtual Result<std::shared_ptr<arrow::RecordBatch>> Next() = 0;
};

struct FileReadOptions {
  // The columns wanted, as a table's fields: found in the file by `match` (file_name() or id), cast
  // up (widening) where the file is narrower, NULL or the field's initial default where the file
  // lacks them; nested children alike. The batches have exactly these columns, in this order.
  Schema schema;
  ColumnMatch match = ColumnMatch::kByName;
  Expression filter = {};             // skips row groups and pages; rows are NOT filtered by it
  const RowSet* skip_rows = nullptr;  // deleted rows, left out
  bool row_positions = false;         // append a column "_pos" int64 not null: position in the file
  int64_t batch_rows = 65536;
};

struct FileWriteOptions {
  Schema schema;
  std::string compression = "zstd";     // zstd, snappy, none
  std::vector<int32_t> statistics_ids;  // leaves that get bounds and counts; empty: none
  int32_t string_bound_length = 32;     // code points kept of string bounds
  // Parquet readers parse it ("name version x.y.z"): one they cannot makes them distrust
  // statistics.
  std::string created_by = "tarn version 0.1.0";
  // Batches are held (not copied) until a row group is full or EndGroup is called, then encoded
  // column by column: between groups an open file holds next to nothing.
  int64_t row_group_rows = 245'760;
  int64_t row_group_bytes = int64_t{128} << 20;  // of rows held in memory: a group ends early
  arrow::MemoryPool* memory_pool =
      nullptr;  // for buffers; null: Arrow's default. Outlives the writer
};

// One data file being written from batches of the schema. Not thread-safe.
class DataFileWriter {
 public:
  virtual ~DataFileWriter() = default;
  virtual Status Write(const arrow::RecordBatch& batch) = 0;
  // Ends the row group, where the format has such: nothing stays in memory of what was written.
  virtual Status EndGroup() = 0;
  // Bytes written and buffered so far: for rolling.
  virtual int64_t size_bytes() const = 0;
  // Rows buffered in memory right now, in bytes.
  virtual int64_t buffered_bytes() const = 0;
  // Closes and syncs. record_count, size_bytes, statistics, split_offsets and modified_ms are
  // filled; path, partition and spec_id are the caller's.
  virtual Result<DataFile> Finish() = 0;
};

// Batches <-> one file of one format. Thread-safe, no state.
class FileFormat {
 public:
  virtual ~FileFormat() = default;
  virtual std::string_view name() const = 0;  // "parquet"
  // The file's own columns as a table schema, with field ids where the file has them. kCorrupt.
  virtual Result<Schema> ReadSchema(const ObjectReader& file) const = 0;
  // `file` is kept alive by the stream.
  virtual Result<std::unique_ptr<BatchStream>> Read(std::shared_ptr<ObjectReader> file,
                                                    const FileReadOptions& options) const = 0;
  // `object` is kept by the writer.
  virtual Result<std::unique_ptr<DataFileWriter>> Write(std::unique_ptr<ObjectWriter> object,
                                                        const FileWriteOptions& options) const = 0;
};

// Parquet. Written: zstd level 1 or snappy, decimals of up to 18 digits as integers, a dictionary
// only where a sample of the first rows shows few distinct values (else delta encoding for
// integers), page index, field ids at every depth, file_name()s. Statistics are those of the file's
// own footer plus one pass for NaN; string bounds are cut to string_bound_length; a string over
// 4,096 bytes leaves its column without bounds. Read: row groups that the filter rules out are
// skipped; large files are decoded on all of the executor's threads, rows in order. `runtime`
// outlives the format.
std::unique_ptr<FileFormat> MakeParquetFormat(Runtime& runtime);

// Arrow IPC: the file and the stream format are told apart by their first bytes when read, the file
// format is written. Without statistics; filters skip nothing.
std::unique_ptr<FileFormat> MakeIpcFormat(Runtime& runtime);

// Avro object container files (avro_reader.h, avro_writer.h): field ids as Iceberg writes them, and
// names that Avro forbids as the attribute <attribute_prefix>-field-name. compression: zstd,
// snappy, gzip (deflate), none. Statistics are counted while writing, without sizes; filters skip
// nothing.
std::unique_ptr<FileFormat> MakeAvroFormat(Runtime& runtime, std::string attribute_prefix);

// ORC, through Arrow's adapter: field ids and types by the attributes <attribute_prefix>.id, ….
// Timestamps are those of 1678…2262; of nested columns all members are decoded. compression: zstd,
// snappy, gzip, lz4, none. Statistics as for Avro; filters skip nothing.
std::unique_ptr<FileFormat> MakeOrcFormat(std::string attribute_prefix);

}  // namespace tarn
