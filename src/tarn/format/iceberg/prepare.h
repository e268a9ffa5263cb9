#pragma once

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/model/table_metadata.h"
#include "tarn/table/table_format.h"

namespace tarn::iceberg {

// TableFormat::Prepare. A new table gets a UUID, ids for columns and partition fields, and the
// format version that the property 'format-version' asks for (2 otherwise); int8 and int16 become
// int32. Of a changed one: ids are never used twice, a partition spec that is new gets an id and
// the field ids that equal fields had before, the format version may rise. kInvalid: a narrowing, a
// column made required; kUnsupported: a type or transform that the version does not have.
Result<TableMetadata> PrepareMetadata(Runtime& runtime, const TableMetadata* before,
                                      TableMetadata wanted);

// TableFormat::Begin.
Result<WriteTicket> MakeWriteTicket(const Snapshot& base, const WriteIntent& intent);

// kUnsupported naming why a table of the codec is not written to: a partition transform that Tarn
// does not know, metadata that a catalog keeps.
Status CheckWritable(const Snapshot& base);

// "Reserved Field IDs", "Row Lineage": a moved row's _row_id and _last_updated_sequence_number.
std::vector<Field> RowLineageFields();

}  // namespace tarn::iceberg
