#include "tarn/engine/builtins.h"

#include <gtest/gtest.h>

#include "tests/support/fake_runtime.h"
#include "tests/support/matchers.h"

namespace tarn {
namespace {

TEST(Builtins, AreKnownByTheirOwnNames) {
  testing::FakeRuntime fake;
  const Builtins builtins = MakeBuiltins(fake.runtime);
  for (const std::string& name : builtins.table_formats.names()) {
    EXPECT_EQ(builtins.table_formats.Find(name).value()->name(), name);
  }
  EXPECT_OK(builtins.table_formats.Find("delta"));
  EXPECT_OK(builtins.file_formats.Find("parquet"));
  EXPECT_ERROR(builtins.table_formats.Find("delt"), ErrorCode::kInvalid);
}

}  // namespace
}  // namespace tarn
