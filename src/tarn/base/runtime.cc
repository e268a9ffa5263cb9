#include "tarn/base/runtime.h"

namespace tarn {

void Metrics::Add(std::string_view name, int64_t amount) {
  const std::lock_guard lock(mutex_);
  const auto found = counters_.find(name);
  if (found != counters_.end()) {
    found->second += amount;
  } else {
    counters_.emplace(name, amount);
  }
}

std::map<std::string, int64_t, std::less<>> Metrics::Snapshot() const {
  const std::lock_guard lock(mutex_);
  return counters_;
}

bool MemoryBudget::TryReserve(int64_t bytes) {
  int64_t used = used_bytes_.load(std::memory_order_relaxed);
  do {
    if (used + bytes > limit_bytes_) return false;
  } while (!used_bytes_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
  return true;
}

Status Cancellation::Check() const {
  if (!cancelled()) return OkStatus();
  return Cancelled("interrupted");
}

}  // namespace tarn
