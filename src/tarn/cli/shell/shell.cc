#include "tarn/cli/shell/shell.h"

#include <cstdlib>
#include <memory>
#include <utility>

#include "tarn/base/interrupt.h"
#include "tarn/base/text.h"
#include "tarn/cli/command/commands.h"
#include "tarn/cli/shell/line_editor.h"
#include "tarn/engine/sql_text.h"

namespace tarn::cli {
namespace {

constexpr char kHelp[] =
    "Statements end with ';' and may take several lines.\n"
    "  SHOW TABLES;   DESCRIBE t;   SELECT … FROM t VERSION AS OF 3;   FROM 'some/folder';\n"
    "  .tables  list tables      .help  this text      .quit  end (or Ctrl-D)\n"
    "Tab completes names; Ctrl-C clears the line or cancels the statement.\n";

std::string Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin));
}

// One engine and session; made again after a statement was cancelled, as a cancelled runtime stays
// so.
class ShellSession {
 public:
  ShellSession(const Console& console, const CommonOptions& options)
      : console_(console), options_(options) {}

  Status Open() {
    session_.reset();
    context_.reset();
    TARN_ASSIGN_OR_RETURN(const RuntimeOptions runtime_options, MakeRuntimeOptions(options_));
    system_ = std::make_unique<SystemRuntime>(runtime_options);
    context_ = std::make_unique<CommandContext>(system_->runtime(), console_, options_);
    TARN_ASSIGN_OR_RETURN(Engine* const engine, context_->OpenEngine());
    TARN_ASSIGN_OR_RETURN(session_, engine->OpenSession());
    return OkStatus();
  }

  // An error is printed; only failing to go on is returned.
  Status Run(const std::string& sql, const ResultOptions& options) {
    Status status;
    {
      const InterruptGuard guard(system_->runtime().cancellation);
      status = RunStatements(*context_, *session_, sql, options);
    }
    if (!status.ok()) console_.Error(status.error());
    return system_->runtime().cancellation.cancelled() ? Open() : OkStatus();
  }

  std::vector<std::string> Complete(std::string_view text) { return session_->Complete(text); }

 private:
  const Console& console_;
  const CommonOptions& options_;
  std::unique_ptr<SystemRuntime> system_;
  std::unique_ptr<CommandContext> context_;
  std::unique_ptr<QuerySession> session_;
};

}  // namespace

ShellCommand ParseShellCommand(std::string_view line) {
  std::string word = AsciiLower(Trimmed(line));
  // What people try first; no statement begins so.
  if (word == "help" || word == "quit" || word == "exit") word.insert(0, 1, '.');
  if (!word.starts_with('.')) return ShellCommand::kNone;
  if (word == ".quit" || word == ".exit" || word == ".q") return ShellCommand::kQuit;
  if (word == ".help") return ShellCommand::kHelp;
  if (word == ".tables") return ShellCommand::kTables;
  return ShellCommand::kUnknown;
}

std::string HistoryFile() {
  const char* state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && *state == '/') return std::string(state) + "/tarn/history";
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home == '/') return std::string(home) + "/.local/state/tarn/history";
  return {};
}

Status RunShell(CommandContext& context, const ResultOptions& options) {
  const Console& console = context.console();
  ShellSession session(console, context.options());
  TARN_RETURN_IF_ERROR(session.Open());
  TARN_ASSIGN_OR_RETURN(const std::unique_ptr<LineEditor> editor,
                        LineEditor::Make(HistoryFile(), [&](std::string_view text) {
                          return session.Complete(text);
                        }));
  console.Info("SQL over tables; .help explains, .quit ends");
  std::string pending;
  while (true) {
    const LineEditor::Line line = editor->Read(pending.empty() ? "tarn> " : "  ... ");
    if (line.end == LineEditor::End::kEndOfInput) break;
    if (line.end == LineEditor::End::kInterrupted) {
      pending.clear();
      continue;
    }
    if (pending.empty()) {
      const std::string word = Trimmed(line.text);
      if (word.empty()) continue;
      const ShellCommand command = ParseShellCommand(word);
      if (command == ShellCommand::kQuit) break;
      if (command == ShellCommand::kHelp) TARN_RETURN_IF_ERROR(console.out(kHelp));
      if (command == ShellCommand::kTables)
        TARN_RETURN_IF_ERROR(session.Run("SHOW TABLES", options));
      if (command == ShellCommand::kUnknown) {
        console.Warning("no command '" + word + "'; .help lists them");
      }
      if (command != ShellCommand::kNone) continue;
    }
    pending += (pending.empty() ? "" : "\n") + line.text;
    if (IsIncompleteSql(pending)) continue;
    editor->Remember(pending);
    TARN_RETURN_IF_ERROR(session.Run(pending, options));
    pending.clear();
  }
  return OkStatus();
}

}  // namespace tarn::cli
