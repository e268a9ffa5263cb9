#include "tarn/cli/input_text.h"

#include <sys/stat.h>

#include <cstdio>
#include <memory>

namespace tarn::cli {
namespace {

// False when reading failed.
bool ReadToEnd(std::FILE* stream, std::string& text) {
  char buffer[1 << 16];
  size_t length = 0;
  while ((length = std::fread(buffer, 1, sizeof buffer, stream)) > 0) text.append(buffer, length);
  return std::ferror(stream) == 0;
}

}  // namespace

Result<std::string> ReadStandardInput() {
  std::string text;
  if (!ReadToEnd(stdin, text)) return Unavailable("standard input cannot be read");
  return text;
}

Result<std::string> ReadFileOrInput(std::string_view command, const std::string& file) {
  if (file == "-") return ReadStandardInput();
  const std::string begin = std::string(command) + ": '" + file + "' ";
  struct stat status = {};
  if (stat(file.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) {
    return Invalid(begin + "is a folder; a file is expected");
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "rb"),
                                                               &std::fclose);
  if (stream == nullptr) return NotFound(begin + "cannot be read");
  std::string text;
  if (!ReadToEnd(stream.get(), text)) return Unavailable(begin + "cannot be read");
  return text;
}

}  // namespace tarn::cli
