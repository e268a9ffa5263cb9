#pragma once

#include <cstdint>
#include <limits>

namespace tarn {

// How often, and for how long, a commit that lost a race is tried again.
struct RetryPolicy {
  int attempts_max = 200;     // a writer that waits loses to those that begin
  int64_t wait_first_ms = 5;  // doubled each time, with jitter
  int64_t wait_max_ms = 1000;
  int64_t total_ms = std::numeric_limits<int64_t>::max();  // no attempt begins later than this
};

}  // namespace tarn
