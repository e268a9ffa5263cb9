#pragma once

#include <memory>

#include "tarn/base/runtime.h"

namespace tarn {

// Lines on standard error, of `level` and above. kText: "12:00:01 warning  message"; kJson: one
// object per line with "time" (UTC), "level", "message". Nothing is buffered.
std::unique_ptr<Logger> MakeStderrLogger(LogLevel level, RuntimeOptions::LogFormat format);

}  // namespace tarn
