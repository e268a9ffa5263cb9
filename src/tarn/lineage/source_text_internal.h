#pragma once

#include <string>
#include <string_view>

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

}  // namespace tarn::lineage
