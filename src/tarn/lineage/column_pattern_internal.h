#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tarn::lineage {

// A regular expression over the names of columns, as COLUMNS('…') takes one: literals, ., classes,
// \d \w \s, groups, |, the quantifiers * + ? {m,n} (also lazy), ^ and $, and (?i) in front. Works
// byte by byte.
class ColumnPattern {
 public:
  // Nothing for what is no such expression, or one of too many states.
  static std::optional<ColumnPattern> Parse(std::string_view pattern);
  // Whether it matches somewhere in `name`. O(name × pattern): nothing is tried twice.
  bool Matches(std::string_view name) const;

 private:
  friend class PatternReader;
  using Bytes = std::bitset<256>;
  struct State {
    enum class Kind : uint8_t { kBytes, kSplit, kBegin, kEnd, kMatch } kind = Kind::kMatch;
    Bytes bytes = {};
    uint32_t next = 0;
    uint32_t other = 0;  // of kSplit
  };
  ColumnPattern() = default;
  std::vector<State> states_;
  uint32_t start_ = 0;
};

}  // namespace tarn::lineage
