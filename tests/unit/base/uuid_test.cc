#include "tarn/base/uuid.h"

#include <gtest/gtest.h>

#include <set>

namespace tarn {
namespace {

TEST(UuidTest, IsVersion4AndOfItsOwn) {
  const std::unique_ptr<Random> random = MakeSeededRandom(7);
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::string uuid = NewUuid(*random);
    ASSERT_EQ(uuid.size(), 36u);
    for (const size_t dash : {8u, 13u, 18u, 23u}) EXPECT_EQ(uuid[dash], '-');
    EXPECT_EQ(uuid[14], '4');
    EXPECT_NE(std::string_view("89ab").find(uuid[19]), std::string_view::npos);
    EXPECT_TRUE(seen.insert(uuid).second);
  }
}

TEST(UuidTest, FollowsTheSeed) {
  EXPECT_EQ(NewUuid(*MakeSeededRandom(3)), NewUuid(*MakeSeededRandom(3)));
  EXPECT_NE(NewUuid(*MakeSeededRandom(3)), NewUuid(*MakeSeededRandom(4)));
}

}  // namespace
}  // namespace tarn
