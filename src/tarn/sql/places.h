#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tarn/sql/token.h"

namespace tarn::sql {

// Lines and columns (code points) of many places in one text. Rising offsets cost their distance,
// also within one endless line; others begin at their line. Keeps a view of the text.
class Places {
 public:
  explicit Places(std::string_view sql) : sql_(sql) {}

  // Past the end: the end's.
  SourcePlace Of(uint32_t offset);

 private:
  std::string_view sql_;
  std::vector<uint32_t> lines_ = {};  // where each begins; found when first asked
  uint32_t last_ = 0;                 // the offset asked for last
  SourcePlace place_ = {};            // and its place
};

}  // namespace tarn::sql
