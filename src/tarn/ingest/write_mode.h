#pragma once

#include "tarn/ingest/pipeline.h"
#include "tarn/write/write_rows.h"

namespace tarn {

// How a load's rows meet those that are there, in the words of write/.
inline WriteMode WriteModeOf(IngestMode mode) {
  switch (mode) {
    case IngestMode::kAppend:
      return WriteMode::kAppend;
    case IngestMode::kOverwrite:
      return WriteMode::kOverwriteAll;
    case IngestMode::kOverwritePartitions:
      return WriteMode::kOverwritePartitions;
  }
  return WriteMode::kAppend;
}

}  // namespace tarn
