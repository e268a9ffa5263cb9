#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <set>
#include <thread>
#include <vector>

#include "tarn/base/runtime.h"

namespace tarn {
namespace {

TEST(ThreadPoolTest, CallsEveryIndexOnce) {
  for (const int threads : {1, 2, 5}) {
    const std::unique_ptr<Executor> pool = MakeThreadPool(threads);
    EXPECT_EQ(pool->threads(), threads);
    for (const int64_t count : {0, 1, 2, 1000}) {
      std::vector<std::atomic<int>> calls(static_cast<size_t>(count));
      EXPECT_TRUE(pool->ParallelFor(count,
                                    [&](int64_t index) -> Status {
                                      ++calls[static_cast<size_t>(index)];
                                      return OkStatus();
                                    })
                      .ok());
      for (const auto& call : calls) EXPECT_EQ(call, 1);
    }
  }
}

TEST(ThreadPoolTest, UsesSeveralThreads) {
  const std::unique_ptr<Executor> pool = MakeThreadPool(2);
  std::mutex mutex;
  std::set<std::thread::id> ids;
  // Each of the two waits for the other: one thread alone would stay here until the time is over.
  ASSERT_TRUE(pool->ParallelFor(2,
                                [&](int64_t) -> Status {
                                  for (int tries = 0; tries < 5000; ++tries) {
                                    {
                                      const std::lock_guard lock(mutex);
                                      ids.insert(std::this_thread::get_id());
                                      if (ids.size() == 2) return OkStatus();
                                    }
                                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                                  }
                                  return OkStatus();
                                })
                  .ok());
  EXPECT_EQ(ids.size(), 2u);
}

TEST(ThreadPoolTest, GivesTheErrorOfTheLowestIndexAndStartsNoMore) {
  for (const int threads : {1, 4}) {
    const std::unique_ptr<Executor> pool = MakeThreadPool(threads);
    std::atomic<int64_t> started = 0;
    const Status status = pool->ParallelFor(1'000'000, [&](int64_t index) -> Status {
      ++started;
      if (index >= 10) return Invalid(std::to_string(index));
      return OkStatus();
    });
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().message, "10");
    EXPECT_LT(started, 1000);
  }
}

TEST(ThreadPoolTest, NestsWithoutDeadlock) {
  const std::unique_ptr<Executor> pool = MakeThreadPool(2);
  std::atomic<int> leaves = 0;
  const Status status = pool->ParallelFor(8, [&](int64_t) -> Status {
    return pool->ParallelFor(8, [&](int64_t) -> Status {
      return pool->ParallelFor(8, [&](int64_t) -> Status {
        ++leaves;
        return OkStatus();
      });
    });
  });
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(leaves, 512);
}

TEST(ThreadPoolTest, ServesManyCallersAtOnce) {
  const std::unique_ptr<Executor> pool = MakeThreadPool(3);
  std::atomic<int> calls = 0;
  std::vector<std::thread> callers;
  for (int c = 0; c < 6; ++c) {
    callers.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        (void)pool->ParallelFor(20, [&](int64_t) -> Status {
          ++calls;
          return OkStatus();
        });
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(calls, 6 * 50 * 20);
}

TEST(InlineExecutorTest, RunsInOrderOnTheCallersThread) {
  const std::unique_ptr<Executor> executor = MakeInlineExecutor();
  std::vector<int64_t> order;
  EXPECT_TRUE(executor
                  ->ParallelFor(5,
                                [&](int64_t index) -> Status {
                                  order.push_back(index);
                                  return OkStatus();
                                })
                  .ok());
  EXPECT_EQ(order, (std::vector<int64_t>{0, 1, 2, 3, 4}));
}

}  // namespace
}  // namespace tarn
