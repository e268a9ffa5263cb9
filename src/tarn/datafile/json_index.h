#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace tarn {

// Where the tokens of a JSON text begin: brackets, commas, colons, opening quotes, first bytes of
// other scalars. The method is stage 1 of simdjson (Langdale and Lemire, "Parsing Gigabytes of JSON
// per Second", VLDB Journal 28, section 3.1): 64 bytes at a time as bit masks, without branches on
// the text; AVX2 where the machine has it. Not simdjson itself: see docs/adr/0010-json-index.md.
// Not thread-safe; keeps its memory.
class JsonIndex {
 public:
  // Bytes that are read behind a text.
  static constexpr size_t kPadding = 64;

  // Null, or why `text` cannot be tokenised: invalid UTF-8, a string that is not closed, a control
  // character within one. `text` has kPadding readable bytes behind it and is at
  // most 2 GiB.
  const char* Build(std::string_view text);

  // Offsets of the tokens, rising; one more entry follows, holding the text's length.
  const uint32_t* begin() const { return tokens_.get(); }
  uint32_t size() const { return size_; }

 private:
  std::unique_ptr<uint32_t[]> tokens_;
  size_t capacity_ = 0;
  uint32_t size_ = 0;
};

}  // namespace tarn
