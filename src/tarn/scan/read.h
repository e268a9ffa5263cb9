#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tarn/base/registry.h"
#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/datafile/file_format.h"
#include "tarn/scan/plan.h"

namespace tarn {

struct ReadOptions {
  std::vector<int32_t> field_ids = {};  // top-level columns wanted; empty: all, in schema order
  Expression filter = {};               // skips row groups; rows are not filtered
  bool with_file = false;               // append "_file" string and "_pos" int64
  // WriteTicket::row_lineage: append each row's number and that of its last change, NULL where the
  // file has none.
  std::vector<Field> row_lineage = {};
  // Rows of single files, by the file's path: left out beside those the table deleted, or (kOnly)
  // the only ones wanted of it; files not named are read whole. Null: none.
  const std::map<std::string, RowSet>* picked_rows = nullptr;
  enum class Picked : uint8_t { kLeftOut, kOnly } picked = Picked::kLeftOut;
};

// The rows of a plan as Arrow batches: deletes applied, partition values filled in, columns matched
// and cast to the snapshot's schema. Rows come in plan order; small files are read several at once.
// Runtime, format, home, file formats and picked rows outlive the stream, which keeps the plan.
// Errors: what storage and the file say, with the file's path in front.
Result<std::unique_ptr<BatchStream>> ReadPlan(Runtime& runtime, const TableFormat& format,
                                              const TableHome& home,
                                              const Registry<FileFormat>& file_formats,
                                              const ScanPlan& plan, const ReadOptions& options);

}  // namespace tarn
