#include <nlohmann/json.hpp>

#include "tarn/base/version.h"
#include "tarn/cli/command/commands.h"
#include "tarn/cli/print/json_report.h"

namespace tarn::cli {

Status RunVersion(CommandContext& context, Output output) {
  if (output == Output::kJson)
    return context.console().out(JsonText({{"version", std::string(kTarnVersion)}}));
  return context.console().out("tarn " + std::string(kTarnVersion) + "\n");
}

}  // namespace tarn::cli
