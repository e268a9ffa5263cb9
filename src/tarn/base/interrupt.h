#pragma once

#include "tarn/base/runtime.h"

namespace tarn {

// While it lives, the first SIGINT or SIGTERM cancels `cancellation`, so that work under way ends
// cleanly, and the second ends the process at once with exit code 130. One may live at a time; the
// handlers there were before are put back at its end. `cancellation` outlives it.
class InterruptGuard {
 public:
  explicit InterruptGuard(Cancellation& cancellation);
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
};

}  // namespace tarn
