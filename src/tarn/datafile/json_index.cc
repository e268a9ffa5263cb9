#include "tarn/datafile/json_index.h"

#include <algorithm>
#include <cstring>

#include "tarn/base/text.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tarn {
namespace {

// 64 bytes of text, one bit per byte, the first in the lowest.
struct Masks {
  uint64_t quote;
  uint64_t backslash;
  uint64_t op;       // { } [ ] : ,
  uint64_t space;    // blank, tab, LF, CR
  uint64_t control;  // below 0x20
  uint64_t high;     // not ASCII
};

using ClassifyFunction = void (*)(const char* text, size_t blocks, Masks* out);

#if defined(__x86_64__)

// The two kinds of token character are found by one table look-up each (simdjson, "json_character_
// block"): pshufb indexes by the low four bits, and gives zero for bytes above 0x7F.
__attribute__((target("avx2"))) void ClassifyAvx2(const char* text, size_t blocks, Masks* out) {
  const __m256i space_table = _mm256_broadcastsi128_si256(_mm_setr_epi8(
      ' ', 100, 100, 100, 17, 100, 113, 2, 100, '\t', '\n', 112, 100, '\r', 100, 100));
  const __m256i op_table = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ':', '{', ',', '}', 0, 0));
  for (size_t block = 0; block < blocks; ++block, text += 64, ++out) {
    Masks masks{};
    for (int half = 0; half < 2; ++half) {
      const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text + half * 32));
      const auto bits = [half](__m256i lanes) __attribute__((target("avx2"), always_inline)) {
        return static_cast<uint64_t>(static_cast<uint32_t>(_mm256_movemask_epi8(lanes)))
               << (half * 32);
      };
      masks.quote |= bits(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('"')));
      masks.backslash |= bits(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\\')));
      // '[' | 0x20 is '{', ']' | 0x20 is '}'; ',' and ':' have that bit.
      const __m256i folded = _mm256_or_si256(bytes, _mm256_set1_epi8(0x20));
      masks.op |= bits(_mm256_cmpeq_epi8(folded, _mm256_shuffle_epi8(op_table, bytes)));
      masks.space |= bits(_mm256_cmpeq_epi8(bytes, _mm256_shuffle_epi8(space_table, bytes)));
      masks.control |=
          bits(_mm256_cmpeq_epi8(_mm256_min_epu8(bytes, _mm256_set1_epi8(0x1F)), bytes));
      masks.high |= bits(bytes);
    }
    *out = masks;
  }
}

void ClassifySse2(const char* text, size_t blocks, Masks* out) {
  for (size_t block = 0; block < blocks; ++block, text += 64, ++out) {
    Masks masks{};
    for (int part = 0; part < 4; ++part) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + part * 16));
      const auto bits = [part](__m128i lanes) {
        return static_cast<uint64_t>(static_cast<uint32_t>(_mm_movemask_epi8(lanes)))
               << (part * 16);
      };
      const auto is = [&bytes](char c) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)); };
      masks.quote |= bits(is('"'));
      masks.backslash |= bits(is('\\'));
      const __m128i folded = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
      const __m128i braces = _mm_or_si128(_mm_cmpeq_epi8(folded, _mm_set1_epi8('{')),
                                          _mm_cmpeq_epi8(folded, _mm_set1_epi8('}')));
      masks.op |= bits(_mm_or_si128(braces, _mm_or_si128(is(':'), is(','))));
      masks.space |=
          bits(_mm_or_si128(_mm_or_si128(is(' '), is('\t')), _mm_or_si128(is('\n'), is('\r'))));
      masks.control |= bits(_mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1F)), bytes));
      masks.high |= bits(bytes);
    }
    *out = masks;
  }
}

ClassifyFunction BestClassify() {
  return __builtin_cpu_supports("avx2") != 0 ? ClassifyAvx2 : ClassifySse2;
}

#else

void ClassifyPlainly(const char* text, size_t blocks, Masks* out) {
  for (size_t block = 0; block < blocks; ++block, text += 64, ++out) {
    Masks masks{};
    for (int i = 0; i < 64; ++i) {
      const auto c = static_cast<unsigned char>(text[i]);
      const uint64_t bit = uint64_t{1} << i;
      if (c == '"') masks.quote |= bit;
      if (c == '\\') masks.backslash |= bit;
      if (c == '{' || c == '}' || c == '[' || c == ']' || c == ':' || c == ',') masks.op |= bit;
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r') masks.space |= bit;
      if (c < 0x20) masks.control |= bit;
      if (c >= 0x80) masks.high |= bit;
    }
    *out = masks;
  }
}

ClassifyFunction BestClassify() { return ClassifyPlainly; }

#endif

// Each bit becomes the parity of itself and all lower ones: from quotes to "within a string".
uint64_t PrefixXor(uint64_t bits) {
  bits ^= bits << 1;
  bits ^= bits << 2;
  bits ^= bits << 4;
  bits ^= bits << 8;
  bits ^= bits << 16;
  bits ^= bits << 32;
  return bits;
}

