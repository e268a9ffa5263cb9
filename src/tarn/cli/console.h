#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "tarn/base/result.h"

namespace tarn::cli {

// Where a command writes: results on one side, messages for people on the other. A plain value;
// tests make one that collects strings.
struct Console {
  std::function<Status(std::string_view)> out;  // results, as they are
  std::function<void(std::string_view)> err;    // messages, as they are
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  bool in_is_terminal = false;
  size_t width = 0;  // of the terminal of results; 0: none
  bool quiet = false;
  bool json_messages = false;

  // One line: "error: …", or {"level":"error","code":"not found","message":"…"}. Always shown.
  void Error(const tarn::Error& error) const;
  void Warning(std::string_view message) const;
  // Not with --quiet.
  void Info(std::string_view message) const;

 private:
  void Message(std::string_view level, std::string_view code, std::string_view message) const;
};

// The process's own standard streams.
Console StandardConsole();

}  // namespace tarn::cli
