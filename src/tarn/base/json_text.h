#pragma once

#include <string>
#include <string_view>

namespace tarn {

// `text` as a JSON string, quotes included, at the end of `out`: quotes, backslashes and control
// characters escaped, bytes that are no UTF-8 replaced by U+FFFD. No line break comes out.
void AppendJsonString(std::string_view text, std::string& out);

}  // namespace tarn
