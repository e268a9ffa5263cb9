#pragma once

#include <ucontext.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "tarn/base/runtime.h"

namespace tarn::sim {

// Thrown inside a fiber that was killed, at the point where it waits.
struct Killed {};

// Cooperative threads on one operating-system thread and one virtual clock. Which one runs next is
// drawn from the Random given, so one seed is one interleaving. Not thread-safe.
class Fibers {
 public:
  using Id = size_t;

  // With probability `stay_percent` a fiber that yields goes on at once, and some fibers are slow:
  // short and long bursts, and long sleeps at any place, find different mistakes.
  Fibers(Random& random, int64_t start_micros, uint64_t stay_percent);
  ~Fibers();
  Fibers(const Fibers&) = delete;
  Fibers& operator=(const Fibers&) = delete;

  Id Spawn(std::function<void()> body);
  // Runs until every fiber has ended. False if that takes more than `steps_max` turns.
  bool Run(int64_t steps_max);

  // Inside a fiber: lets others run. Outside: nothing.
  void Yield();
  void SleepMillis(int64_t millis);
  // The fiber's next turn throws Killed; itself: now.
  void Kill(Id id);
  void KillOthers();

  std::optional<Id> current() const { return current_; }
  int64_t now_micros() const { return now_micros_; }
  void AdvanceMillis(int64_t millis) { now_micros_ += millis * 1000; }

 private:
  struct Fiber {
    std::function<void()> body;
    ucontext_t context;
    char* stack = nullptr;
    int64_t wakes_micros = 0;
    uint64_t weight = 1;
    bool killed = false;
    bool ended = false;
  };

  static void Entry(unsigned low, unsigned high);
  void SwitchTo(Id id);
  void SwitchBack();
  std::optional<Id> PickNext();

  Random& random_;
  int64_t now_micros_;
  const uint64_t stay_percent_;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::optional<Id> current_;
  std::optional<Id> last_;
  ucontext_t main_;
  // For the address sanitizer, which is told of every change of stacks.
  [[maybe_unused]] void* main_fake_stack_ = nullptr;
  [[maybe_unused]] const void* main_stack_ = nullptr;
  [[maybe_unused]] size_t main_stack_bytes_ = 0;
};

}  // namespace tarn::sim
