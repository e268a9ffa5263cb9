#pragma once

#include <memory>

#include <arrow/type_fwd.h>

#include "tarn/base/result.h"
#include "tarn/model/schema.h"

namespace tarn {

// Tarn's types as Arrow's and back. Field ids travel as metadata "PARQUET:field_id" at every depth.
// kTimestampTz ↔ timestamp[us, UTC]; kTimestamp ↔ timestamp[us]; kUuid ↔ fixed_size_binary(16) with
// the arrow.uuid extension name; kVariant, kString ↔ utf8; kVoid ↔ null. From Arrow also: large and
// view strings and lists, dictionaries (their value type), unsigned integers (the next larger
// signed type; uint64 → decimal(20,0)), half floats, timestamps of s and ms (→ µs), date64,
// decimals of all widths up to 38 digits, time32/64, extension types (their storage); kUnsupported
// naming column and type for the rest.
Result<std::shared_ptr<arrow::Schema>> ToArrow(const Schema& schema);
Result<std::shared_ptr<arrow::DataType>> ToArrow(const Type& type);
Result<Schema> FromArrow(const arrow::Schema& schema);

// `batch` with exactly `schema`'s columns: matched by name (ignoring case, exact first), missing
// ones NULL, types cast where CanWiden or only the representation differs (dictionary, large, view,
// unit without loss); nested columns child by child. kInvalid naming the column, expected and got;
// never a lossy cast. A required column that is missing comes out NULL: the writer refuses it,
// naming the row.
Result<std::shared_ptr<arrow::RecordBatch>> Conform(const arrow::RecordBatch& batch,
                                                    const Schema& schema);

// About how many bytes the batch's rows take, of buffers only the part that its slice covers.
// Cheap: nothing is looked at but types and ends, so nested columns are counted by what they share.
int64_t BatchBytes(const arrow::RecordBatch& batch);

// One scalar out of an array (of `type`'s Arrow type, or another that FromArrow maps to it), and an
// array of `length` times one value. kInvalid for a nested type whose value is not NULL.
Result<Value> ValueAt(const arrow::Array& array, int64_t row, const Type& type);
Result<std::shared_ptr<arrow::Array>> Repeat(const Type& type, const Value& value, int64_t length);

}  // namespace tarn
