#include "tarn/datafile/recycling_pool.h"

#include <gtest/gtest.h>

#include <arrow/memory_pool.h>
#include <arrow/status.h>

#include <cstring>
#include <random>
#include <vector>

#include "tarn/base/runtime.h"

namespace tarn {
namespace {

TEST(RecyclingPoolTest, GivesAFreedBlockOutAgain) {
  const auto pool = MakeRecyclingPool(1 << 20);
  uint8_t* first = nullptr;
  ASSERT_TRUE(pool->Allocate(100'000, &first).ok());
  EXPECT_EQ(pool->bytes_allocated(), 100'000);
  pool->Free(first, 100'000);
  EXPECT_EQ(pool->bytes_allocated(), 0);
  uint8_t* second = nullptr;
  ASSERT_TRUE(pool->Allocate(99'000, &second).ok());
  EXPECT_EQ(second, first);
  pool->Free(second, 99'000);
}

TEST(RecyclingPoolTest, KeepsNoMoreThanItMay) {
  const auto pool = MakeRecyclingPool(0);
  uint8_t* block = nullptr;
  ASSERT_TRUE(pool->Allocate(100'000, &block).ok());
  pool->Free(block, 100'000);  // the sanitizers see a block that is not returned
}

TEST(RecyclingPoolTest, GrowsAndShrinksWithItsBytes) {
  const auto pool = MakeRecyclingPool(1 << 24);
  std::mt19937 random(7);
  uint8_t* block = nullptr;
  int64_t size = 1;
  ASSERT_TRUE(pool->Allocate(size, &block).ok());
  block[0] = 42;
  for (int i = 0; i < 2'000; ++i) {
    const int64_t next = 1 + static_cast<int64_t>(random() % 70'000);
    ASSERT_TRUE(pool->Reallocate(size, next, &block).ok());
    ASSERT_EQ(reinterpret_cast<uintptr_t>(block) % 64, 0U);
    ASSERT_EQ(block[0], 42);
    ASSERT_EQ(pool->bytes_allocated(), next);
    std::memset(block + 1, i & 0xFF, static_cast<size_t>(next - 1));  // all of it is ours
    size = next;
  }
  pool->Free(block, size);
}

TEST(RecyclingPoolTest, EverySizeFitsItsBlock) {
  const auto pool = MakeRecyclingPool(1 << 24);
  for (int64_t size = 4'000; size < 20'000; ++size) {
    uint8_t* block = nullptr;
    ASSERT_TRUE(pool->Allocate(size, &block).ok());
    block[size - 1] = 1;
    pool->Free(block, size);
  }
}

TEST(RecyclingPoolTest, ManyThreads) {
  const auto pool = MakeRecyclingPool(1 << 22);
  const auto threads = MakeThreadPool(4);
  EXPECT_TRUE(threads
                  ->ParallelFor(64,
                                [&](int64_t i) -> Status {
                                  std::vector<uint8_t*> blocks(20);
                                  for (int round = 0; round < 20; ++round) {
                                    for (auto& block : blocks) {
                                      if (!pool->Allocate(5'000 * (1 + i % 9), &block).ok()) {
                                        return Internal("allocate");
                                      }
                                      *block = 1;
                                    }
                                    for (auto* block : blocks)
                                      pool->Free(block, 5'000 * (1 + i % 9));
                                  }
                                  return OkStatus();
                                })
                  .ok());
  EXPECT_EQ(pool->bytes_allocated(), 0);
}

}  // namespace
}  // namespace tarn
