#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tarn/storage/storage.h"

namespace tarn::testing {

// Numbers as Avro writes them (zigzag, 7 bits a byte), spelled out apart from the code under test.
inline std::string AvroLong(int64_t value) {
  auto raw = static_cast<uint64_t>(value) * 2;
  if (value < 0) raw = ~raw;
  std::string out;
  for (; raw > 127; raw /= 128) out += static_cast<char>(raw % 128 + 128);
  return out + static_cast<char>(raw);
}

inline std::string AvroText(std::string_view text) {
  return AvroLong(static_cast<int64_t>(text.size())) + std::string(text);
}

inline constexpr std::string_view kAvroSync = "0123456789abcdef";

inline std::string AvroHeaderBytes(std::string_view schema, std::string_view codec = "null") {
  return std::string("Obj\x01", 4) + AvroLong(2) + AvroText("avro.codec") + AvroText(codec) +
         AvroText("avro.schema") + AvroText(schema) + AvroLong(0) + std::string(kAvroSync);
}

inline std::string AvroBlockBytes(int64_t rows, std::string_view bytes) {
  return AvroLong(rows) + AvroText(bytes) + std::string(kAvroSync);
}

// An object of given bytes.
class BytesObject final : public ObjectReader {
 public:
  explicit BytesObject(std::string bytes) : bytes_(std::move(bytes)) {}
  int64_t size_bytes() const override { return static_cast<int64_t>(bytes_.size()); }
  Status ReadAt(int64_t offset, int64_t length, char* out) const override {
    if (offset < 0 || length < 0 || offset + length > size_bytes()) {
      return Invalid("a range beyond the end");
    }
    bytes_.copy(out, static_cast<size_t>(length), static_cast<size_t>(offset));
    return OkStatus();
  }

 private:
  const std::string bytes_;
};

}  // namespace tarn::testing
