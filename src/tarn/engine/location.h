#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tarn/base/result.h"

namespace tarn {

// Whether `text` names a place rather than a table: it contains a '/', starts with '.' or '~', or
// has a scheme ("file:…"). Looks at the text alone.
bool LooksLikePath(std::string_view text);

// The absolute path of a place as people write it: relative to the working folder, "file:" URIs
// (percent-decoded), without "." and "..", links followed as far as the path exists. kUnsupported
// for other schemes; kInvalid if empty or with a NUL.
Result<std::string> AbsolutePath(std::string_view text);

// `path` relative to `folder`, or nothing if it does not lie below it. Both absolute.
std::optional<std::string> RelativeTo(std::string_view folder, std::string_view path);

// A folder's name for a table or namespace called `name`: the same but for '/', '%', control
// characters and a leading '.', which become %XX.
std::string FolderNameFor(std::string_view name);

bool IsFolder(const std::string& path);

}  // namespace tarn
