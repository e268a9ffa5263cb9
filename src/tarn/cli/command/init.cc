#include "tarn/cli/command/commands.h"

namespace tarn::cli {

Status RunInit(CommandContext& context, const std::string& folder, const LakeSettings& settings) {
  const bool told =
      !settings.catalog_name.empty() || !settings.catalog_uri.empty() || settings.warehouse;
  Status made = Engine::InitLake(context.runtime(), folder);
  const bool stood = !made.ok() && made.error().code == ErrorCode::kAlreadyExists;
  if (!made.ok() && !(stood && told)) return made;
  if (told) TARN_RETURN_IF_ERROR(Engine::SetLake(folder, settings));
  if (stood) {
    context.console().Info("changed the settings of the lake at " + folder);
    return OkStatus();
  }
  context.console().Info("made a lake at " + folder +
                         "; load files with `tarn ingest FILE… --lake " + folder + " --into NAME`");
  return OkStatus();
}

}  // namespace tarn::cli
