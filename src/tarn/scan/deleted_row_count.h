#pragma once

#include <cstdint>

#include "tarn/base/result.h"
#include "tarn/model/data_file.h"
#include "tarn/model/snapshot.h"
#include "tarn/table/table_format.h"

namespace tarn {

// How many rows of `file`, one of `snapshot`'s, are deleted. A deletion vector says so itself;
// other delete files may name rows of many files, or rows that are not there, and are read: errors
// as TableFormat::DeletedRows.
Result<int64_t> DeletedRowCount(const TableFormat& format, const TableHome& home,
                                const Snapshot& snapshot, const DataFile& file);

}  // namespace tarn
