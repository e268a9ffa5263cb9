#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tarn {

// Owned and borrowed runs of bytes; not text, though text is stored in them.
using Bytes = std::string;
using BytesView = std::string_view;

// `length` bytes from `offset`.
struct ByteRange {
  int64_t offset = 0;
  int64_t length = 0;
};

}  // namespace tarn
