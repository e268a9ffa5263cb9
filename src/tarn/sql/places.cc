#include "tarn/sql/places.h"

#include <algorithm>

namespace tarn::sql {

SourcePlace Places::Of(uint32_t offset) {
  if (lines_.empty()) {
    lines_.push_back(0);
    for (size_t at = sql_.find('\n'); at != std::string_view::npos; at = sql_.find('\n', at + 1)) {
      lines_.push_back(static_cast<uint32_t>(at + 1));
    }
  }
  offset = std::min(offset, static_cast<uint32_t>(sql_.size()));
  const auto next = std::upper_bound(lines_.begin(), lines_.end(), offset);
  const uint32_t line_begin = *(next - 1);
  if (last_ < line_begin || last_ > offset) {
    last_ = line_begin;
    place_.column = 1;
  }
  const std::string_view between = sql_.substr(last_, offset - last_);
  place_.line = static_cast<int32_t>(next - lines_.begin());
  place_.column += static_cast<int32_t>(std::count_if(
      between.begin(), between.end(), [](char byte) { return (byte & 0xC0) != 0x80; }));
  last_ = offset;
  return place_;
}

}  // namespace tarn::sql
