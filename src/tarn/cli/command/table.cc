#include <nlohmann/json.hpp>

#include <map>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "tarn/base/counted.h"
#include "tarn/cli/command/commands.h"
#include "tarn/cli/print/json_report.h"
#include "tarn/cli/print/table_json.h"
#include "tarn/cli/print/table_text.h"
#include "tarn/engine/table_diff.h"
#include "tarn/engine/table_facts.h"
#include "tarn/engine/table_procedure.h"
#include "tarn/engine/table_restore.h"

namespace tarn::cli {
namespace {

Result<std::shared_ptr<Table>> OpenTable(CommandContext& context, const TableArguments& arguments) {
  TARN_ASSIGN_OR_RETURN(Engine* const engine, context.OpenEngine());
  return engine->OpenTable(arguments.table);
}

AsOf AsOfVersion(const std::string& version) {
  if (version.empty()) return Newest{};
  return AtVersion{version};
}

Result<TableFacts> Facts(CommandContext& context, const TableArguments& arguments,
                         FileBounds bounds) {
  TARN_ASSIGN_OR_RETURN(const std::shared_ptr<Table> table, OpenTable(context, arguments));
  return ReadTableFacts(*table, AsOfVersion(arguments.version), bounds);
}

Status RunProcedure(CommandContext& context, const TableArguments& arguments,
                    const std::string& procedure,
                    const std::map<std::string, std::string>& more = {}) {
  TARN_ASSIGN_OR_RETURN(Engine* const engine, context.OpenEngine());
  TARN_ASSIGN_OR_RETURN(const std::string sql,
                        ProcedureSql(*engine, arguments.table, procedure, more));
  TARN_ASSIGN_OR_RETURN(const std::unique_ptr<QuerySession> session, engine->OpenSession());
  ResultOptions options;
  if (arguments.output == Output::kJson) options.format = ResultFormat::kJson;
  options.width_max = context.console().width;
  return RunStatements(context, *session, sql, options);
}

}  // namespace

Status RunTableShow(CommandContext& context, const TableArguments& arguments) {
  TARN_ASSIGN_OR_RETURN(const TableFacts facts, Facts(context, arguments, FileBounds::kNo));
  return context.console().out(arguments.output == Output::kJson ? JsonText(TableFactsJson(facts))
                                                                 : TableFactsText(facts));
}

Status RunTableHistory(CommandContext& context, const TableArguments& arguments) {
  TARN_ASSIGN_OR_RETURN(const std::shared_ptr<Table> table, OpenTable(context, arguments));
  TARN_ASSIGN_OR_RETURN(const std::vector<Commit> commits, ReadHistory(*table, arguments.limit));
  const WithLineage lineage = arguments.lineage ? WithLineage::kYes : WithLineage::kNo;
  return context.console().out(arguments.output == Output::kJson
                                   ? JsonText(HistoryJson(table->name, commits, lineage))
                                   : HistoryText(commits, lineage));
}

Status RunTableFiles(CommandContext& context, const TableArguments& arguments) {
  const bool json = arguments.output == Output::kJson;
  TARN_ASSIGN_OR_RETURN(const TableFacts facts,
                        Facts(context, arguments, json ? FileBounds::kYes : FileBounds::kNo));
  return context.console().out(json ? JsonText(FilesJson(facts)) : FilesText(facts));
}

Status RunTableSchema(CommandContext& context, const TableArguments& arguments) {
  TARN_ASSIGN_OR_RETURN(const std::shared_ptr<Table> table, OpenTable(context, arguments));
  TableFacts facts;
  facts.name = table->name;
  TARN_ASSIGN_OR_RETURN(facts.snapshot, table->Load(AsOfVersion(arguments.version)));
  return context.console().out(arguments.output == Output::kJson
                                   ? JsonText(SchemaJson(facts))
                                   : SchemaText(facts.snapshot.metadata.schema));
}

Status RunTableDiff(CommandContext& context, const TableArguments& arguments) {
  TARN_ASSIGN_OR_RETURN(const std::shared_ptr<Table> table, OpenTable(context, arguments));
  TARN_ASSIGN_OR_RETURN(const TableFacts from,
                        ReadTableFacts(*table, AtVersion{arguments.from}, FileBounds::kNo));
  TARN_ASSIGN_OR_RETURN(const TableFacts to,
                        ReadTableFacts(*table, AtVersion{arguments.to}, FileBounds::kNo));
  const TableDiff diff = DiffTables(from, to);
  return context.console().out(
      arguments.output == Output::kJson ? JsonText(DiffJson(table->name, diff)) : DiffText(diff));
}

Status RunTableCheckpoint(CommandContext& context, const TableArguments& arguments) {
  TARN_ASSIGN_OR_RETURN(const std::shared_ptr<Table> table, OpenTable(context, arguments));
  TARN_ASSIGN_OR_RETURN(const Version version, CheckpointTable(*table));
  if (arguments.output == Output::kJson) {
    return context.console().out(
        JsonText({{"table", table->name}, {"version", VersionJson(version.text)}}));
  }
  return context.console().out("checkpoint of version " + version.text + "\n");
}

Status RunTableRestore(CommandContext& context, const TableArguments& arguments) {
  TARN_ASSIGN_OR_RETURN(const std::shared_ptr<Table> table, OpenTable(context, arguments));
  TARN_ASSIGN_OR_RETURN(const RestoreSummary summary,
                        RestoreTable(context.runtime(), *table, arguments.to));
  if (arguments.output == Output::kJson) {
    return context.console().out(JsonText({{"table", table->name},
                                           {"restored", VersionJson(arguments.to)},
                                           {"version", VersionJson(summary.version.text)},
                                           {"files_added", summary.files_added},
                                           {"files_removed", summary.files_removed}}));
  }
  return context.console().out(
      fmt::format("restored version {} as version {}: {} came back, {} left\n", arguments.to,
                  summary.version.text, Counted(summary.files_added, "file"),
                  Counted(summary.files_removed, "file")));
}

Status RunTableVacuum(CommandContext& context, const TableArguments& arguments) {
  std::map<std::string, std::string> more = {{"dry_run", arguments.apply ? "false" : "true"}};
  if (!arguments.older_than.empty()) more.emplace("older_than", arguments.older_than);
  TARN_RETURN_IF_ERROR(RunProcedure(context, arguments, "remove_orphan_files", more));
  if (!arguments.apply) context.console().Info("nothing was removed; --apply removes them");
  return OkStatus();
}

Status RunTableOptimize(CommandContext& context, const TableArguments& arguments) {
  return RunProcedure(context, arguments, "rewrite_data_files");
}

}  // namespace tarn::cli
