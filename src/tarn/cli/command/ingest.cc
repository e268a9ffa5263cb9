#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include <utility>

#include "tarn/base/counted.h"
#include "tarn/base/text.h"
#include "tarn/cli/command/commands.h"
#include "tarn/cli/command/ingest_pipeline.h"
#include "tarn/cli/print/json_report.h"
#include "tarn/cli/progress.h"

namespace tarn::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr int64_t kFollowEveryMs = 1000;

std::string SummaryText(const IngestSummary& summary, const std::string& into) {
  std::string text = fmt::format("{}: {} loaded", into, Counted(summary.files_loaded, "file"));
  if (summary.files_skipped > 0) {
    text += fmt::format(" ({} known already)", HumanCount(summary.files_skipped));
  }
  text += ", " + Counted(summary.rows, "row");
  if (summary.rows > 0) {
    const double seconds = std::max<double>(static_cast<double>(summary.elapsed_ms), 1) / 1000;
    text += fmt::format(
        " from {} in {} ({}/s)", HumanBytes(summary.bytes_read), DurationToText(summary.elapsed_ms),
        HumanBytes(static_cast<int64_t>(static_cast<double>(summary.bytes_read) / seconds)));
  }
  text += summary.version.empty() ? "; nothing to commit" : "; version " + summary.version;
  if (!summary.columns_added.empty())
    text += "; columns added: " + Join(summary.columns_added, ", ");
  return text + "\n";
}

Status PrintSummary(CommandContext& context, const IngestSummary& summary, const Pipeline& pipeline,
                    Output output) {
  for (const std::string& warning : summary.warnings) context.console().Warning(warning);
  if (output == Output::kText) return context.console().out(SummaryText(summary, pipeline.into));
  return context.console().out(
      JsonText({{"table", pipeline.into},
                {"version", summary.version.empty() ? Json(nullptr) : VersionJson(summary.version)},
                {"files_loaded", summary.files_loaded},
                {"files_skipped", summary.files_skipped},
                {"rows", summary.rows},
                {"bytes_read", summary.bytes_read},
                {"elapsed_ms", summary.elapsed_ms},
                {"columns_added", summary.columns_added},
                {"warnings", summary.warnings}}));
}

Status PrintPlan(CommandContext& context, const Pipeline& pipeline, Output output) {
  TARN_ASSIGN_OR_RETURN(Engine* const engine, context.OpenEngine());
  TARN_ASSIGN_OR_RETURN(const IngestPlan plan, engine->Plan(pipeline));
  if (output == Output::kJson) {
    Json columns = Json::array();
    for (const Field& field : plan.schema.fields) {
      columns.push_back(
          {{"name", field.name}, {"type", TypeToText(field.type)}, {"required", field.required}});
    }
    return context.console().out(JsonText({{"table", pipeline.into},
                                           {"files", plan.files},
                                           {"files_known", plan.files_known},
                                           {"columns", columns},
                                           {"partition_by", plan.partition_by},
                                           {"changes", plan.changes}}));
  }
  std::string text = fmt::format("{}: {} {} to load", pipeline.into, plan.files.size(),
                                 plan.files.size() == 1 ? "file" : "files");
  if (plan.files_known > 0) text += fmt::format(" ({} known already)", plan.files_known);
  text += "\n";
  for (const std::string& file : plan.files) text += "  " + file + "\n";
  text += plan.changes.empty() ? "changes to the table: none\n" : "changes to the table:\n";
  for (const std::string& change : plan.changes) text += "  " + change + "\n";
  text += "columns:\n";
  for (const Field& field : plan.schema.fields) {
    text += "  " + field.name + "  " + TypeToText(field.type) +
            (field.required ? " not null" : "") + "\n";
  }
  if (!plan.partition_by.empty()) text += "partitioned by: " + Join(plan.partition_by, ", ") + "\n";
  return context.console().out(text);
}

Result<IngestSummary> LoadOnce(CommandContext& context, Engine& engine, const Pipeline& pipeline) {
  ProgressLine line(context.console());
  return engine.Ingest(pipeline, [&](const IngestProgress& progress) { line.Show(progress); });
}

}  // namespace

Status RunIngestCommand(CommandContext& context, const IngestArguments& arguments) {
  TARN_ASSIGN_OR_RETURN(const Pipeline pipeline, MakePipeline(arguments));
  if (arguments.what == IngestArguments::Do::kPlan)
    return PrintPlan(context, pipeline, arguments.output);
  TARN_ASSIGN_OR_RETURN(Engine* const engine, context.OpenEngine());
  if (arguments.what == IngestArguments::Do::kOnce) {
    TARN_ASSIGN_OR_RETURN(const IngestSummary summary, LoadOnce(context, *engine, pipeline));
    return PrintSummary(context, summary, pipeline, arguments.output);
  }
  // New files are what the table does not know yet, so looking again is all there is to following.
  while (true) {
    TARN_ASSIGN_OR_RETURN(const IngestSummary summary, LoadOnce(context, *engine, pipeline));
    if (!summary.version.empty()) {
      TARN_RETURN_IF_ERROR(PrintSummary(context, summary, pipeline, arguments.output));
    }
    context.runtime().clock.SleepMillis(kFollowEveryMs);
    TARN_RETURN_IF_ERROR(context.runtime().cancellation.Check());
  }
}

}  // namespace tarn::cli
