#pragma once

#include <cstdint>
#include <string>

namespace tarn {

// `point` (at most 0x10FFFF) in UTF-8: one to four bytes at `out`; returns where they end.
char* WriteUtf8(uint32_t point, char* out);
// The same at the end of `text`.
void AppendUtf8(uint32_t point, std::string& text);

}  // namespace tarn
