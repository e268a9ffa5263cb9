#pragma once

#include <string>
#include <vector>

#include "tarn/cli/console.h"

namespace tarn::cli {

// The whole program: `arguments` without its name. Returns the exit code (cli/exit_code.h). While
// it runs, SIGINT and SIGTERM cancel what is under way.
int Run(const std::vector<std::string>& arguments, Console console);

}  // namespace tarn::cli
