#include <sched.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <thread>

#include "tarn/base/runtime.h"
#include "tarn/base/stderr_logger.h"

namespace tarn {
namespace {

class SystemClock final : public Clock {
 public:
  explicit SystemClock(const Cancellation& cancellation) : cancellation_(cancellation) {}

  int64_t NowMicros() override {
    const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::microseconds>(since_epoch).count();
  }

  void SleepMillis(int64_t millis) override {
    constexpr int64_t kSliceMillis = 50;
    while (millis > 0 && !cancellation_.cancelled()) {
      const int64_t slice = std::min(millis, kSliceMillis);
      std::this_thread::sleep_for(std::chrono::milliseconds(slice));
      millis -= slice;
    }
  }

 private:
  const Cancellation& cancellation_;
};

// The kernel's randomness: ids must differ between machines that booted from one image.
class SystemRandom final : public Random {
 public:
  uint64_t Next() override {
    uint64_t value = 0;
    while (getrandom(&value, sizeof value, 0) != sizeof value) {
    }
    return value;
  }
};

int MachineThreads() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return std::max(1, CPU_COUNT(&allowed));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// Physical memory, or the container's limit where that is lower.
int64_t MachineMemoryBytes() {
  int64_t bytes = int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE);
  std::ifstream limit_file("/sys/fs/cgroup/memory.max");
  int64_t limit = 0;
  if (limit_file >> limit && limit > 0) bytes = std::min(bytes, limit);  // "max" does not parse
  return bytes;
}

}  // namespace

struct SystemRuntime::Parts {
  explicit Parts(const RuntimeOptions& options)
      : clock(cancellation),
        executor(MakeThreadPool(options.threads > 0 ? options.threads : MachineThreads())),
        log(MakeStderrLogger(options.log_level, options.log_format)),
        memory(options.memory_limit_bytes > 0 ? options.memory_limit_bytes
                                              : MachineMemoryBytes() / 4 * 3) {}

  Cancellation cancellation;
  SystemClock clock;
  SystemRandom random;
  std::unique_ptr<Executor> executor;
  std::unique_ptr<Logger> log;
  Metrics metrics;
  MemoryBudget memory;
  Runtime runtime{clock, random, *executor, *log, metrics, memory, cancellation};
};

SystemRuntime::SystemRuntime(const RuntimeOptions& options)
    : parts_(std::make_unique<Parts>(options)) {}
SystemRuntime::~SystemRuntime() = default;

Runtime& SystemRuntime::runtime() { return parts_->runtime; }

}  // namespace tarn
