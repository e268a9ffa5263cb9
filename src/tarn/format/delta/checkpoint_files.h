#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/format/delta/file_decoder.h"
#include "tarn/format/delta/parquet_leaf.h"
#include "tarn/format/delta/seen_files.h"
#include "tarn/model/file_batch.h"

namespace tarn::delta {

// The adds in one row group of a checkpoint or sidecar, pruned while they are decoded: partition
// values first, then paths, and only where a file survives its size, time, deletion vector and
// statistics. Statistics come from columns (stats_parsed) where the checkpoint has them, else from
// the JSON text. Not thread-safe.
class CheckpointRows {
 public:
  // `plan`, `file` and `seen` outlive it; `seen` does not change meanwhile.
  static Result<std::unique_ptr<CheckpointRows>> Open(const FilePlan& plan,
                                                      std::shared_ptr<const CheckpointParquet> file,
                                                      int row_group, const SeenFiles& seen);
  ~CheckpointRows();

  // Decodes up to `rows` further rows. The batch may be empty; nothing at the end.
  // kCorrupt naming the object.
  Result<std::optional<FileBatch>> Next(int64_t rows);

  // Files of the table met so far, before pruning.
  int64_t files_seen() const;

 private:
  struct Parts;
  explicit CheckpointRows(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace tarn::delta
