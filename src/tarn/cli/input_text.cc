#include "tarn/cli/input_text.h"

#include <cstdio>
#include <fstream>
#include <iterator>

namespace tarn::cli {

Result<std::string> ReadStandardInput() {
  std::string text;
  char buffer[1 << 16];
  size_t length = 0;
  while ((length = std::fread(buffer, 1, sizeof buffer, stdin)) > 0) text.append(buffer, length);
  if (std::ferror(stdin) != 0) return Unavailable("standard input cannot be read");
  return text;
}

Result<std::string> ReadFileOrInput(std::string_view command, const std::string& file) {
  if (file == "-") return ReadStandardInput();
  const std::string problem = std::string(command) + ": '" + file + "' cannot be read";
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return NotFound(problem);
  std::string text(std::istreambuf_iterator<char>(stream), {});
  if (stream.bad()) return Unavailable(problem);
  return text;
}

}  // namespace tarn::cli
