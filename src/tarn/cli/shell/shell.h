#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tarn/base/result.h"
#include "tarn/cli/command_context.h"
#include "tarn/cli/print/result_writer.h"

namespace tarn::cli {

// SQL line by line on a terminal: statements end with ';' and may take several lines; the history
// is kept in the user's state folder; tab completes names. Ctrl-C clears the line, or cancels the
// statement that runs; Ctrl-D or .quit ends. Errors of statements are printed and do not end it.
Status RunShell(CommandContext& context, const ResultOptions& options);

// What a line that starts with '.', or is help, quit or exit alone, asks for.
enum class ShellCommand : uint8_t { kNone, kQuit, kHelp, kTables, kUnknown };
ShellCommand ParseShellCommand(std::string_view line);

// The file of the history: below XDG_STATE_HOME, else ~/.local/state; empty if neither is known.
std::string HistoryFile();

}  // namespace tarn::cli
