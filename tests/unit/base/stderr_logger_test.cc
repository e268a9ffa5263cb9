#include "tarn/base/stderr_logger.h"

#include <gtest/gtest.h>

namespace tarn {
namespace {

using LogFormat = RuntimeOptions::LogFormat;

TEST(StderrLoggerTest, KeepsToItsLevel) {
  const std::unique_ptr<Logger> log = MakeStderrLogger(LogLevel::kWarning, LogFormat::kText);
  ::testing::internal::CaptureStderr();
  log->Info("not shown");
  log->Warn("shown {} as it is");
  const std::string lines = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(lines.find("not shown"), std::string::npos);
  EXPECT_NE(lines.find("warning  shown {} as it is\n"), std::string::npos) << lines;
}

TEST(StderrLoggerTest, JsonIsOneObjectPerLine) {
  const std::unique_ptr<Logger> log = MakeStderrLogger(LogLevel::kInfo, LogFormat::kJson);
  ::testing::internal::CaptureStderr();
  log->Info("a \"quoted\"\nname");
  const std::string line = ::testing::internal::GetCapturedStderr();
  EXPECT_TRUE(line.starts_with("{\"time\":\"2")) << line;
  EXPECT_TRUE(line.ends_with("\"level\":\"info\",\"message\":\"a \\\"quoted\\\"\\nname\"}\n"))
      << line;
}

}  // namespace
}  // namespace tarn
