#include "tarn/base/recently_used.h"

#include <gtest/gtest.h>

namespace tarn {
namespace {

TEST(RecentlyUsed, ForgetsTheOneNotAskedForLongest) {
  RecentlyUsed<int> kept(2);
  kept.Keep("a", 1);
  kept.Keep("b", 2);
  EXPECT_EQ(kept.Find("a"), 1);
  kept.Keep("c", 3);
  EXPECT_EQ(kept.Find("b"), std::nullopt);
  EXPECT_EQ(kept.Find("a"), 1);
  EXPECT_EQ(kept.Find("c"), 3);
}

TEST(RecentlyUsed, AKeyHasOneValue) {
  RecentlyUsed<int> kept(2);
  kept.Keep("a", 1);
  kept.Keep("b", 2);
  kept.Keep("a", 3);
  EXPECT_EQ(kept.Find("a"), 3);
  EXPECT_EQ(kept.Find("b"), 2) << "kept twice, the same key would take its place";
}

}  // namespace
}  // namespace tarn
