#pragma once

#include <vector>

#include "tarn/model/data_file.h"
#include "tarn/model/file_batch.h"
#include "tarn/model/table_metadata.h"

namespace tarn {

// Files as batches, one for each partition spec and file format, in the order of both; within a
// batch the files keep theirs. Fields of a spec whose column is gone are strings.
std::vector<FileBatch> GroupFiles(const TableMetadata& metadata,
                                  const std::vector<DataFile>& files);

}  // namespace tarn
