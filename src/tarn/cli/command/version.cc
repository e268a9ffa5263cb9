#include <nlohmann/json.hpp>

#include "tarn/cli/command/commands.h"
#include "tarn/cli/print/json_report.h"

#ifndef TARN_VERSION
#define TARN_VERSION "0.1.0"
#endif

namespace tarn::cli {

Status RunVersion(CommandContext& context, Output output) {
  if (output == Output::kJson) return context.console().out(JsonText({{"version", TARN_VERSION}}));
  return context.console().out("tarn " TARN_VERSION "\n");
}

}  // namespace tarn::cli
