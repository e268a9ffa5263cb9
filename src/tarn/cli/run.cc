#include "tarn/cli/run.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <functional>
#include <utility>

#include "tarn/base/interrupt.h"
#include "tarn/base/runtime.h"
#include "tarn/base/text.h"
#include "tarn/cli/command/commands.h"
#include "tarn/cli/command/ingest_pipeline.h"
#include "tarn/cli/command_context.h"
#include "tarn/cli/exit_code.h"
#include "tarn/engine/lineage_report.h"

namespace tarn::cli {
namespace {

using Command = std::function<Status(CommandContext&)>;

// Refuses what is not among `names`, with the nearest of them.
CLI::Validator OneOf(std::vector<std::string> names) {
  return CLI::Validator(
      [names = std::move(names)](std::string& given) -> std::string {
        for (const std::string& name : names) {
          if (AsciiEqualsIgnoreCase(name, given)) {
            given = name;
            return {};
          }
        }
        return "'" + given + "' is none of its values" + DidYouMean(given, names);
      },
      "");
}

// Refuses what `parse` refuses, with its words.
template <class Parse>
CLI::Validator ParsedBy(Parse parse) {
  return CLI::Validator(
      [parse](std::string& given) -> std::string {
        const auto parsed = parse(given);
        return parsed.ok() ? "" : parsed.error().message;
      },
      "");
}

// What the command line was parsed into.
struct Parsed {
  CommonOptions common;
  Command command;                 // empty: none was named
  bool follows_interrupts = true;  // false: the command handles Ctrl-C itself
};

void AddCommonOptions(CLI::App& app, CommonOptions& common) {
  const std::string group = "Options of every command";
  app.add_option("--lake", common.lake,
                 "the lake's folder (default: the nearest one at or above this folder)")
      ->type_name("DIR")
      ->group(group);
  app.add_option("--memory-limit", common.memory_limit, "memory to use, e.g. 512MB or 2GiB")
      ->type_name("SIZE")
      ->check(ParsedBy(ParseMemoryLimit))
      ->group(group);
  app.add_option("--threads", common.threads, "threads to use (default: all)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024))
      ->group(group);
  app.add_option("--relocate", common.relocate,
                 "paths inside a table's metadata that moved; may be repeated")
      ->type_name("FROM=TO")
      ->allow_extra_args(false)
      ->check(ParsedBy(ParseRelocation))
      ->group(group);
  app.add_flag("--quiet", common.quiet, "no messages but warnings and errors")->group(group);
  app.add_flag("--yes", common.yes, "answer questions with yes")->group(group);
  app.add_option("--log-format", common.log_format, "messages as text or json")
      ->type_name("text|json")
      ->check(OneOf({"text", "json"}))
      ->group(group);
}

CLI::App* AddCommand(CLI::App& parent, const std::string& name, const std::string& what,
                     Parsed& parsed) {
  CLI::App* app = parent.add_subcommand(name, what);
  app->allow_extras();
  AddCommonOptions(*app, parsed.common);
  return app;
}

void AddJsonFlag(CLI::App& app, Output& output) {
  app.add_flag_callback(
      "--json", [&output] { output = Output::kJson; }, "one JSON document");
}

// Every command's arguments, alive while the command line is parsed and run.
struct Arguments {
  std::string init_folder = ".";
  LakeSettings init_settings;
  std::optional<std::string> ls_within;
  Output output = Output::kText;
  SqlArguments sql;
  IngestArguments ingest;
  TableArguments table;
  LineageArguments lineage;
};

void AddSimpleCommands(CLI::App& app, Arguments& arguments, Parsed& parsed) {
  CLI::App* init = AddCommand(app, "init", "make a folder a lake: a catalog of tables", parsed);
  init->add_option("folder", arguments.init_folder,
                   "the folder (made if missing; default: this one)");
  init->add_option("--catalog-name", arguments.init_settings.catalog_name,
                   "the name that other programs give its SQL catalog (default: the only one in "
                   "it, else tarn)");
  init->add_option("--catalog-uri", arguments.init_settings.catalog_uri,
                   "the PostgreSQL database with its SQL catalog: "
                   "postgresql://user@host:port/database (default: the lake's own file)");
  init->add_flag(
      "--hadoop-catalog", arguments.init_settings.warehouse,
      "the folder is a warehouse as HadoopCatalog keeps one: tables are found by folders");
  init->callback([&] {
    parsed.command = [&](CommandContext& context) {
      return RunInit(context, arguments.init_folder, arguments.init_settings);
    };
  });

  CLI::App* ls = AddCommand(app, "ls", "list the lake's tables", parsed);
  ls->add_option("namespace", arguments.ls_within, "only this namespace");
  AddJsonFlag(*ls, arguments.output);
  ls->callback([&] {
    parsed.command = [&](CommandContext& context) {
      return RunLs(context, arguments.ls_within, arguments.output);
    };
  });

  CLI::App* version = AddCommand(app, "version", "print the version", parsed);
  AddJsonFlag(*version, arguments.output);
  version->callback([&] {
    parsed.command = [&](CommandContext& context) { return RunVersion(context, arguments.output); };
  });
}

void AddSqlCommand(CLI::App& app, Arguments& arguments, Parsed& parsed) {
  CLI::App* sql = AddCommand(
      app, "sql", "run SQL; without any, read it from standard input or open a shell", parsed);
  sql->add_option("SQL", arguments.sql.sql, "the statements, in quotes");
  sql->add_option("--format", arguments.sql.format, "how results are written (default: table)")
      ->type_name("table|csv|json|jsonl|markdown|arrow")
      ->check(OneOf({"table", "csv", "json", "jsonl", "markdown", "arrow"}));
  sql->add_flag_callback(
      "--no-skipping", [&arguments] { arguments.sql.skipping = CommandContext::Skipping::kOff; },
      "read every file, also those that statistics rule out (to compare answers)");
  sql->add_option("--dialect", arguments.sql.dialect, "of fmt and parse (default: generic)")
      ->type_name("hive|spark|trino|duckdb|postgres|generic");
  sql->add_flag("--tree", arguments.sql.tree, "of parse: print the tree of each statement");
  sql->footer(
      "Examples:\n"
      "  tarn sql \"SELECT count(*) FROM events\"\n"
      "  tarn sql fmt job.sql --dialect hive\n"
      "  tarn sql parse --tree job.sql --dialect spark\n"
      "  tarn sql --format csv \"FROM 'lake/events' VERSION AS OF 3\"\n"
      "  tarn sql < script.sql");
  sql->callback([&] {
    const std::vector<std::string>& texts = arguments.sql.sql;
    if (texts.size() > 1 && texts[0] != "fmt" && texts[0] != "parse") {
      throw CLI::ValidationError("one text is expected, found " + std::to_string(texts.size()) +
                                 "; put the whole SQL in quotes");
    }
    // The shell cancels the statement, not the program.
    parsed.follows_interrupts = !arguments.sql.sql.empty();
    parsed.command = [&](CommandContext& context) { return RunSql(context, arguments.sql); };
  });
}

void AddIngestCommand(CLI::App& app, Arguments& arguments, Parsed& parsed) {
  IngestArguments& ingest = arguments.ingest;
  CLI::App* command = AddCommand(app, "ingest", "load files into a table, each once", parsed);
  command
      ->add_option("FILE", ingest.files,
                   "files and globs (JSON lines, CSV, Parquet, Arrow), or one PIPELINE.yaml")
      ->required();
  command->add_option("--into", ingest.into, "the table: a name or a folder")
      ->type_name("NAME|PATH");
  command->add_option("--format", ingest.format, "the format of a new table (default: delta)")
      ->type_name("FORMAT");
  command
      ->add_option("--input-format", ingest.input_format,
                   "the files' format (default: by their names)")
      ->type_name("jsonl|csv|parquet|arrow")
      ->check(OneOf({"jsonl", "csv", "parquet", "arrow"}));
  command->add_option("--partition-by", ingest.partition_by, "partition columns of a new table")
      ->type_name("a,b")
      ->delimiter(',')
      ->allow_extra_args(false);
  command
      ->add_option("--mode", ingest.mode,
                   "append (default), or overwrite: the partitions that rows arrive for, all of an "
                   "unpartitioned table")
      ->type_name("append|overwrite")
      ->check(OneOf({"append", "overwrite", "upsert"}));
  command
      ->add_option("--contract", ingest.contract,
                   "evolve (default): new columns are added; freeze: they are refused")
      ->type_name("evolve|freeze")
      ->check(OneOf({"evolve", "freeze", "quarantine"}));
  command
      ->add_option("--column-mapping", ingest.column_mapping,
                   "of a new table: columns that can be renamed and dropped")
      ->type_name("id|name")
      ->check(OneOf({"id", "name"}));
  command
      ->add_option("--schema", ingest.schema,
                   "the columns, as DDL or a file (JSON Schema, Arrow, DDL)")
      ->type_name("DDL|FILE");
  command->add_option("--property", ingest.properties, "a property of a new table; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_option("--key", ingest.key)->delimiter(',')->allow_extra_args(false)->group("");
  command->add_option("--order-by", ingest.order_by)->group("");
  command->add_option("--max-bad", ingest.max_bad)->group("");
  CLI::Option* once = command->add_flag_callback(
      "--once", [&ingest] { ingest.what = IngestArguments::Do::kOnce; },
      "load what is there and end (default)");
  CLI::Option* follow = command->add_flag_callback(
      "--follow", [&ingest] { ingest.what = IngestArguments::Do::kFollow; },
      "go on loading new files until interrupted");
  follow->excludes(once);
  command->add_flag_callback(
      "--plan", [&ingest] { ingest.what = IngestArguments::Do::kPlan; },
      "say what would be done, without doing it");
  AddJsonFlag(*command, ingest.output);
  command->footer(
      "Examples:\n"
      "  tarn ingest events/*.jsonl --into lake/events --partition-by date\n"
      "  tarn ingest pipeline.yaml --plan");
  command->callback([&] {
    if (ingest.into.empty() && !IsPipelineFile(ingest.files.front())) {
      throw CLI::RequiredError("--into NAME or --into FOLDER");
    }
    parsed.command = [&](CommandContext& context) { return RunIngestCommand(context, ingest); };
  });
}

using TableCommand = Status (*)(CommandContext&, const TableArguments&);

CLI::App* AddTableCommand(CLI::App& tables, const std::string& name, const std::string& what,
                          TableCommand run, Arguments& arguments, Parsed& parsed) {
  CLI::App* command = AddCommand(tables, name, what, parsed);
  command->add_option("TABLE", arguments.table.table, "the table: a name or a folder")->required();
  AddJsonFlag(*command, arguments.table.output);
  command->callback([&arguments, &parsed, run] {
    parsed.command = [&arguments, run](CommandContext& context) {
      return run(context, arguments.table);
    };
  });
  return command;
}

void AddTableCommands(CLI::App& app, Arguments& arguments, Parsed& parsed) {
  CLI::App* tables = app.add_subcommand("table", "look at one table, put it back, keep it small");
  tables->require_subcommand(0, 1);
  tables->allow_extras();
  TableArguments& table = arguments.table;
  const auto add = [&](const char* name, const char* what, TableCommand run) {
    return AddTableCommand(*tables, name, what, run, arguments, parsed);
  };
  const auto add_version = [&](CLI::App* command) {
    command->add_option("--version", table.version, "that version (default: the newest)")
        ->type_name("N");
  };
  add_version(add("show", "columns, properties, partitions and their files", RunTableShow));
  CLI::App* history = add("history", "its commits, newest first", RunTableHistory);
  history->add_option("--limit", table.limit, "at most so many")->type_name("N");
  history->add_flag("--lineage", table.lineage, "and what each made its columns of");
  add_version(add("files", "its data files", RunTableFiles));
  add_version(add("schema", "its columns with their ids", RunTableSchema));
  CLI::App* diff = add("diff", "what changed between two versions", RunTableDiff);
  diff->add_option("FROM", table.from, "a version")->required();
  diff->add_option("TO", table.to, "another")->required();
  add("checkpoint", "write a checkpoint of the newest version", RunTableCheckpoint);
  add("restore", "make it as it was, in a new version", RunTableRestore)
      ->add_option("VERSION", table.to, "the version to come back to")
      ->required();
  CLI::App* vacuum = add("vacuum", "files in its folder that no version needs", RunTableVacuum);
  vacuum->add_flag("--apply", table.apply, "remove them (default: only list them)");
  vacuum->add_option("--older-than", table.older_than, "older than this (default: three days)")
      ->type_name("TIME");
  add("optimize", "write its small data files together", RunTableOptimize);
}

void AddLineageCommand(CLI::App& app, Arguments& arguments, Parsed& parsed) {
  LineageArguments& lineage = arguments.lineage;
  CLI::App* command =
      AddCommand(app, "lineage",
                 "what the columns of SQL scripts, or of a table of the lake, are made of", parsed);
  CLI::Option* file = command->add_option(
      "FILE", lineage.files, "scripts, and folders of *.sql and *.hql; - for standard input");
  CLI::Option* table =
      command->add_option("--table", lineage.table, "a table instead: what its commits say of it")
          ->type_name("NAME")
          ->excludes(file);
  command->add_option("--column", lineage.column, "one column of the table (default: all)")
      ->type_name("C")
      ->needs(table);
  command->add_option("--version", lineage.version, "that version of the table")
      ->type_name("N")
      ->needs(table);
  CLI::Option* up = command->add_flag_function(
      "--up", [](int64_t) {}, "what the table is made of (the default)");
  up->needs(table);
  command->add_flag("--down", lineage.down, "what is made of the table")
      ->needs(table)
      ->excludes(up);
  command
      ->add_option(
          "--schema", lineage.schema,
          "columns of tables: {\"db.table\": [\"col\", …], …} (default: the lake's tables)")
      ->type_name("SCHEMA.json");
  command->add_option("--dialect", lineage.dialect, "whose SQL it is (default: generic)")
      ->type_name("hive|spark|trino|duckdb|postgres")
      ->check(OneOf(LineageDialectNames()));
  command->add_option("--default-db", lineage.default_db, "where names of one part are looked for")
      ->type_name("DB");
  command->add_option("--var", lineage.variables, "a value of ${NAME}; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command->add_option("--format", lineage.format, "how it is written (default: tree)")
      ->type_name("tree|json|openlineage|dot|mermaid")
      ->check(OneOf(LineageFormatNames()));
  command->footer(
      "Examples:\n"
      "  tarn lineage job.sql --dialect hive --schema schema.json\n"
      "  tarn lineage - --dialect trino --format json < query.sql\n"
      "  tarn lineage models/ --dialect duckdb --format mermaid\n"
      "  tarn lineage --table sales.daily --column total");
  command->callback([&] {
    if (lineage.files.empty() && lineage.table.empty()) {
      throw CLI::RequiredError("FILE or --table NAME");
    }
    parsed.command = [&](CommandContext& context) { return RunLineage(context, lineage); };
  });
}

// Names that a mistyped word may have meant.
std::vector<std::string> CommandNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(sub->get_name());
  }
  return names;
}

std::vector<std::string> OptionNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// The innermost command that was named.
CLI::App* Named(CLI::App& app) {
  CLI::App* at = &app;
  while (!at->get_subcommands().empty()) at = at->get_subcommands().front();
  return at;
}

std::string FullName(const CLI::App& app) {
  if (app.get_parent() == nullptr) return "tarn";
  return FullName(*app.get_parent()) + " " + app.get_name();
}

// Why words that no option or argument took are wrong.
std::string ExtrasMessage(const CLI::App& app, const std::string& word) {
  const std::string name = FullName(app);
  if (word.starts_with("-") && word.size() > 1) {
    const std::string bare = word.substr(0, word.find('='));
    std::string hint = DidYouMean(bare, OptionNames(app));
    if (!hint.starts_with("; did you mean")) hint = "; `" + name + " --help` lists them";
    return name + ": no option '" + bare + "'" + hint;
  }
  if (!CommandNames(app).empty()) {
    return name + ": no command '" + word + "'" + DidYouMean(word, CommandNames(app));
  }
  return name + ": '" + word + "' is one argument too many; `" + name +
         " --help` shows what is expected";
}

int UsageError(const Console& console, const std::string& message) {
  console.Error(Invalid(message));
  return kUsage;
}

int Execute(const Parsed& parsed, Console& console) {
  Result<RuntimeOptions> options = MakeRuntimeOptions(parsed.common);
  if (!options.ok()) {
    console.Error(options.error());
    return kUsage;
  }
  SystemRuntime system(options.value());
  Runtime& runtime = system.runtime();
  CommandContext context(runtime, console, parsed.common);
  std::optional<InterruptGuard> guard;
  if (parsed.follows_interrupts) guard.emplace(runtime.cancellation);
  const Status status = parsed.command(context);
  if (status.ok()) return kDone;
  console.Error(status.error());
  return ExitCodeFor(status.error().code);
}

int ParseAndExecute(CLI::App& app, Parsed& parsed, std::vector<std::string> arguments,
                    Console& console) {
  std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::CallForHelp&) {
    const CLI::App* const command = Named(app);
    const CLI::App* const parent = command->get_parent();
    const Status written = console.out(command->help(parent == nullptr ? "" : FullName(*parent)));
    return written.ok() ? kDone : kTryLater;
  } catch (const CLI::Success&) {
    return kDone;
  } catch (const CLI::ParseError& error) {
    console.json_messages = parsed.common.log_format == "json";
    // An unknown option explains itself better than the argument it made go missing.
    CLI::App* const command = Named(app);
    for (const std::string& word : command->remaining()) {
      if (word.starts_with("-")) return UsageError(console, ExtrasMessage(*command, word));
    }
    return UsageError(console, FullName(*command) + ": " + error.what());
  }
  console.quiet = parsed.common.quiet;
  console.json_messages = parsed.common.log_format == "json";
  CLI::App* const command = Named(app);
  const std::vector<std::string> extras = app.remaining(true);
  if (!extras.empty()) return UsageError(console, ExtrasMessage(*command, extras.front()));
  if (!parsed.command) {
    const std::string help = command->help();
    if (console.out_is_terminal) return console.out(help).ok() ? kUsage : kTryLater;
    return UsageError(console, FullName(*command) + ": a command is expected" +
                                   DidYouMean("", CommandNames(*command)));
  }
  return Execute(parsed, console);
}

}  // namespace

int Run(const std::vector<std::string>& arguments, Console console) {
  Parsed parsed;
  Arguments values;
  CLI::App app("From files to open-format lakehouse tables, and SQL over them.", "tarn");
  app.allow_extras();
  app.require_subcommand(0, 1);
  AddCommonOptions(app, parsed.common);
  bool show_version = false;
  app.add_flag("--version", show_version, "print the version");
  app.callback([&] {
    if (show_version && !parsed.command) {
      parsed.command = [](CommandContext& context) { return RunVersion(context, Output::kText); };
    }
  });
  AddSimpleCommands(app, values, parsed);
  AddSqlCommand(app, values, parsed);
  AddIngestCommand(app, values, parsed);
  AddTableCommands(app, values, parsed);
  AddLineageCommand(app, values, parsed);
  return ParseAndExecute(app, parsed, arguments, console);
}

}  // namespace tarn::cli
