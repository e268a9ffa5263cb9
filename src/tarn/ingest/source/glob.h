#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tarn/base/result.h"

namespace tarn {

// Whether `pattern` has any of * ? [.
bool IsGlob(std::string_view pattern);

// Whether one path segment matches: * any bytes, ? one character (UTF-8), [abc], [a-z], [!a] one of
// a set; a leading '.' must be matched by a '.'. Others stand for themselves.
bool SegmentMatches(std::string_view pattern, std::string_view name);

// The regular files of the local file system that `pattern` names, sorted by bytes. ** as a whole
// segment is any number of folders. A folder named without a glob stands for all files below it.
// Spelled as the pattern is (relative stays relative). Links to files count, links to folders are
// followed but for **. kNotFound: a name without glob that does not exist; kUnavailable: a folder
// that cannot be read. No match is an empty list.
Result<std::vector<std::string>> Glob(const std::string& pattern);

}  // namespace tarn
