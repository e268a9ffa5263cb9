#pragma once

#include <cstdint>
#include <string>

#include "tarn/sql/parser.h"

namespace tarn::sql {

struct FormatOptions {
  int32_t width = 100;  // a line is broken where it would be longer, at the outermost place first
  int32_t indent = 2;
};

// `script` laid out anew: keywords in upper case, names and literals as written, one clause a line
// where a statement does not fit on one, comments and hints kept, each statement closed by a
// semicolon. What is read back has the same tree. A statement that could not be read stays as it
// was written. Empty for a script without statements and comments.
std::string Format(const ParsedScript& script, const FormatOptions& options = {});

// One node on one line, as Format would write it, without comments.
std::string FormatNode(const tree::Node& node);

}  // namespace tarn::sql
