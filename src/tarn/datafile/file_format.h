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
  Expression filter = {};        // skips row groups and pages; rows are NOT filtered by it
  const RowSet* skip_rows = nullptr;  // deleted rows, left out
  bool row_positions = false;    // append a column "_pos" int64 not null: position in the file
  int64_t batch_rows = 65536;
};

struct FileWriteOptions {
  Schema schema;
  std::string compression = "zstd";  // zstd, snappy, none
  std::vector<int32_t> statistics_ids;  // leaves that get bounds and counts; empty: none
  int32_t string_bound_length = 32;     // code points kept of string bounds
  std::string created_by = "tarn";
};

// One data file being written from batches of the schema. Not thread-safe.
class DataFileWriter {
 public:
  virtual ~DataFileWriter() = default;
  virtual Status Write(const arrow::RecordBatch& batch) = 0;
  // Bytes written and buffered so far: for rolling.
  virtual int64_t size_bytes() const = 0;
  // Rows buffered in memory right now, in bytes.
  virtual int64_t buffered_bytes() const = 0;
  // Closes and syncs. record_count, size_bytes, statistics, split_offsets and modified_ms are filled;
  // path, partition and spec_id are the caller's.
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

std::unique_ptr<FileFormat> MakeParquetFormat(Runtime& runtime);

}  // namespace tarn
