#pragma once

#include <cstdint>
#include <string>

namespace tarn {

// A number as Avro writes ints and longs (zigzag, 7 bits a byte), at most 10 bytes of which all may
// be read. Null when it is longer.
inline const uint8_t* ReadAvroLong(const uint8_t* p, int64_t* value) {
  uint64_t raw = *p++;
  if (raw >= 0x80) {
    raw &= 0x7F;
    int shift = 7;
    while (true) {
      const uint64_t byte = *p++;
      raw |= (byte & 0x7F) << shift;
      if (byte < 0x80) {
        // The tenth byte has room for one bit.
        if (shift == 63 && byte > 1) return nullptr;
        break;
      }
      shift += 7;
      if (shift > 63) return nullptr;
    }
  }
  *value = static_cast<int64_t>(raw >> 1) ^ -static_cast<int64_t>(raw & 1);
  return p;
}

inline void AppendAvroLong(int64_t value, std::string& out) {
  uint64_t raw = (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
  while (raw >= 0x80) {
    out += static_cast<char>(raw | 0x80);
    raw >>= 7;
  }
  out += static_cast<char>(raw);
}

}  // namespace tarn
