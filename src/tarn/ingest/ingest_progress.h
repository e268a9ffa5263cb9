#pragma once

#include <cstdint>

namespace tarn {

// How far a run is, for a progress bar. Called from the thread that runs it, at most ten times a
// second.
struct IngestProgress {
  int64_t files_done = 0, files_total = 0;
  int64_t rows = 0;
  int64_t bytes_read = 0, bytes_total = 0;
  int64_t elapsed_ms = 0;
};

}  // namespace tarn
