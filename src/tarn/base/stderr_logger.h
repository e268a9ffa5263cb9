#pragma once

#include <memory>

#include "tarn/base/runtime.h"

namespace tarn {

// Lines on standard error, of `level` and above. kText: "12:00:01 warning  message"; kJson: one
// object per line with "time" (UTC), "level", "message". Nothing is buffered.
std::unique_ptr<Logger> MakeStderrLogger(LogLevel level, RuntimeOptions::LogFormat format);

// `message` as the inside of a JSON string: quotes, backslashes and control characters escaped,
// bytes that are no UTF-8 replaced by U+FFFD.
std::string EscapeJson(std::string_view message);

}  // namespace tarn
