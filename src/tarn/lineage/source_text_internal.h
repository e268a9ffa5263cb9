#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/sql/token.h"

namespace tarn::lineage {

// The text at `span`, with every run of white space as one space: how expressions are shown. Empty
// for a span that is not in `sql`.
inline std::string SourceText(std::string_view sql, const sql::SourceSpan& span) {
  std::string text;
  if (span.end > sql.size() || span.begin > span.end) return text;
  bool space = false;
  for (const char byte : sql.substr(span.begin, span.size())) {
    if (byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r') {
      space = true;
      continue;
    }
    if (space && !text.empty()) text += ' ';
    space = false;
    text += byte;
  }
  return text;
}

// Lines and columns of many places in one text: the same answers as sql::PlaceOf, without reading
// the text from its beginning each time.
class Places {
 public:
  explicit Places(std::string_view sql) : sql_(sql), lines_{0} {
    for (size_t at = sql.find('\n'); at != std::string_view::npos; at = sql.find('\n', at + 1)) {
      lines_.push_back(static_cast<uint32_t>(at + 1));
    }
  }

  sql::SourcePlace Of(uint32_t offset) const {
    offset = std::min(offset, static_cast<uint32_t>(sql_.size()));
    const auto next = std::upper_bound(lines_.begin(), lines_.end(), offset);
    const std::string_view before = sql_.substr(*(next - 1), offset - *(next - 1));
    const auto points = std::count_if(before.begin(), before.end(),
                                      [](char byte) { return (byte & 0xC0) != 0x80; });
    return {.line = static_cast<int32_t>(next - lines_.begin()),
            .column = static_cast<int32_t>(points) + 1};
  }

 private:
  std::string_view sql_;
  std::vector<uint32_t> lines_;  // where each begins
};

}  // namespace tarn::lineage
