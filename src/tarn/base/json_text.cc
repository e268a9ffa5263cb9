#include "tarn/base/json_text.h"

#include <cstddef>

#include "tarn/base/text.h"

namespace tarn {
namespace {

// Length of the UTF-8 sequence at text[at], or 0 when there is none.
size_t SequenceLength(std::string_view text, size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const size_t length = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (length == 0 || at + length > text.size()) return 0;
  return IsUtf8(text.substr(at, length)) ? length : 0;
}

// A character below 0x20.
void AppendControl(unsigned char byte, std::string& out) {
  static constexpr char kHex[] = "0123456789abcdef";
  switch (byte) {
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      out += "\\u00";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
  }
}

}  // namespace

void AppendJsonString(std::string_view text, std::string& out) {
  out += '"';
  size_t plain_from = 0;  // bytes from here on need no escape and are copied in one go
  for (size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\') {
      ++at;
      continue;
    }
    const size_t length = byte < 0x80 ? 0 : SequenceLength(text, at);
    if (length > 0) {
      at += length;
      continue;
    }
    out.append(text, plain_from, at - plain_from);
    if (byte == '"' || byte == '\\') {
      out += '\\';
      out += static_cast<char>(byte);
    } else if (byte < 0x20) {
      AppendControl(byte, out);
    } else {
      out += "\xEF\xBF\xBD";
    }
    plain_from = ++at;
  }
  out.append(text, plain_from);
  out += '"';
}

}  // namespace tarn
