#include "tarn/base/crash_point.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>

#include <set>

namespace tarn {
namespace {

TEST(CrashPointTest, DoesNothingWithoutAWish) {
  unsetenv("TARN_CRASH_POINT");
  EXPECT_EXIT(
      {
        for (const std::string& name : CrashPointNames()) CrashPoint(name);
        exit(0);
      },
      ::testing::ExitedWithCode(0), "");
}

TEST(CrashPointTest, KillsAtTheNthArrival) {
  EXPECT_EXIT(
      {
        setenv("TARN_CRASH_POINT", "commit.staged:3", 1);
        CrashPoint("commit.revealed");
        CrashPoint("commit.staged");
        CrashPoint("commit.staged");
        fputs("still here", stderr);
        CrashPoint("commit.staged");
      },
      ::testing::KilledBySignal(SIGKILL), "still here");
}

TEST(CrashPointTest, NamesAreUnique) {
  const std::set<std::string> unique(CrashPointNames().begin(), CrashPointNames().end());
  EXPECT_EQ(unique.size(), CrashPointNames().size());
}

}  // namespace
}  // namespace tarn
