#include <gtest/gtest.h>

#include <array>

#include "tarn/base/runtime.h"

namespace tarn {
namespace {

TEST(SeededRandomTest, SameSeedSameNumbers) {
  const std::unique_ptr<Random> a = MakeSeededRandom(42);
  const std::unique_ptr<Random> b = MakeSeededRandom(42);
  const std::unique_ptr<Random> c = MakeSeededRandom(43);
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const uint64_t value = a->Next();
    EXPECT_EQ(value, b->Next());
    differs |= value != c->Next();
  }
  EXPECT_TRUE(differs);
}

TEST(SeededRandomTest, SpreadsEvenly) {
  const std::unique_ptr<Random> random = MakeSeededRandom(1);
  std::array<int, 10> counts{};
  for (int i = 0; i < 100'000; ++i) ++counts[random->Below(10)];
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 500);
}

}  // namespace
}  // namespace tarn
