#include "tarn/cli/exit_code.h"

#include <gtest/gtest.h>

namespace tarn::cli {
namespace {

TEST(ExitCode, IsWhatScriptsRelyOn) {
  EXPECT_EQ(ExitCodeFor(ErrorCode::kInvalid), 1);
  EXPECT_EQ(ExitCodeFor(ErrorCode::kNotFound), 1);
  EXPECT_EQ(ExitCodeFor(ErrorCode::kAlreadyExists), 1);
  EXPECT_EQ(ExitCodeFor(ErrorCode::kCorrupt), 1);
  EXPECT_EQ(ExitCodeFor(ErrorCode::kUnsupported), 1);
  EXPECT_EQ(ExitCodeFor(ErrorCode::kConflict), 3);
  EXPECT_EQ(ExitCodeFor(ErrorCode::kUnavailable), 4);
  EXPECT_EQ(ExitCodeFor(ErrorCode::kUnknownOutcome), 5);
  EXPECT_EQ(ExitCodeFor(ErrorCode::kInternal), 70);
  EXPECT_EQ(ExitCodeFor(ErrorCode::kCancelled), 130);
}

}  // namespace
}  // namespace tarn::cli
