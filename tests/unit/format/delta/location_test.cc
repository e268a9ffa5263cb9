#include "tarn/format/delta/location.h"

#include <gtest/gtest.h>

#include "tarn/storage/memory.h"
#include "tests/support/fake_runtime.h"
#include "tests/support/matchers.h"

namespace tarn::delta {
namespace {

TEST(Location, DecodesOnceAndEncodesBack) {
  EXPECT_EQ(DecodeLocation("a%20b/ts=10%253A00/x.parquet"), "a b/ts=10%3A00/x.parquet");
  EXPECT_EQ(EncodeLocation("a b/ts=10%3A00/x.parquet"), "a%20b/ts=10%253A00/x.parquet");
  for (const std::string name : {"ü/é", "a%b", "p=a:b/c", "#?&+", "plain-1_2.~x"}) {
    EXPECT_EQ(DecodeLocation(EncodeLocation(name)), name);
  }
  EXPECT_FALSE(IsAbsoluteLocation(EncodeLocation("a:b/c"))) << "a colon would make a scheme";
}

TEST(Location, TellsAbsoluteFromRelative) {
  EXPECT_TRUE(IsAbsoluteLocation("/a"));
  EXPECT_TRUE(IsAbsoluteLocation("file:/a"));
  EXPECT_TRUE(IsAbsoluteLocation("s3a://b/c"));
  EXPECT_FALSE(IsAbsoluteLocation("a/b:c"));
  EXPECT_FALSE(IsAbsoluteLocation("p=1:2/c"));
  EXPECT_FALSE(IsAbsoluteLocation(":a"));
}

TEST(Location, SpellsRelativeToTheRoot) {
  testing::FakeRuntime fake;
  const auto storage = MakeMemoryStorage(fake.clock, *fake.random);
  const TableHome home{*Path::Make("lake/t"), *storage};
  EXPECT_EQ(*SpellLocation(home, "p=1/a%20b"), "p=1/a b");
  EXPECT_EQ(*SpellLocation(home, "a%3Ab/x"), "a:b/x");
  EXPECT_EQ(*SpellLocation(home, storage->root_uri() + "/lake/t/p=1/x"), "p=1/x");
  EXPECT_ERROR(SpellLocation(home, "../other"), ErrorCode::kInvalid);
  EXPECT_ERROR(SpellLocation(home, "a/%2E%2E/b"), ErrorCode::kInvalid);
  EXPECT_ERROR(SpellLocation(home, "s3://elsewhere/x"), ErrorCode::kInvalid);
  EXPECT_ERROR(SpellLocation(home, ""), ErrorCode::kInvalid);
}

}  // namespace
}  // namespace tarn::delta
