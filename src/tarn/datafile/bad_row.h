#pragma once

#include <cstdint>
#include <string>

namespace tarn {

// A record of a text source that could not become a row: where it stands, which column, why, and
// its bytes as they stood in the source (cut at 4 KiB).
struct BadRow {
  int64_t line = 0;    // 1-based; of the record's first line
  std::string column;  // dotted path; empty when the record as a whole is at fault
  std::string reason;  // "expected int64, got string \"seven\""
  std::string raw = {};

  // "column v: expected int64, got string "seven"", or the reason alone.
  std::string ToText() const {
    return column.empty() ? reason : "column " + column + ": " + reason;
  }
};

}  // namespace tarn
