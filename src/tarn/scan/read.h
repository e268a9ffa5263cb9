#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/base/registry.h"
#include "tarn/base/runtime.h"
#include "tarn/datafile/file_format.h"
#include "tarn/scan/plan.h"

namespace tarn {

struct ReadOptions {
  std::vector<int32_t> field_ids = {};  // top-level columns wanted; empty: all, in schema order
  Expression filter = {};               // skips row groups; rows are not filtered
  bool with_file = false;               // append "_file" string and "_pos" int64
};

// The rows of a plan as Arrow batches: deletes applied, partition values filled in, columns matched
// and cast to the snapshot's schema. Files are read in plan order, one after another.
// Errors: what storage and the file say, with the file's path in front.
Result<std::unique_ptr<BatchStream>> ReadPlan(Runtime& runtime, const TableFormat& format,
                                              const TableHome& home,
                                              const Registry<FileFormat>& file_formats,
                                              const ScanPlan& plan, const ReadOptions& options);

}  // namespace tarn
