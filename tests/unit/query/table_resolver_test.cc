#include "tests/unit/query/query_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tarn {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::QueryWorld;

TEST(TableReferenceTest, TextAsPeopleWriteIt) {
  EXPECT_EQ((TableReference{.parts = {"ns", "t"}}.ToText()), "ns.t");
  EXPECT_EQ((TableReference{.path = "a/b"}.ToText()), "'a/b'");
  EXPECT_EQ((TableReference{.path = "a/b", .format = "delta"}.ToText()), "delta.`a/b`");
}

}  // namespace
}  // namespace tarn
