#pragma once

#include <cstdint>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/format/iceberg/location.h"
#include "tarn/format/iceberg/manifest_reader.h"
#include "tarn/model/file_batch.h"
#include "tarn/model/schema.h"

namespace tarn::iceberg {

// Rows of a manifest's entries as data files, in the order given. `bounds` are the fields whose
// bounds are taken, sorted, scalars of `schema`. The file format is left to the caller. kInvalid
// for a location outside the store.
Result<FileBatch> BatchOf(const EntryColumns& entries, const std::vector<int64_t>& rows,
                          const Locations& locations, const Schema& schema, int32_t spec_id,
                          const std::vector<int32_t>& bounds);

// The fields of `schema` that may have bounds, sorted.
std::vector<int32_t> BoundedFields(const Schema& schema);

}  // namespace tarn::iceberg