// What one block leaves to the next, and the masks joined to tokens.
class Scanner {
 public:
  // Bits at which tokens begin.
  uint64_t Next(const Masks& masks) {
    const uint64_t quote = masks.quote & ~Escaped(masks.backslash);
    const uint64_t in_string = PrefixXor(quote) ^ in_string_;
    in_string_ = static_cast<uint64_t>(static_cast<int64_t>(in_string) >> 63);
    control_in_string_ |= masks.control & in_string;
    const uint64_t scalar = ~(masks.op | masks.space);
    const uint64_t plain_scalar = scalar & ~quote;
    const uint64_t follows_scalar = (plain_scalar << 1) | scalar_before_;
    scalar_before_ = plain_scalar >> 63;
    const uint64_t starts = masks.op | (scalar & ~follows_scalar);
    const uint64_t string_tail = in_string ^ quote;
    return starts & ~string_tail;
  }

  bool in_string() const { return in_string_ != 0; }
  bool control_in_string() const { return control_in_string_ != 0; }

 private:
  // Characters behind an odd run of backslashes (simdjson, "find_escaped").
  uint64_t Escaped(uint64_t backslash) {
    if (backslash == 0) {
      const uint64_t escaped = escape_before_;
      escape_before_ = 0;
      return escaped;
    }
    backslash &= ~escape_before_;
    const uint64_t follows_escape = (backslash << 1) | escape_before_;
    constexpr uint64_t kEvenBits = 0x5555555555555555ULL;
    const uint64_t odd_starts = backslash & ~kEvenBits & ~follows_escape;
    uint64_t even_sequences = 0;
    escape_before_ = __builtin_add_overflow(odd_starts, backslash, &even_sequences) ? 1 : 0;
    const uint64_t invert = even_sequences << 1;
    return (kEvenBits ^ invert) & follows_escape;
  }

  uint64_t escape_before_ = 0;  // the next character is escaped
  uint64_t in_string_ = 0;      // all ones within a string
  uint64_t scalar_before_ = 0;  // the last character belonged to a scalar
  uint64_t control_in_string_ = 0;
};

// Bits set; without the instruction that a plain x86-64 may lack, the builtin is a call.
int CountBits(uint64_t bits) {
  bits -= (bits >> 1) & 0x5555555555555555ULL;
  bits = (bits & 0x3333333333333333ULL) + ((bits >> 2) & 0x3333333333333333ULL);
  bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
  return static_cast<int>((bits * 0x0101010101010101ULL) >> 56);
}

// Writes the offsets of `bits`; up to 8 entries behind the last are overwritten.
uint32_t* WriteTokens(uint64_t bits, uint32_t base, uint32_t* out) {
  const int count = CountBits(bits);
  for (int done = 0; done < count; done += 8) {
    for (int i = 0; i < 8; ++i) {
      // Beyond the last token `bits` is zero, and so is what the builtin may say: never read.
      out[done + i] = base + static_cast<uint32_t>(__builtin_ctzll(bits | (uint64_t{1} << 63)));
      bits &= bits - 1;
    }
  }
  return out + count;
}

}  // namespace

const char* JsonIndex::Build(std::string_view text) {
  constexpr size_t kBatch = 32;  // blocks: their masks stay in the first cache
  static const ClassifyFunction classify = BestClassify();
  if (capacity_ < text.size()) {
    capacity_ = std::max(text.size(), size_t{64} << 10);
    tokens_.reset(new uint32_t[capacity_ + 80]);
  } else if (tokens_ == nullptr) {
    tokens_.reset(new uint32_t[80]);
  }
  size_ = 0;
  Scanner scanner;
  uint32_t* out = tokens_.get();
  uint64_t high = 0;
  Masks masks[kBatch];
  const size_t whole = text.size() / 64;
  size_t block = 0;
  while (block < whole) {
    const size_t count = std::min(kBatch, whole - block);
    classify(text.data() + block * 64, count, masks);
    for (size_t i = 0; i < count; ++i, ++block) {
      high |= masks[i].high;
      out = WriteTokens(scanner.Next(masks[i]), static_cast<uint32_t>(block * 64), out);
    }
  }
  if (const size_t rest = text.size() % 64; rest != 0) {
    char last[64];
    std::memset(last, ' ', sizeof last);
    std::memcpy(last, text.data() + whole * 64, rest);
    classify(last, 1, masks);
    high |= masks[0].high;
    out = WriteTokens(scanner.Next(masks[0]), static_cast<uint32_t>(whole * 64), out);
  }
  if (scanner.in_string()) return "a string is not closed";
  if (scanner.control_in_string()) return "a control character or line end within a string";
  if (high != 0 && !IsUtf8(text)) return "invalid UTF-8";
  size_ = static_cast<uint32_t>(out - tokens_.get());
  *out = static_cast<uint32_t>(text.size());
  return nullptr;
}

}  // namespace tarn
