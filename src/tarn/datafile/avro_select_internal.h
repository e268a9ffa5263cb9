#pragma once

#include "tarn/base/result.h"
#include "tarn/datafile/avro_schema.h"
#include "tarn/datafile/file_format.h"

namespace tarn {

// Whether anything in the schema has a field id.
bool HasAvroIds(const AvroType& type);

// Those fields of `writer` that hold what `options` asks for, in its order, at every depth: the
// reader's schema of a projection. Fields that the file lacks are left out. Arrays of key and value
// are marked as maps where a map is wanted; numbers are read with the logical type that is wanted
// where the file gives none, and without where a plain integer is wanted. kCorrupt when columns are
// found by id and the file has no ids; kInvalid for names that are ambiguous.
Result<AvroTypePtr> SelectAvro(const AvroTypePtr& writer, const FileReadOptions& options);

}  // namespace tarn
