#include <string>
#include <vector>

#include "tarn/cli/run.h"

int main(int argc, char** argv) {
  return tarn::cli::Run(std::vector<std::string>(argv + 1, argv + argc),
                        tarn::cli::StandardConsole());
}
