#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/cli/command_context.h"
#include "tarn/cli/print/result_writer.h"

namespace tarn::cli {

// One function per command. Results go to the console's `out`, everything else to its messages.
// Each returns what prevented it; the caller prints that and exits by its code.

enum class Output : uint8_t { kText, kJson };

// With settings the folder may be a lake already.
Status RunInit(CommandContext& context, const std::string& folder, const LakeSettings& settings);
Status RunLs(CommandContext& context, const std::optional<std::string>& within, Output output);

struct SqlArguments {
  std::vector<std::string> sql = {};  // one text; empty: standard input, or the shell on a terminal
  std::string format = {};            // empty: table
  CommandContext::Skipping skipping = CommandContext::Skipping::kOn;
  std::string dialect = "generic";  // of `sql fmt` and `sql parse`
  bool tree = false;                // of `sql parse`
};
// `tarn sql fmt FILE` and `tarn sql parse FILE`: the text laid out anew, or its tree, or only
// whether it can be read. kInvalid if a statement cannot be read, after everything else was
// written.
Status RunSqlText(CommandContext& context, const SqlArguments& arguments);
Status RunSql(CommandContext& context, const SqlArguments& arguments);
// Runs `sql` in `session` and writes what it gives.
Status RunStatements(CommandContext& context, QuerySession& session, const std::string& sql,
                     const ResultOptions& options);

struct IngestArguments {
  std::vector<std::string> files = {};  // files and globs, or one pipeline.yaml
  std::string into = {};
  std::string format = {};
  std::string input_format = {};
  std::vector<std::string> partition_by = {};
  std::string mode = {};
  std::string contract = {};
  std::string column_mapping = {};
  std::string schema = {};
  std::vector<std::string> properties = {};  // KEY=VALUE
  // Not there yet: refused by name.
  std::vector<std::string> key = {};
  std::string order_by = {};
  std::string max_bad = {};
  enum class Do : uint8_t { kOnce, kFollow, kPlan } what = Do::kOnce;
  Output output = Output::kText;
};
Status RunIngestCommand(CommandContext& context, const IngestArguments& arguments);

struct TableArguments {
  std::string table = {};
  std::string version = {};     // --version N; empty: the newest
  int64_t limit = 0;            // history; 0: all
  bool lineage = false;         // history
  std::string from = {};        // diff
  std::string to = {};          // diff, restore
  std::string older_than = {};  // vacuum; empty: three days ago
  bool apply = false;           // vacuum
  Output output = Output::kText;
};
Status RunTableShow(CommandContext& context, const TableArguments& arguments);
Status RunTableHistory(CommandContext& context, const TableArguments& arguments);
Status RunTableFiles(CommandContext& context, const TableArguments& arguments);
Status RunTableSchema(CommandContext& context, const TableArguments& arguments);
Status RunTableDiff(CommandContext& context, const TableArguments& arguments);
Status RunTableCheckpoint(CommandContext& context, const TableArguments& arguments);
Status RunTableRestore(CommandContext& context, const TableArguments& arguments);
Status RunTableVacuum(CommandContext& context, const TableArguments& arguments);
Status RunTableOptimize(CommandContext& context, const TableArguments& arguments);

struct LineageArguments {
  std::vector<std::string> files = {};  // scripts, and folders of them; "-": standard input
  // Instead of files: what the commits of the lake say.
  std::string table = {};
  std::optional<std::string> column = {};
  std::optional<std::string> version = {};
  bool down = false;
  std::string schema = {};
  std::string dialect = "generic";
  std::optional<std::string> default_db = {};
  std::vector<std::string> variables = {};  // NAME=VALUE
  std::string format = "tree";
};
Status RunLineage(CommandContext& context, const LineageArguments& arguments);

Status RunVersion(CommandContext& context, Output output);

}  // namespace tarn::cli
