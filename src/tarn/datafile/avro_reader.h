#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <arrow/type_fwd.h>

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/datafile/avro_header.h"
#include "tarn/datafile/avro_schema.h"
#include "tarn/datafile/file_format.h"
#include "tarn/storage/storage.h"

namespace tarn {

struct AvroReadOptions {
  // What rows are read as, by the rules of "Schema Resolution": promotions, records by field name
  // and alias, enums by symbol with default, unions, defaults of fields that the file lacks. Names
  // of records and fixed need not agree outside unions. Beyond the specification: timestamps and
  // times to a finer unit, decimals to a larger precision. Null: as the file's own schema.
  AvroTypePtr reader = nullptr;
  // kById: fields of records are found by field id where the reader's field has one.
  ColumnMatch match = ColumnMatch::kByName;
  int64_t batch_rows = 65536;
};

// An Avro object container file. Thread-safe; each stream is its own.
//
// As Arrow: int, long, float, double, boolean, bytes (binary), string and enum (utf8), fixed
// (fixed_size_binary); decimal128; date32; time32[ms], time64[us]; timestamps of their unit, UTC
// unless local; uuid on fixed(16) with the arrow.uuid extension name, on string utf8; records
// (struct), arrays (list), maps, and arrays of key and value with logical type map (map). A union
// with null is nullable; of int and long a long, of float and double a double, of other types a
// struct "member0", "member1", … of which one is set (as Spark does). A file whose schema is no
// record has one column "value". Ids travel as "PARQUET:field_id" at every depth.
//
// A stream holds the blocks being decoded and what comes out of them; blocks are decoded on all of
// the executor's threads, rows in order. Errors: kCorrupt naming file, block, its offset and the
// field; kUnsupported for a codec by name; what storage reports.
class AvroFile {
 public:
  // Reads the header. `name` is what messages call the file.
  static Result<AvroFile> Open(std::shared_ptr<const ObjectReader> file, std::string name);

  const AvroHeader& header() const { return *header_; }

  // Rows by Avro's own rules. kInvalid where reader and writer schema cannot meet; where only some
  // branch of a union cannot, kCorrupt at the first row that has it. `runtime` outlives the stream.
  Result<std::unique_ptr<BatchStream>> Read(Runtime& runtime, const AvroReadOptions& options) const;

  // Rows as a table's columns, as FileFormat::Read says: found by id or name, widened, missing ones
  // NULL or their initial default, others skipped. An array of records of key and value is read as
  // a map where a map is wanted.
  Result<std::unique_ptr<BatchStream>> ReadColumns(Runtime& runtime,
                                                   const FileReadOptions& options) const;

  // The file's columns as a table schema, with field ids where it has them.
  Result<Schema> ReadSchema() const;

 private:
  AvroFile(std::shared_ptr<const ObjectReader> file, std::string name,
           std::shared_ptr<const AvroHeader> header)
      : file_(std::move(file)), name_(std::move(name)), header_(std::move(header)) {}

  std::shared_ptr<const ObjectReader> file_;
  std::string name_;
  std::shared_ptr<const AvroHeader> header_;
};

}  // namespace tarn
