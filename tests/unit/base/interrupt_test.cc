#include "tarn/base/interrupt.h"

#include <gtest/gtest.h>
#include <signal.h>

namespace tarn {
namespace {

TEST(InterruptGuardTest, FirstSignalCancels) {
  for (const int signal : {SIGINT, SIGTERM}) {
    Cancellation cancellation;
    const InterruptGuard guard(cancellation);
    EXPECT_FALSE(cancellation.cancelled());
    raise(signal);
    EXPECT_TRUE(cancellation.cancelled());
  }
}

TEST(InterruptGuardDeathTest, SecondSignalEndsTheProcess) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        Cancellation cancellation;
        const InterruptGuard guard(cancellation);
        raise(SIGINT);
        raise(SIGINT);
      },
      ::testing::ExitedWithCode(130), "");
}

TEST(InterruptGuardTest, PutsBackWhatWasThere) {
  struct sigaction before = {};
  sigaction(SIGINT, nullptr, &before);
  {
    Cancellation cancellation;
    const InterruptGuard guard(cancellation);
  }
  struct sigaction after = {};
  sigaction(SIGINT, nullptr, &after);
  EXPECT_EQ(before.sa_handler, after.sa_handler);
}

}  // namespace
}  // namespace tarn
