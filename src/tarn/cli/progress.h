#pragma once

#include <cstdint>
#include <string>

#include "tarn/cli/console.h"
#include "tarn/engine/engine.h"

namespace tarn::cli {

// How far a load is, on the console's side for messages: one line redrawn in place on a terminal, a
// plain line every few seconds otherwise, nothing with --quiet. Not thread-safe.
class ProgressLine {
 public:
  explicit ProgressLine(const Console& console) : console_(console) {}
  ~ProgressLine() { Clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void Show(const IngestProgress& progress);
  // Takes the redrawn line away, so that other lines can follow.
  void Clear();

 private:
  const Console& console_;
  bool drawn_ = false;
  int64_t last_plain_ms_ = 0;
};

// "█████▌    55 %  1,200,000 rows (400,000/s)  12.3 MB of 22.1 MB (4.1 MB/s)  3 s left"; without a
// known total no bar and no time left.
std::string ProgressText(const IngestProgress& progress, size_t bar_width);

// "1 h 02 m", "3 m 20 s", "0.4 s".
std::string DurationToText(int64_t millis);

}  // namespace tarn::cli
