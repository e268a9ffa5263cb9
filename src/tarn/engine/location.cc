#include "tarn/engine/location.h"

#include <filesystem>
#include <system_error>

#include "tarn/base/text.h"

namespace tarn {
namespace {

// The length of "scheme:" in front, 0 if there is none. One letter is no scheme.
size_t SchemeLength(std::string_view text) {
  size_t length = 0;
  while (length < text.size() && ((text[length] >= 'a' && text[length] <= 'z') ||
                                  (text[length] >= 'A' && text[length] <= 'Z') ||
                                  (length > 0 && text[length] >= '0' && text[length] <= '9'))) {
    ++length;
  }
  return length > 1 && length < text.size() && text[length] == ':' ? length + 1 : 0;
}

}  // namespace

bool LooksLikePath(std::string_view text) {
  return text.find('/') != std::string_view::npos || text.starts_with('.') ||
         text.starts_with('~') || AsciiLower(text.substr(0, SchemeLength(text))) == "file:";
}

Result<std::string> AbsolutePath(std::string_view text) {
  if (text.empty()) return Invalid("an empty path names no place");
  if (text.find('\0') != std::string_view::npos) return Invalid("a path holds a NUL byte");
  std::string place(text);
  if (const size_t length = SchemeLength(text); length > 0) {
    const std::string scheme = AsciiLower(text.substr(0, length));
    if (scheme == "file:") {
      std::string_view rest = text.substr(length);
      if (rest.starts_with("//")) {
        rest.remove_prefix(2);
        if (rest.starts_with("localhost/")) rest.remove_prefix(9);
        if (!rest.starts_with('/')) {
          return Invalid("'" + place + "' names another machine; file:///… is this one");
        }
      }
      place = PercentDecode(rest);
    } else if (text.substr(length).starts_with("//")) {
      return Unsupported("'" + place + "': " + scheme +
                         "// is not supported yet; Tarn reads and writes "
                         "local disks (paths and file:// URIs)");
    }
  }
  std::error_code error;
  std::filesystem::path path = std::filesystem::absolute(place, error);
  if (error) return Unavailable("'" + place + "': " + error.message());
  path = path.lexically_normal();
  // The store refuses links that could leave its root, and absolute ones always could.
  std::filesystem::path followed = std::filesystem::weakly_canonical(path, error);
  std::string result = (error ? path : followed).string();
  while (result.size() > 1 && result.ends_with('/')) result.pop_back();
  return result;
}

std::optional<std::string> RelativeTo(std::string_view folder, std::string_view path) {
  while (folder.ends_with('/')) folder.remove_suffix(1);
  if (!path.starts_with(folder) || path.size() <= folder.size() + 1 || path[folder.size()] != '/') {
    return std::nullopt;
  }
  return std::string(path.substr(folder.size() + 1));
}

std::string FolderNameFor(std::string_view name) {
  std::string folder;
  for (size_t i = 0; i < name.size(); ++i) {
    const auto c = static_cast<unsigned char>(name[i]);
    if (c < 0x20 || c == 0x7F || c == '/' || c == '%' || (c == '.' && i == 0)) {
      constexpr char kHex[] = "0123456789ABCDEF";
      folder += '%';
      folder += kHex[c >> 4];
      folder += kHex[c & 15];
    } else {
      folder += name[i];
    }
  }
  return folder;
}

bool IsFolder(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

}  // namespace tarn
