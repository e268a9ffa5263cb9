#pragma once

#include <memory>

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/model/snapshot.h"
#include "tarn/table/table_format.h"
#include "tarn/table/table_home.h"

namespace tarn::delta {

// TableFormat::Files. First the files of the JSON log, newest commit first, then those of the
// checkpoint in its order; both decoded on all of the executor's threads, a bounded number of
// commits or rows at a time. Memory: a key per file action of the JSON log, plus what is being
// decoded. Errors as OpenLogFiles, here or from Next; kInvalid for a file of the table outside the
// store.
Result<std::unique_ptr<FileStream>> StreamFiles(Runtime& runtime, const TableHome& home,
                                                const Snapshot& snapshot,
                                                const FileRequest& request);

}  // namespace tarn::delta
