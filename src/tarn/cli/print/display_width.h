#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tarn::cli {

// Columns that `text` takes on a terminal: 2 for wide characters (East Asian, emoji), 0 for
// combining marks and joiners, 1 for others. Independent of the locale.
size_t DisplayWidth(std::string_view text);

// `text` cut to at most `width` columns, the last one "…" if anything was cut.
std::string CutToWidth(std::string_view text, size_t width);

// `text` on one line: control characters as \n, \t, \x1b.
std::string OnOneLine(std::string_view text);

}  // namespace tarn::cli
