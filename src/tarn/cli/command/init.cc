#include "tarn/cli/command/commands.h"

namespace tarn::cli {

Status RunInit(CommandContext& context, const std::string& folder,
               const std::string& catalog_name) {
  const Status made = Engine::InitLake(context.runtime(), folder);
  const bool stood = !made.ok() && made.error().code == ErrorCode::kAlreadyExists;
  if (!made.ok() && (!stood || catalog_name.empty())) return made;
  if (!catalog_name.empty()) {
    TARN_RETURN_IF_ERROR(Engine::SetIcebergCatalogName(folder, catalog_name));
  }
  if (stood) {
    context.console().Info("Iceberg tables of " + folder + " are those of the catalog '" +
                           catalog_name + "' now");
    return OkStatus();
  }
  context.console().Info("made a lake at " + folder +
                         "; load files with `tarn ingest FILE… --lake " + folder + " --into NAME`");
  return OkStatus();
}

}  // namespace tarn::cli
