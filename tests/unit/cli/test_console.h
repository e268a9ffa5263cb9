#pragma once

#include <string>

#include "tarn/cli/console.h"

namespace tarn::cli::testing {

// A console that keeps what is written.
struct TestConsole {
  TestConsole() {
    console.out = [this](std::string_view bytes) {
      out += bytes;
      return OkStatus();
    };
    console.err = [this](std::string_view bytes) { err += bytes; };
  }
  TestConsole(const TestConsole&) = delete;
  TestConsole& operator=(const TestConsole&) = delete;

  std::string out;
  std::string err;
  Console console;
};

}  // namespace tarn::cli::testing
