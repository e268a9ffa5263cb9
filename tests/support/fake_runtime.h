#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tarn/base/runtime.h"

namespace tarn::testing {

// A clock that moves only when told, and by what is slept. Thread-safe.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(int64_t start_micros = 1'700'000'000'000'000) : now_micros_(start_micros) {}
  int64_t NowMicros() override { return now_micros_; }
  void SleepMillis(int64_t millis) override { now_micros_ += millis * 1000; }
  void AdvanceMillis(int64_t millis) { now_micros_ += millis * 1000; }

 private:
  std::atomic<int64_t> now_micros_;
};

// Keeps what was logged.
class ListLogger final : public Logger {
 public:
  void Log(LogLevel /*level*/, std::string_view message) override {
    const std::lock_guard lock(mutex_);
    lines_.emplace_back(message);
  }
  std::vector<std::string> lines() const {
    const std::lock_guard lock(mutex_);
    return lines_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
};

// Everything a Runtime needs, one seed, one thread, no real time.
struct FakeRuntime {
  explicit FakeRuntime(uint64_t seed = 1) : random(MakeSeededRandom(seed)) {}

  ManualClock clock;
  std::unique_ptr<Random> random;
  std::unique_ptr<Executor> executor = MakeInlineExecutor();
  ListLogger log;
  Metrics metrics;
  MemoryBudget memory{int64_t{1} << 30};
  Cancellation cancellation;
  Runtime runtime{clock, *random, *executor, log, metrics, memory, cancellation};
};

}  // namespace tarn::testing
