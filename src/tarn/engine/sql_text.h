#pragma once

#include <string_view>

namespace tarn {

// Whether a shell should ask for another line: `text` ends inside a statement, a quote or a
// comment.
bool IsIncompleteSql(std::string_view text);

}  // namespace tarn
