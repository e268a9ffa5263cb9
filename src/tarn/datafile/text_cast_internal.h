#pragma once

#include <string>
#include <string_view>

#include "tarn/model/types.h"

namespace tarn {

class TextColumn;

// Appends the scalar that `text` spells. False, appending nothing, with the reason it is none.
bool AppendText(const Type& type, std::string_view text, TextColumn& column, std::string* reason);

// `expected int64, got string "seven"`, with what is wrong where it is known.
std::string TextMismatch(const Type& type, std::string_view text, const char* problem = nullptr);

}  // namespace tarn
