#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "tarn/base/result.h"

namespace tarn {

// Wall time and waiting. Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  // Microseconds since 1970-01-01 UTC. May step back: whoever needs order makes it.
  virtual int64_t NowMicros() = 0;
  // Waits, or returns early when `cancelled` turns true (checked at least every 50 ms).
  virtual void SleepMillis(int64_t millis) = 0;
};

// Randomness. Thread-safe. A test's implementation is seeded.
class Random {
 public:
  virtual ~Random() = default;
  virtual uint64_t Next() = 0;
  // Uniform in [0, bound); bound > 0.
  uint64_t Below(uint64_t bound) { return Next() % bound; }
};

// A fixed number of threads. Thread-safe.
class Executor {
 public:
  virtual ~Executor() = default;
  // Threads that may run work at once, at least 1.
  virtual int threads() const = 0;
  // Calls work(i) for every i in [0, count), on the caller's and the pool's threads, and returns
  // when all are done: the error of the lowest failing index, after which no further index is
  // started. Reentrant: work may call ParallelFor; then the caller's thread takes part, so nested
  // calls cannot deadlock.
  virtual Status ParallelFor(int64_t count, const std::function<Status(int64_t)>& work) = 0;
};

enum class LogLevel : uint8_t { kDebug, kInfo, kWarning, kError };

// Where messages for people go. Thread-safe.
class Logger {
 public:
  virtual ~Logger() = default;
  virtual void Log(LogLevel level, std::string_view message) = 0;
  void Info(std::string_view message) { Log(LogLevel::kInfo, message); }
  void Warn(std::string_view message) { Log(LogLevel::kWarning, message); }
};

// Named counters. Thread-safe. Names are "room.what_unit": "table.commit_attempts".
class Metrics {
 public:
  void Add(std::string_view name, int64_t amount);
  std::map<std::string, int64_t, std::less<>> Snapshot() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, int64_t, std::less<>> counters_;
};

// The memory the process may use for batches, buffers and caches; shared by all work. Thread-safe.
class MemoryBudget {
 public:
  explicit MemoryBudget(int64_t limit_bytes) : limit_bytes_(limit_bytes) {}
  int64_t limit_bytes() const { return limit_bytes_; }
  int64_t used_bytes() const { return used_bytes_.load(std::memory_order_relaxed); }
  // False, reserving nothing, when `bytes` more would pass the limit.
  bool TryReserve(int64_t bytes);
  // Reserves even beyond the limit: for what is already in memory.
  void Reserve(int64_t bytes) { used_bytes_.fetch_add(bytes, std::memory_order_relaxed); }
  void Release(int64_t bytes) { used_bytes_.fetch_sub(bytes, std::memory_order_relaxed); }

 private:
  const int64_t limit_bytes_;
  std::atomic<int64_t> used_bytes_{0};
};

// Set once, by Ctrl-C or a caller; long work asks between batches. Thread-safe, and Cancel may be
// called from a signal handler.
class Cancellation {
 public:
  void Cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }
  // kCancelled once cancelled.
  Status Check() const;

 private:
  std::atomic<bool> cancelled_{false};
};

// What the pure core may not reach for by itself. Everything outlives whoever holds the Runtime.
struct Runtime {
  Clock& clock;
  Random& random;
  Executor& executor;
  Logger& log;
  Metrics& metrics;
  MemoryBudget& memory;
  Cancellation& cancellation;
};

struct RuntimeOptions {
  int threads = 0;                 // 0: as many as the machine has
  int64_t memory_limit_bytes = 0;  // 0: three quarters of the machine's memory
  LogLevel log_level = LogLevel::kWarning;
  enum class LogFormat : uint8_t { kText, kJson } log_format = LogFormat::kText;
};

// The real clock, threads, randomness and a logger on standard error.
class SystemRuntime {
 public:
  explicit SystemRuntime(const RuntimeOptions& options);
  ~SystemRuntime();
  SystemRuntime(const SystemRuntime&) = delete;
  SystemRuntime& operator=(const SystemRuntime&) = delete;

  Runtime& runtime();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

std::unique_ptr<Executor> MakeThreadPool(int threads);
// Runs everything on the caller's thread, in order: for simulation.
std::unique_ptr<Executor> MakeInlineExecutor();
// xoshiro256** from one seed. Thread-safe.
std::unique_ptr<Random> MakeSeededRandom(uint64_t seed);

}  // namespace tarn
