#include "tarn/base/runtime.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace tarn {
namespace {

TEST(MetricsTest, AddsUpFromManyThreads) {
  Metrics metrics;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) metrics.Add("a.b", 2);
    });
  }
  for (std::thread& thread : threads) thread.join();
  metrics.Add("c", -1);
  EXPECT_EQ(metrics.Snapshot().at("a.b"), 8000);
  EXPECT_EQ(metrics.Snapshot().at("c"), -1);
}

TEST(MemoryBudgetTest, NeverPassesTheLimitByTrying) {
  MemoryBudget budget(1000);
  std::atomic<int> granted = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) granted += budget.TryReserve(10) ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(granted, 100);
  EXPECT_EQ(budget.used_bytes(), 1000);
  EXPECT_FALSE(budget.TryReserve(1));
  budget.Reserve(50);
  EXPECT_EQ(budget.used_bytes(), 1050);
  budget.Release(100);
  EXPECT_TRUE(budget.TryReserve(50));
}

TEST(CancellationTest, ChecksAsCancelledOnceSet) {
  Cancellation cancellation;
  EXPECT_TRUE(cancellation.Check().ok());
  cancellation.Cancel();
  ASSERT_FALSE(cancellation.Check().ok());
  EXPECT_EQ(cancellation.Check().error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace tarn
