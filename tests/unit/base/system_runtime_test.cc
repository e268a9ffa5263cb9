#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "tarn/base/runtime.h"

namespace tarn {
namespace {

TEST(SystemRuntimeTest, TakesWhatWasAskedFor) {
  SystemRuntime system({.threads = 3, .memory_limit_bytes = 12345});
  EXPECT_EQ(system.runtime().executor.threads(), 3);
  EXPECT_EQ(system.runtime().memory.limit_bytes(), 12345);
}

TEST(SystemRuntimeTest, FindsOutWhatTheMachineHas) {
  SystemRuntime system({});
  EXPECT_GE(system.runtime().executor.threads(), 1);
  EXPECT_GT(system.runtime().memory.limit_bytes(), int64_t{1} << 26);
  EXPECT_NE(system.runtime().random.Next(), system.runtime().random.Next());
  EXPECT_GT(system.runtime().clock.NowMicros(), int64_t{1'600'000'000'000'000});
}

TEST(SystemRuntimeTest, CancellationCutsASleepShort) {
  SystemRuntime system({});
  Runtime& runtime = system.runtime();
  std::thread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    runtime.cancellation.Cancel();
  });
  const int64_t begin = runtime.clock.NowMicros();
  runtime.clock.SleepMillis(60'000);
  EXPECT_LT(runtime.clock.NowMicros() - begin, 10'000'000);
  canceller.join();
}

}  // namespace
}  // namespace tarn
