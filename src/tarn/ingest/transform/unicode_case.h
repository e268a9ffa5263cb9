#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tarn {

// Locale-free letters, by tables generated from Unicode 14 (tools/generate_unicode_case.py).

// Upper case (Lu, Lt) or lower case (Ll) by general category.
bool IsUpperCase(uint32_t code_point);
bool IsLowerCase(uint32_t code_point);
bool IsDecimalDigit(uint32_t code_point);  // Nd

// The default full lower-case mapping without context (final sigma stays σ). İ gives two code
// points.
void AppendLower(uint32_t code_point, std::string* utf8);

// The code point at text[*at] of valid UTF-8; *at moves behind it. Invalid bytes give U+FFFD.
uint32_t NextCodePoint(std::string_view text, size_t* at);

}  // namespace tarn
