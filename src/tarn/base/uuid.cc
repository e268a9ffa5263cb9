#include "tarn/base/uuid.h"

namespace tarn {

std::string NewUuid(Random& random) {
  uint64_t high = random.Next();
  uint64_t low = random.Next();
  high = (high & ~uint64_t{0xF000}) | uint64_t{0x4000};      // version 4
  low = (low & ~(uint64_t{3} << 62)) | (uint64_t{2} << 62);  // RFC 9562 variant
  static constexpr char kHex[] = "0123456789abcdef";
  std::string text;
  text.reserve(36);
  for (int nibble = 0; nibble < 32; ++nibble) {
    if (nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20) text += '-';
    const uint64_t word = nibble < 16 ? high : low;
    text += kHex[(word >> (60 - 4 * (nibble % 16))) & 0xF];
  }
  return text;
}

}  // namespace tarn
