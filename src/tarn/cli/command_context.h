#pragma once

#include <memory>
#include <string>

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/cli/common_options.h"
#include "tarn/cli/console.h"
#include "tarn/engine/engine.h"

namespace tarn::cli {

// What a command is run with. Not thread-safe.
class CommandContext {
 public:
  // All outlive the context.
  CommandContext(Runtime& runtime, const Console& console, const CommonOptions& options)
      : runtime_(runtime), console_(console), options_(options) {}

  Runtime& runtime() const { return runtime_; }
  const Console& console() const { return console_; }
  const CommonOptions& options() const { return options_; }

  // The lake asked for, or found at or above the working folder; empty if there is none.
  std::string lake() const;

  // The engine over that lake, opened at the first call. `skipping` false: no file is pruned.
  // kNotFound: --lake names no lake.
  enum class Skipping : uint8_t { kOn, kOff };
  Result<Engine*> OpenEngine(Skipping skipping = Skipping::kOn);

 private:
  Runtime& runtime_;
  const Console& console_;
  const CommonOptions& options_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace tarn::cli
