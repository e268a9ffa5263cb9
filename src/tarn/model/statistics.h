#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/model/types.h"

namespace tarn {

// What is known of one column (a leaf at any depth outside lists and maps) in one file. Truth
// rules: a bound holds for every non-null value of the file; a bound that is absent says nothing;
// NaN never makes a bound, and a column with NaN has no upper bound an engine that sorts NaN last
// could trust (nan_count > 0 says so); zeros are bounded as lower -0.0, upper +0.0; µs are kept.
struct ColumnStatistics {
  int32_t field_id = 0;
  std::optional<int64_t> value_count = {};  // nulls included
  std::optional<int64_t> null_count = {};
  std::optional<int64_t> nan_count = {};
  std::optional<int64_t> size_bytes = {};  // compressed, in the file
  std::optional<Value> lower = {};
  std::optional<Value> upper = {};
  bool lower_exact = true;  // false: cut short
  bool upper_exact = true;
  friend bool operator==(const ColumnStatistics&, const ColumnStatistics&) = default;
};

// A bound of at most `length` code points (strings) or bytes (binary): the lower cut down, the
// upper cut and its last element raised (U+D7FF steps to U+E000; one that cannot be raised is
// dropped and the one before raised). Null when no upper bound exists (all U+10FFFF or 0xFF).
std::string TruncateLower(std::string_view text, bool utf8, int32_t length);
std::optional<std::string> TruncateUpper(std::string_view text, bool utf8, int32_t length);

// The statistics of both files together: counts add (absent if either is), bounds widen (absent if
// either is, unless that file holds no non-null value).
ColumnStatistics Merge(const Type& type, const ColumnStatistics& a, const ColumnStatistics& b);

}  // namespace tarn
