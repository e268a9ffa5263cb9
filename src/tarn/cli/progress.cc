#include "tarn/cli/progress.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "tarn/base/text.h"
#include "tarn/cli/print/display_width.h"

namespace tarn::cli {
namespace {

constexpr int64_t kPlainEveryMs = 5000;

std::string Bar(double done, size_t width) {
  static constexpr std::array<const char*, 8> kEighths = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto eighths =
      static_cast<size_t>(std::clamp(done, 0.0, 1.0) * static_cast<double>(width) * 8);
  std::string bar;
  for (size_t i = 0; i < eighths / 8; ++i) bar += "█";
  size_t used = eighths / 8;
  if (eighths % 8 != 0) {
    bar += kEighths[eighths % 8];
    ++used;
  }
  return bar + std::string(width - used, ' ');
}

}  // namespace

std::string DurationToText(int64_t millis) {
  const int64_t seconds = millis / 1000;
  if (seconds >= 3600) return fmt::format("{} h {:02} m", seconds / 3600, seconds / 60 % 60);
  if (seconds >= 60) return fmt::format("{} m {:02} s", seconds / 60, seconds % 60);
  if (seconds >= 10) return fmt::format("{} s", seconds);
  return fmt::format("{:.1f} s", static_cast<double>(millis) / 1000);
}

std::string ProgressText(const IngestProgress& progress, size_t bar_width) {
  const double seconds = std::max<double>(static_cast<double>(progress.elapsed_ms), 1) / 1000;
  const auto rate = [&](int64_t amount) {
    return static_cast<int64_t>(static_cast<double>(amount) / seconds);
  };
  std::string text;
  const bool known = progress.bytes_total > 0;
  const double done =
      known ? static_cast<double>(progress.bytes_read) / static_cast<double>(progress.bytes_total)
            : 0;
  if (known) {
    if (bar_width > 0) text += Bar(done, bar_width) + " ";
    text += fmt::format("{:>3} %  ", static_cast<int>(std::min(done, 1.0) * 100));
  }
  text += fmt::format("{} rows ({}/s)  {}", HumanCount(progress.rows),
                      HumanCount(rate(progress.rows)), HumanBytes(progress.bytes_read));
  if (known) text += " of " + HumanBytes(progress.bytes_total);
  text += fmt::format(" ({}/s)", HumanBytes(rate(progress.bytes_read)));
  if (progress.files_total > 1) {
    text += fmt::format("  file {} of {}",
                        HumanCount(std::min(progress.files_done + 1, progress.files_total)),
                        HumanCount(progress.files_total));
  }
  if (known && done > 0.01 && done < 1 && progress.elapsed_ms > 500) {
    const auto left =
        static_cast<int64_t>(static_cast<double>(progress.elapsed_ms) * (1 - done) / done);
    text += "  " + DurationToText(left) + " left";
  }
  return text;
}

void ProgressLine::Show(const IngestProgress& progress) {
  if (console_.quiet) return;
  if (console_.err_is_terminal && !console_.json_messages) {
    constexpr size_t kBarWidth = 20;
    const size_t width = console_.width > 0 ? console_.width : 80;
    console_.err("\r\x1b[2K" + CutToWidth(ProgressText(progress, kBarWidth), width - 1));
    drawn_ = true;
    return;
  }
  if (progress.elapsed_ms - last_plain_ms_ < kPlainEveryMs) return;
  last_plain_ms_ = progress.elapsed_ms;
  console_.Info(ProgressText(progress, 0));
}

void ProgressLine::Clear() {
  if (drawn_) console_.err("\r\x1b[2K");
  drawn_ = false;
}

}  // namespace tarn::cli
