#include <nlohmann/json.hpp>

#include <utility>

#include "tarn/cli/command/commands.h"
#include "tarn/cli/print/json_report.h"
#include "tarn/cli/print/text_table.h"

namespace tarn::cli {

Status RunLs(CommandContext& context, const std::optional<std::string>& within, Output output) {
  TARN_ASSIGN_OR_RETURN(Engine* const engine, context.OpenEngine());
  TARN_ASSIGN_OR_RETURN(const std::vector<std::string> names, engine->resolver().List(within));
  TARN_ASSIGN_OR_RETURN(const std::vector<std::string> namespaces,
                        engine->resolver().ListNamespaces());
  std::vector<std::vector<std::string>> rows;
  nlohmann::ordered_json tables = nlohmann::ordered_json::array();
  for (const std::string& name : names) {
    const auto table = engine->OpenTable(name);
    // A broken table is listed as well, so that it can be looked at or dropped.
    std::string format = table.ok() ? std::string((*table)->format->name()) : "?";
    std::string location = table.ok() ? "/" + (*table)->home.root.str() : table.error().message;
    tables.push_back({{"name", name}, {"format", format}, {"location", location}});
    rows.push_back({name, std::move(format), std::move(location)});
  }
  if (output == Output::kJson) {
    return context.console().out(JsonText(
        {{"lake", engine->lake_folder()}, {"namespaces", namespaces}, {"tables", tables}}));
  }
  if (rows.empty()) {
    context.console().Info("no tables yet; `tarn ingest FILE… --into NAME` makes one");
    return OkStatus();
  }
  return context.console().out(PlainTable({{"table"}, {"format"}, {"location"}}, rows));
}

}  // namespace tarn::cli
