#include "tarn/format/delta/seen_files.h"

#include <gtest/gtest.h>

#include <string>

namespace tarn::delta {
namespace {

TEST(KeySet, HoldsManyKeys) {
  KeySet set;
  for (int i = 0; i < 10'000; ++i) EXPECT_TRUE(set.Insert("key-" + std::to_string(i)));
  for (int i = 0; i < 10'000; ++i) EXPECT_FALSE(set.Insert("key-" + std::to_string(i)));
  EXPECT_TRUE(set.Contains("key-9999"));
  EXPECT_FALSE(set.Contains("key-10000"));
  EXPECT_FALSE(set.Contains(""));
  EXPECT_TRUE(set.Insert(""));
  EXPECT_TRUE(set.Contains(""));
  EXPECT_EQ(set.size(), 10'001);
}

TEST(SeenFiles, NewestActionWins) {
  SeenFiles seen;
  seen.ClaimRemove("a", "");  // newest
  EXPECT_FALSE(seen.ClaimAdd("a", ""));
  EXPECT_TRUE(seen.ClaimAdd("b", ""));
  EXPECT_FALSE(seen.ClaimAdd("b", "")) << "added again later, with better statistics say";
  EXPECT_TRUE(seen.IsDead("a", ""));
  EXPECT_FALSE(seen.IsDead("c", ""));
}

TEST(SeenFiles, ADeletionVectorMakesAnotherLogicalFile) {
  SeenFiles seen;
  EXPECT_TRUE(seen.ClaimAdd("a", "u2"));  // v2: add with vector 2, remove with vector 1
  seen.ClaimRemove("a", "u1");
  EXPECT_FALSE(seen.ClaimAdd("a", "u1"));
  EXPECT_TRUE(seen.IsDead("a", "")) << "a path is in a table at most once";

  SeenFiles restored;  // a vector taken away again
  EXPECT_TRUE(restored.ClaimAdd("a", ""));
  restored.ClaimRemove("a", "u1");
  EXPECT_FALSE(restored.ClaimAdd("a", "u1"));
}

TEST(SeenFiles, ARemoveOfAnotherVectorDoesNotKill) {
  SeenFiles seen;
  seen.ClaimRemove("a", "u1");
  EXPECT_TRUE(seen.ClaimAdd("a", ""));
}

}  // namespace
}  // namespace tarn::delta
