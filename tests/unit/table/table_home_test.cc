#include "tarn/table/table_home.h"

#include <gtest/gtest.h>

#include "tarn/storage/local.h"
#include "tarn/storage/memory.h"
#include "tests/support/fake_disk.h"
#include "tests/support/fake_runtime.h"
#include "tests/support/matchers.h"
#include "tests/support/paths.h"

namespace tarn {
namespace {

using testing::P;

std::unique_ptr<Storage> StoreAt(const std::string& root) {
  return MakeLocalStorage(std::make_unique<testing::FakeDisk>(), root);
}

TEST(TableHomeTest, RelativeLocationsAreBelowTheRoot) {
  const auto machine = StoreAt("/");
  const TableHome home{P("data/t"), *machine};
  EXPECT_EQ(home.Resolve("a=1/x.parquet")->str(), "data/t/a=1/x.parquet");
  EXPECT_EQ(home.Resolve("a=1:2/x%20y")->str(), "data/t/a=1:2/x%20y");
  EXPECT_ERROR(home.Resolve("../other/x"), ErrorCode::kInvalid);
}

TEST(TableHomeTest, AbsoluteLocationsOnTheMachine) {
  const auto machine = StoreAt("/");
  const TableHome home{P("data/t"), *machine};
  for (const char* const location :
       {"/data/t/x", "file:/data/t/x", "file:///data/t/x", "file://localhost/data/t/x"}) {
    EXPECT_EQ(home.Resolve(location)->str(), "data/t/x") << location;
  }
  EXPECT_EQ(home.Resolve("/elsewhere/y")->str(), "elsewhere/y");
  EXPECT_ERROR(home.Resolve("s3://bucket/x"), ErrorCode::kInvalid);
  EXPECT_ERROR(home.Resolve("/data/../x"), ErrorCode::kInvalid);
}

TEST(TableHomeTest, AbsoluteLocationsMayNotLeaveTheStore) {
  const auto store = StoreAt("/data/lake");
  const TableHome home{P("t"), *store};
  EXPECT_EQ(home.Resolve("/data/lake/t/x")->str(), "t/x");
  EXPECT_EQ(home.Resolve("file:///data/lake/u/x")->str(), "u/x");
  EXPECT_ERROR(home.Resolve("/data/lakeside/x"), ErrorCode::kInvalid);
  EXPECT_ERROR(home.Resolve("/etc/passwd"), ErrorCode::kInvalid);
}

TEST(TableHomeTest, MemoryStoresBeginAtTheirRoot) {
  testing::FakeRuntime fakes;
  const auto store = MakeMemoryStorage(fakes.clock, *fakes.random);
  const TableHome home{P("t"), *store};
  EXPECT_EQ(home.Resolve("x")->str(), "t/x");
  EXPECT_EQ(home.Resolve("/u/x")->str(), "u/x");
  EXPECT_EQ(home.Resolve("memory:/u/x")->str(), "u/x");
  EXPECT_ERROR(home.Resolve("s3://b/x"), ErrorCode::kInvalid);
}

TEST(TableHomeTest, RelocationsTakeTheLongestAndWholeSegments) {
  const auto store = StoreAt("/data/lake");
  TableHome home{P("t"), *store};
  home.relocations = {{"s3://bucket/wh/t", "/data/lake/t"},
                      {"s3://bucket/wh", "/data/lake"},
                      {"file:///old/", "file:///data/lake/"}};
  EXPECT_EQ(home.Resolve("s3://bucket/wh/t/x")->str(), "t/x");
  EXPECT_EQ(home.Resolve("s3://bucket/wh/u/x")->str(), "u/x");
  EXPECT_EQ(home.Resolve("/old/t/x")->str(), "t/x");
  EXPECT_ERROR(home.Resolve("s3://bucket/whale/x"), ErrorCode::kInvalid);
}

TEST(TableHomeTest, SpellIsUndoneByObjectOf) {
  const auto machine = StoreAt("/");
  const TableHome home{P("data/t"), *machine};
  EXPECT_EQ(home.Spell(P("data/t/a/x")), "a/x");
  EXPECT_EQ(home.Spell(P("data/t2/x")), "/data/t2/x");
  for (const char* const object : {"data/t/a/x", "data/t2/x", "x"}) {
    EXPECT_EQ(home.ObjectOf(home.Spell(P(object)))->str(), object);
  }
  EXPECT_ERROR(home.ObjectOf("../x"), ErrorCode::kInvalid);
}

}  // namespace
}  // namespace tarn
