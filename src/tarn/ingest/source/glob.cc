#include "tarn/ingest/source/glob.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace tarn {
namespace {

namespace fs = std::filesystem;

size_t CharacterLength(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
  return std::min(length, text.size());
}

// The set at the front of `pattern` ("[a-z]…") against one byte. Its length goes to *length; 0 when
// the bracket is not closed and so stands for itself.
bool SetMatches(std::string_view pattern, char c, size_t* length) {
  size_t i = 1;
  const bool negated = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
  if (negated) ++i;
  bool found = false;
  for (bool first = true; i < pattern.size() && (first || pattern[i] != ']'); first = false) {
    if (i + 2 < pattern.size() && pattern[i + 1] == '-' && pattern[i + 2] != ']') {
      found |= pattern[i] <= c && c <= pattern[i + 2];
      i += 3;
    } else {
      found |= pattern[i] == c;
      ++i;
    }
  }
  *length = i < pattern.size() ? i + 1 : 0;
  return found != negated;
}

bool Matches(std::string_view pattern, std::string_view name) {
  while (!pattern.empty()) {
    if (pattern[0] == '*') {
      while (!pattern.empty() && pattern[0] == '*') pattern.remove_prefix(1);
      for (size_t skip = 0; skip <= name.size(); ++skip) {
        if (Matches(pattern, name.substr(skip))) return true;
      }
      return false;
    }
    if (name.empty()) return false;
    size_t length = 0;
    if (pattern[0] == '?') {
      pattern.remove_prefix(1);
      name.remove_prefix(CharacterLength(name));
    } else if (pattern[0] == '[' && (SetMatches(pattern, name[0], &length), length > 0)) {
      if (!SetMatches(pattern, name[0], &length)) return false;
      pattern.remove_prefix(length);
      name.remove_prefix(1);
    } else {
      if (pattern[0] != name[0]) return false;
      pattern.remove_prefix(1);
      name.remove_prefix(1);
    }
  }
  return name.empty();
}

Result<std::vector<std::string>> NamesIn(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> names;
  fs::directory_iterator entries(folder.empty() ? "." : folder, error);
  for (const fs::directory_iterator end; !error && entries != end; entries.increment(error)) {
    names.push_back(entries->path().filename().string());
  }
  if (error) return Unavailable("folder '" + folder + "': " + error.message());
  std::sort(names.begin(), names.end());
  return names;
}

std::string Below(const std::string& folder, const std::string& name) {
  if (folder.empty() || folder.ends_with('/')) return folder + name;
  return folder + "/" + name;
}

bool IsFolder(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path.empty() ? "." : path, error);
}

bool IsFile(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

bool IsLink(const std::string& path) {
  std::error_code error;
  return fs::is_symlink(fs::symlink_status(path, error));
}

Status Expand(const std::string& folder, const std::vector<std::string>& segments, size_t at,
              std::vector<std::string>* found) {
  const std::string& segment = segments[at];
  const bool last = at + 1 == segments.size();
  if (segment == "**") {
    // None, or one folder and again. As the last segment it stands for "**/*".
    if (last) {
      std::vector<std::string> longer = segments;
      longer.emplace_back("*");
      return Expand(folder, longer, at, found);
    }
    TARN_RETURN_IF_ERROR(Expand(folder, segments, at + 1, found));
    TARN_ASSIGN_OR_RETURN(const auto names, NamesIn(folder));
    for (const std::string& name : names) {
      const std::string path = Below(folder, name);
      if (name.starts_with('.') || IsLink(path) || !IsFolder(path)) continue;
      TARN_RETURN_IF_ERROR(Expand(path, segments, at, found));
    }
    return {};
  }
  if (!IsGlob(segment)) {
    const std::string path = Below(folder, segment);
    if (last) {
      if (IsFile(path)) found->push_back(path);
    } else if (IsFolder(path)) {
      return Expand(path, segments, at + 1, found);
    }
    return {};
  }
  TARN_ASSIGN_OR_RETURN(const auto names, NamesIn(folder));
  for (const std::string& name : names) {
    if (!SegmentMatches(segment, name)) continue;
    const std::string path = Below(folder, name);
    if (last) {
      if (IsFile(path)) found->push_back(path);
    } else if (IsFolder(path)) {
      TARN_RETURN_IF_ERROR(Expand(path, segments, at + 1, found));
    }
  }
  return {};
}

}  // namespace

bool IsGlob(std::string_view pattern) {
  return pattern.find_first_of("*?[") != std::string_view::npos;
}

bool SegmentMatches(std::string_view pattern, std::string_view name) {
  if (name.starts_with('.') && !pattern.starts_with('.')) return false;
  return Matches(pattern, name);
}

Result<std::vector<std::string>> Glob(const std::string& pattern) {
  if (pattern.empty()) return Invalid("an empty path");
  if (IsFile(pattern)) return std::vector<std::string>{pattern};  // also when its name has a '['
  if (!IsGlob(pattern)) {
    if (IsFolder(pattern)) return Glob(Below(pattern, "**"));
    return NotFound("no file '" + pattern + "'");
  }
  std::vector<std::string> segments;
  std::string folder = pattern.starts_with('/') ? "/" : "";
  for (size_t begin = folder.size(); begin <= pattern.size();) {
    size_t end = pattern.find('/', begin);
    if (end == std::string::npos) end = pattern.size();
    if (end > begin) segments.push_back(pattern.substr(begin, end - begin));
    begin = end + 1;
  }
  std::vector<std::string> found;
  TARN_RETURN_IF_ERROR(Expand(folder, segments, 0, &found));
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace tarn
