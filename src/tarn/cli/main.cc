#include <string>
#include <vector>

#include "tarn/cli/run.h"
#include "tarn/engine/process_memory.h"

int main(int argc, char** argv) {
  tarn::PrepareProcessMemory();
  return tarn::cli::Run(std::vector<std::string>(argv + 1, argv + argc),
                        tarn::cli::StandardConsole());
}
