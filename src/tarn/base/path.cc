#include "tarn/base/path.h"

#include <cassert>

namespace tarn {
namespace {

Status CheckSegments(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) {
    return Invalid("path: a NUL byte in '" + std::string(text) + "'");
  }
  size_t begin = 0;
  while (begin <= text.size()) {
    size_t end = text.find('/', begin);
    if (end == std::string_view::npos) end = text.size();
    const std::string_view segment = text.substr(begin, end - begin);
    if (segment.empty() || segment == "." || segment == "..") {
      return Invalid("path: segment '" + std::string(segment) + "' in '" + std::string(text) +
                     "' is not allowed");
    }
    begin = end + 1;
  }
  return {};
}

}  // namespace

Result<Path> Path::Make(std::string_view text) {
  if (text.empty()) return Path();
  TARN_RETURN_IF_ERROR(CheckSegments(text));
  return Path(std::string(text));
}

Result<Path> Path::Join(std::string_view child) const {
  if (child.empty()) return *this;
  TARN_RETURN_IF_ERROR(CheckSegments(child));
  return text_.empty() ? Path(std::string(child)) : Path(text_ + "/" + std::string(child));
}

Path Path::operator/(std::string_view child) const {
  Result<Path> joined = Join(child);
  assert(joined.ok());
  return std::move(joined).value();
}

std::string_view Path::name() const {
  const size_t slash = text_.rfind('/');
  return slash == std::string::npos ? std::string_view(text_)
                                    : std::string_view(text_).substr(slash + 1);
}

Path Path::parent() const {
  const size_t slash = text_.rfind('/');
  return slash == std::string::npos ? Path() : Path(text_.substr(0, slash));
}

bool Path::IsWithin(const Path& folder) const {
  if (folder.empty()) return true;
  return text_.size() >= folder.text_.size() && text_.starts_with(folder.text_) &&
         (text_.size() == folder.text_.size() || text_[folder.text_.size()] == '/');
}

std::string_view Path::RelativeTo(const Path& folder) const {
  assert(IsWithin(folder));
  if (folder.empty()) return text_;
  if (text_.size() == folder.text_.size()) return {};
  return std::string_view(text_).substr(folder.text_.size() + 1);
}

}  // namespace tarn
