#include "tarn/cli/progress.h"

#include <gtest/gtest.h>

#include "tests/unit/cli/test_console.h"

namespace tarn::cli {
namespace {

IngestProgress Half() {
  return {.files_done = 1,
          .files_total = 4,
          .rows = 2000,
          .bytes_read = 50'000'000,
          .bytes_total = 100'000'000,
          .elapsed_ms = 2000};
}

TEST(Progress, SaysRatesAndTimeLeft) {
  const std::string text = ProgressText(Half(), 4);
  EXPECT_TRUE(text.starts_with("██    50 %  2,000 rows (1,000/s)")) << text;
  EXPECT_NE(text.find("file 2 of 4"), std::string::npos) << text;
  EXPECT_NE(text.find("2.0 s left"), std::string::npos) << text;
  IngestProgress unknown = Half();
  unknown.bytes_total = 0;
  EXPECT_EQ(ProgressText(unknown, 4).find('%'), std::string::npos);
}

TEST(Progress, Durations) {
  EXPECT_EQ(DurationToText(400), "0.4 s");
  EXPECT_EQ(DurationToText(12'300), "12 s");
  EXPECT_EQ(DurationToText(200'000), "3 m 20 s");
  EXPECT_EQ(DurationToText(3'720'000), "1 h 02 m");
}

TEST(Progress, RedrawsOnATerminalOnly) {
  testing::TestConsole test;
  {
    ProgressLine line(test.console);
    line.Show(Half());
    EXPECT_EQ(test.err, "");  // too early for a plain line
    IngestProgress later = Half();
    later.elapsed_ms = 6000;
    line.Show(later);
    EXPECT_TRUE(test.err.ends_with("\n"));
  }
  test.err.clear();
  test.console.err_is_terminal = true;
  {
    ProgressLine line(test.console);
    line.Show(Half());
    EXPECT_TRUE(test.err.starts_with("\r"));
  }
  EXPECT_TRUE(test.err.ends_with("\r\x1b[2K"));
  test.err.clear();
  test.console.quiet = true;
  ProgressLine(test.console).Show(Half());
  EXPECT_EQ(test.err, "");
}

}  // namespace
}  // namespace tarn::cli
