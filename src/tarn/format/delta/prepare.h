#pragma once

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/model/table_metadata.h"

namespace tarn::delta {

// `wanted` made sayable in Delta; `before` is what stands, null for a new table. In order:
//   id, creation time   given if missing, kept from `before`
//   properties          checked (table_properties.h); delta.feature.<name> = supported becomes the
//                       feature; delta.minReaderVersion and delta.minWriterVersion raise the
//                       protocol; delta.constraints.<name> of a new table become constraints; a
//                       "delta." name that nobody reads is warned of
//   field ids           given where missing, above the highest ever used; all depths are kept in
//                       `tarn.schemaIds`
//   partitioning        one identity spec, spec id 0; each field named as its column
//   column mapping      stays as it was; turned on by name when a column that existed is renamed or
//                       dropped (not when no column is left: that is a replacement). Physical
//                       names: of columns that exist, the one they have; of a table created with a
//                       mapping, the column's name; of added ones, col-<uuid>
//   dropped columns     remembered in `tarn.droppedColumns` with id and physical name; one that is
//                       back under its id gets its physical name back
//   type changes        recorded as delta.typeChanges if the table widens
//   (delta.enableTypeWidening) protocol            that of `before`, raised by what the content
//   needs and no more; a new table
//                       starts at reader 1, writer 2
// That a column which becomes required holds no NULL is the caller's to see.
// kInvalid: a property's value, a schema that breaks ValidateSchema. kUnsupported, naming column or
// property and what to do instead: types Delta lacks (time, uuid, fixed, nanoseconds), default
// values for old rows, partition transforms, a change of the mapping's mode, a type change that
// Delta cannot express, features Tarn does not write (writer_features.h).
Result<TableMetadata> PrepareMetadata(Runtime& runtime, const TableMetadata* before,
                                      TableMetadata wanted);

}  // namespace tarn::delta
