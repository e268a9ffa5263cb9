#include "tests/unit/cli/test_console.h"

#include <gtest/gtest.h>

namespace tarn::cli {
namespace {

TEST(Console, MessagesAreOneLine) {
  testing::TestConsole test;
  test.console.Error(Conflict("a\nb").WithContext("t"));
  test.console.Warning("careful");
  test.console.Info("made");
  EXPECT_EQ(test.err, "error: t: a\\nb\nwarning: careful\nmade\n");
  EXPECT_EQ(test.out, "");
}

TEST(Console, QuietKeepsWarningsAndErrors) {
  testing::TestConsole test;
  test.console.quiet = true;
  test.console.Info("made");
  test.console.Warning("careful");
  EXPECT_EQ(test.err, "warning: careful\n");
}

TEST(Console, MessagesAsJson) {
  testing::TestConsole test;
  test.console.json_messages = true;
  test.console.Error(NotFound("no \"t\""));
  EXPECT_EQ(test.err,
            "{\"level\":\"error\",\"code\":\"not found\",\"message\":\"no \\\"t\\\"\"}\n");
}

}  // namespace
}  // namespace tarn::cli
