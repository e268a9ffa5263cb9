#include "tarn/cli/command/commands.h"

namespace tarn::cli {

Status RunInit(CommandContext& context, const std::string& folder) {
  TARN_RETURN_IF_ERROR(Engine::InitLake(context.runtime(), folder));
  context.console().Info("made a lake at " + folder +
                         "; load files with `tarn ingest FILE… --lake " + folder + " --into NAME`");
  return OkStatus();
}

}  // namespace tarn::cli
