#include "tarn/cli/print/display_width.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

namespace tarn::cli {
namespace {

using Range = std::pair<uint32_t, uint32_t>;

// Of Unicode's EastAsianWidth.txt (W and F) and emoji-data.txt, joined where nothing else lies
// between.
constexpr std::array<Range, 22> kWide = {{
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x23E9, 0x23EC}, {0x25FD, 0x25FE}, {0x2614, 0x2615},
    {0x2648, 0x2653},   {0x26C4, 0x26C5},   {0x2705, 0x2705}, {0x2728, 0x2728}, {0x274C, 0x274C},
    {0x2753, 0x2755},   {0x2795, 0x2797},   {0x2E80, 0x303E}, {0x3041, 0xA4CF}, {0xA960, 0xA97C},
    {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F}, {0xFF00, 0xFF60}, {0xFFE0, 0xFFE6},
    {0x1F300, 0x1FAFF}, {0x20000, 0x3FFFD},
}};
constexpr std::array<Range, 9> kZero = {{
    {0x0300, 0x036F},
    {0x0483, 0x0489},
    {0x0591, 0x05BD},
    {0x064B, 0x065F},
    {0x0E34, 0x0E3A},
    {0x200B, 0x200F},
    {0x20D0, 0x20F0},
    {0xFE00, 0xFE0F},
    {0xFE20, 0xFE2F},
}};

template <size_t N>
bool IsIn(uint32_t code, const std::array<Range, N>& ranges) {
  return std::any_of(ranges.begin(), ranges.end(), [&](const Range& range) {
    return range.first <= code && code <= range.second;
  });
}

// The code point at `at`, and where the next begins. A stray byte counts as one.
uint32_t Decode(std::string_view text, size_t& at) {
  const auto lead = static_cast<unsigned char>(text[at++]);
  const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
  uint32_t code = more == 0 ? lead : lead & (0x3Fu >> more);
  for (int i = 0; i < more && at < text.size() && (text[at] & 0xC0) == 0x80; ++i) {
    code = (code << 6) | (static_cast<unsigned char>(text[at++]) & 0x3Fu);
  }
  return code;
}

size_t WidthOf(uint32_t code) { return IsIn(code, kZero) ? 0 : IsIn(code, kWide) ? 2 : 1; }

}  // namespace

size_t DisplayWidth(std::string_view text) {
  size_t width = 0;
  for (size_t at = 0; at < text.size();) width += WidthOf(Decode(text, at));
  return width;
}

std::string CutToWidth(std::string_view text, size_t width) {
  if (text.size() <= width || DisplayWidth(text) <= width) return std::string(text);
  size_t used = 0;
  size_t end = 0;
  for (size_t at = 0; at < text.size();) {
    used += WidthOf(Decode(text, at));
    if (used + 1 > width) break;
    end = at;
  }
  return std::string(text.substr(0, end)) + (width > 0 ? "…" : "");
}

std::string OnOneLine(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  for (const char c : text) {
    if (c == '\n') {
      line += "\\n";
    } else if (c == '\t') {
      line += "\\t";
    } else if (c == '\r') {
      line += "\\r";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      line += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      line += c;
    }
  }
  return line;
}

}  // namespace tarn::cli
