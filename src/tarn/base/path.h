#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "tarn/base/result.h"

namespace tarn {

// The name of an object on a store: UTF-8, '/'-separated, relative to the store's root, so that it
// cannot leave it. No empty, "." or ".." segment, no leading or trailing '/', no NUL. The empty
// path is the root itself. Bytes are kept as given: nothing is decoded, folded or normalised.
class Path {
 public:
  Path() = default;

  // kInvalid naming the segment that breaks a rule.
  static Result<Path> Make(std::string_view text);

  // This path with `child` (one or more segments) below it. kInvalid as Make.
  Result<Path> Join(std::string_view child) const;
  // The same for a child the program spells itself; asserts instead of failing.
  Path operator/(std::string_view child) const;

  const std::string& str() const { return text_; }
  bool empty() const { return text_.empty(); }
  // The last segment, empty for the root.
  std::string_view name() const;
  // All but the last segment.
  Path parent() const;
  // Whether this is `folder` or below it.
  bool IsWithin(const Path& folder) const;
  // This path relative to `folder`; requires IsWithin(folder).
  std::string_view RelativeTo(const Path& folder) const;

  friend auto operator<=>(const Path&, const Path&) = default;

 private:
  explicit Path(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

}  // namespace tarn
