#pragma once

#include <memory>

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/table/table_format.h"

namespace tarn::iceberg {

// TableFormat::Files. Manifests that the filter rules out by their summaries are not read; of the
// others several are decoded at once, one file batch or more each, in the list's order. Every data
// file comes with the delete files that apply to it. `runtime` and `home` outlive the stream, which
// keeps the snapshot's state.
Result<std::unique_ptr<FileStream>> StreamFiles(Runtime& runtime, const TableHome& home,
                                                const Snapshot& snapshot,
                                                const FileRequest& request);

}  // namespace tarn::iceberg
