#include "tarn/cli/console.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "tarn/base/json_text.h"
#include "tarn/cli/print/display_width.h"

namespace tarn::cli {
namespace {

Status WriteOut(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return Unavailable(std::string("standard output: ") + std::strerror(errno));
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return OkStatus();
}

}  // namespace

void Console::Message(std::string_view level, std::string_view code,
                      std::string_view message) const {
  std::string line;
  if (json_messages) {
    line = "{\"level\":\"" + std::string(level) + "\"";
    if (!code.empty()) line += ",\"code\":\"" + std::string(code) + "\"";
    line += ",\"message\":";
    AppendJsonString(message, line);
    line += "}\n";
  } else {
    if (!level.empty() && level != "info") line = std::string(level) + ": ";
    line += OnOneLine(message) + "\n";
  }
  err(line);
}

void Console::Error(const tarn::Error& error) const {
  Message("error", ErrorCodeName(error.code), error.ToString());
}

void Console::Warning(std::string_view message) const { Message("warning", "", message); }

void Console::Info(std::string_view message) const {
  if (!quiet) Message("info", "", message);
}

Console StandardConsole() {
  Console console;
  console.out = WriteOut;
  console.err = [](std::string_view bytes) { std::fwrite(bytes.data(), 1, bytes.size(), stderr); };
  console.out_is_terminal = isatty(STDOUT_FILENO) == 1;
  console.err_is_terminal = isatty(STDERR_FILENO) == 1;
  console.in_is_terminal = isatty(STDIN_FILENO) == 1;
  struct winsize size = {};
  if (console.out_is_terminal) {
    console.width =
        ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
  }
  return console;
}

}  // namespace tarn::cli
