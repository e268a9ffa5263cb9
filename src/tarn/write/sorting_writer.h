#pragma once

#include <memory>

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/model/table_metadata.h"
#include "tarn/write/table_writer.h"

namespace tarn {

// A TableWriter in front of `inner` that hands it all rows in the order of `metadata.sort_order`;
// rows that are equal in it in the order they came. Rows are sorted in runs of up to 128 MiB; a
// quarter of the memory limit (at most 1 GiB) holds runs, others are put aside in files without a
// name below the system's temporary folder (LZ4, Arrow IPC). All are merged at Finish, batch by
// batch. kInvalid as CheckSortOrder; kUnavailable when what is put aside cannot be written or read.
Result<std::unique_ptr<TableWriter>> MakeSortingWriter(Runtime& runtime,
                                                       const TableMetadata& metadata,
                                                       std::unique_ptr<TableWriter> inner);

}  // namespace tarn
