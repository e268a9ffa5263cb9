#include "tarn/cli/command_context.h"

#include <gtest/gtest.h>

#include "tests/support/fake_runtime.h"
#include "tests/support/matchers.h"
#include "tests/unit/cli/cli_fixture.h"

namespace tarn::cli {
namespace {

using testing::RunTest;

TEST_F(RunTest, TheEngineIsOpenedOnceOverTheLakeAskedFor) {
  tarn::testing::FakeRuntime fake;
  testing::TestConsole test;
  CommonOptions options;
  options.lake = lake_;
  CommandContext context(fake.runtime, test.console, options);
  EXPECT_EQ(context.lake(), lake_);
  ASSERT_OK_AND_ASSIGN(Engine* const engine, context.OpenEngine());
  ASSERT_OK_AND_ASSIGN(Engine* const again, context.OpenEngine());
  EXPECT_EQ(engine, again);
  EXPECT_TRUE(engine->lake_folder().ends_with("/lake"));
}

TEST_F(RunTest, ABadRelocationIsRefused) {
  tarn::testing::FakeRuntime fake;
  testing::TestConsole test;
  CommonOptions options;
  options.relocate = {"nothing"};
  CommandContext context(fake.runtime, test.console, options);
  EXPECT_ERROR(context.OpenEngine(), ErrorCode::kInvalid);
}

}  // namespace
}  // namespace tarn::cli
