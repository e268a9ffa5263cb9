#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <arrow/type_fwd.h>

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/datafile/avro_schema.h"
#include "tarn/storage/storage.h"

namespace tarn {

struct AvroWriteOptions {
  // The file's schema, a record, as JSON: written into the header as it stands.
  std::string schema_json;
  std::string codec = "deflate";  // null, deflate, snappy, zstandard
  // More of the header, written in this order before avro.codec and avro.schema.
  std::vector<std::pair<std::string, std::string>> metadata;
  int64_t block_bytes = 64'000;  // of rows before compression, at which a block ends
};

// One Avro object container file being written from batches. Not thread-safe.
//
// Columns are the record's fields by name (exact), at every depth; fields that a batch lacks get
// their default. Arrow types may be those that AvroFile reads the schema as, or any that differ
// only in representation: large or view strings, lists and binary, dictionaries of an enum's
// symbols, another unit of time if no value is cut, narrower integers, decimals of the same scale.
class AvroWriter {
 public:
  virtual ~AvroWriter() = default;

  // kInvalid naming the field: a type that does not fit (expected and got), a column that the
  // schema lacks, a field without default that the batch lacks, NULL in a field that is required, a
  // symbol that the enum does not have, a decimal of too many digits. What storage reports.
  virtual Status Write(const arrow::RecordBatch& batch) = 0;
  // Bytes written so far and rows of the block begun: for rolling.
  virtual int64_t size_bytes() const = 0;
  // Rows encoded and not yet written, in bytes.
  virtual int64_t buffered_bytes() const = 0;
  virtual int64_t record_count() const = 0;
  // Ends the last block, makes the object durable. Nothing may be called after it.
  virtual Result<ObjectInfo> Finish() = 0;
};

// `random` makes the sync marker. kInvalid: the schema, or a codec that is none of those named.
Result<std::unique_ptr<AvroWriter>> MakeAvroWriter(std::unique_ptr<ObjectWriter> object,
                                                   Random& random, const AvroWriteOptions& options);

// The same to memory: what manifests are made of.
Result<Bytes> WriteAvro(const std::vector<std::shared_ptr<arrow::RecordBatch>>& batches,
                        Random& random, const AvroWriteOptions& options);

}  // namespace tarn
