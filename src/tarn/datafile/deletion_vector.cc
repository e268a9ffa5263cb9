#include "tarn/datafile/deletion_vector.h"

#include <bit>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <zlib.h>

namespace tarn {
namespace {

constexpr uint32_t kMagic = 1'681'511'377;
constexpr uint32_t kCookieWithRuns = 12'347;
constexpr uint32_t kCookieNoRuns = 12'346;
constexpr uint32_t kOffsetsFrom = 4;  // containers, from which a bitmap with runs has offsets
constexpr size_t kListMax = 4096;     // values, beyond which a container is a bitmap
constexpr size_t kBitmapWords = 1024;

// Little-endian reading that never passes the end.
class Reader {
 public:
  explicit Reader(BytesView bytes) : bytes_(bytes) {}

  template <class T>
  bool Take(T& into) {
    if (bytes_.size() < sizeof(T)) return false;
    std::memcpy(&into, bytes_.data(), sizeof(T));
    bytes_.remove_prefix(sizeof(T));
    return true;
  }
  bool TakeBytes(size_t length, BytesView& into) {
    if (bytes_.size() < length) return false;
    into = bytes_.substr(0, length);
    bytes_.remove_prefix(length);
    return true;
  }
  size_t left() const { return bytes_.size(); }

 private:
  BytesView bytes_;
};
static_assert(std::endian::native == std::endian::little);

Error Bad(std::string_view what) { return Corrupt("deletion vector: " + std::string(what)); }

// The shape RowSet keeps: a list while it is short.
RowSet::Chunk FromBits(std::vector<uint64_t> bits) {
  size_t count = 0;
  for (const uint64_t word : bits) count += static_cast<size_t>(std::popcount(word));
  RowSet::Chunk chunk;
  if (count > kListMax) {
    chunk.bits = std::move(bits);
    return chunk;
  }
  chunk.list.reserve(count);
  for (size_t word = 0; word < bits.size(); ++word) {
    for (uint64_t rest = bits[word]; rest != 0; rest &= rest - 1) {
      chunk.list.push_back(static_cast<uint16_t>(word * 64 + std::countr_zero(rest)));
    }
  }
  return chunk;
}

Result<RowSet::Chunk> TakeRuns(Reader& reader) {
  uint16_t runs = 0;
  BytesView pairs;
  if (!reader.Take(runs) || !reader.TakeBytes(size_t{runs} * 4, pairs)) return Bad("cut in a run");
  std::vector<uint64_t> bits(kBitmapWords, 0);
  int32_t free_from = 0;
  for (size_t i = 0; i < runs; ++i) {
    uint16_t start = 0;
    uint16_t length_minus_one = 0;
    std::memcpy(&start, pairs.data() + i * 4, sizeof(start));
    std::memcpy(&length_minus_one, pairs.data() + i * 4 + 2, sizeof(length_minus_one));
    const int32_t last = int32_t{start} + length_minus_one;
    if (start < free_from || last > UINT16_MAX) return Bad("runs out of order");
    for (int32_t value = start; value <= last; ++value) {
      bits[static_cast<size_t>(value) / 64] |= uint64_t{1} << (value % 64);
    }
    free_from = last + 1;
  }
  return FromBits(std::move(bits));
}

Result<RowSet::Chunk> TakeList(Reader& reader, size_t count) {
  BytesView values;
  if (!reader.TakeBytes(count * sizeof(uint16_t), values)) return Bad("cut in a list");
  RowSet::Chunk chunk;
  chunk.list.resize(count);
  std::memcpy(chunk.list.data(), values.data(), values.size());
  for (size_t i = 1; i < count; ++i) {
    if (chunk.list[i - 1] >= chunk.list[i]) return Bad("a list out of order");
  }
  return chunk;
}

Result<RowSet::Chunk> TakeBitmap(Reader& reader, size_t count) {
  BytesView words;
  if (!reader.TakeBytes(kBitmapWords * sizeof(uint64_t), words)) return Bad("cut in a bitmap");
  std::vector<uint64_t> bits(kBitmapWords);
  std::memcpy(bits.data(), words.data(), words.size());
  size_t there = 0;
  for (const uint64_t word : bits) there += static_cast<size_t>(std::popcount(word));
  if (there != count) return Bad("a bitmap with another number of rows than its header says");
  return FromBits(std::move(bits));
}

// One 32-bit bitmap (RoaringFormatSpec) whose values have `high` above them.
Status TakeBitmap32(Reader& reader, uint64_t high, int64_t& rows_left, RowSet& rows) {
  uint32_t cookie = 0;
  if (!reader.Take(cookie)) return Bad("cut before a bitmap");
  uint32_t containers = 0;
  BytesView run_flags;
  const bool has_runs = (cookie & 0xFFFFU) == kCookieWithRuns;
  if (has_runs) {
    containers = (cookie >> 16) + 1;
    if (!reader.TakeBytes((containers + 7) / 8, run_flags)) return Bad("cut in the header");
  } else if (cookie != kCookieNoRuns) {
    return Bad("unknown cookie " + std::to_string(cookie));
  } else if (!reader.Take(containers)) {
    return Bad("cut in the header");
  }
  if (containers > 65'536) return Bad("more containers than there can be");
  BytesView keys;
  BytesView offsets;
  if (!reader.TakeBytes(size_t{containers} * 4, keys)) return Bad("cut in the header");
  if ((!has_runs || containers >= kOffsetsFrom) &&
      !reader.TakeBytes(size_t{containers} * 4, offsets)) {
    return Bad("cut in the header");
  }
  int32_t previous = -1;
  for (size_t i = 0; i < containers; ++i) {
    uint16_t key = 0;
    uint16_t count_minus_one = 0;
    std::memcpy(&key, keys.data() + i * 4, sizeof(key));
    std::memcpy(&count_minus_one, keys.data() + i * 4 + 2, sizeof(count_minus_one));
    if (int32_t{key} <= previous) return Bad("containers out of order");
    previous = key;
    const size_t count = size_t{count_minus_one} + 1;
    const bool is_run =
        has_runs && ((static_cast<unsigned char>(run_flags[i / 8]) >> (i % 8)) & 1U) != 0;
    Result<RowSet::Chunk> chunk = is_run              ? TakeRuns(reader)
                                  : count <= kListMax ? TakeList(reader, count)
                                                      : TakeBitmap(reader, count);
    if (!chunk.ok()) return std::move(chunk).error();
    if (chunk->list.empty() && chunk->bits.empty()) continue;
    rows_left -= chunk->Count();
    if (rows_left < 0) return Bad("more rows than the log says");
    rows.SetChunk(high << 16 | key, *std::move(chunk));
  }
  return {};
}

uint32_t BigEndian32(BytesView bytes) {
  uint32_t number = 0;
  for (size_t i = 0; i < 4; ++i) number = number << 8 | static_cast<unsigned char>(bytes[i]);
  return number;
}

template <class T>
void AppendLittleEndian(Bytes& out, T value) {
  for (size_t i = 0; i < sizeof(T); ++i) out += static_cast<char>((value >> (8 * i)) & 0xFF);
}

void AppendBigEndian(Bytes& out, uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>((value >> shift) & 0xFF);
}

// A container's values, as the format wants them: a list up to 4,096, above that a bitmap.
void AppendContainer(Bytes& out, const RowSet::Chunk& chunk, size_t count) {
  if (count <= kListMax) {
    if (chunk.bits.empty()) {
      for (const uint16_t low : chunk.list) AppendLittleEndian(out, low);
      return;
    }
    for (size_t word = 0; word < chunk.bits.size(); ++word) {
      for (uint64_t bits = chunk.bits[word]; bits != 0; bits &= bits - 1) {
        AppendLittleEndian(out, static_cast<uint16_t>(word * 64 + __builtin_ctzll(bits)));
      }
    }
    return;
  }
  std::vector<uint64_t> bits = chunk.bits;
  bits.resize(kBitmapWords);
  if (chunk.bits.empty()) {
    for (const uint16_t low : chunk.list) bits[low / 64] |= uint64_t{1} << (low % 64);
  }
  for (const uint64_t word : bits) AppendLittleEndian(out, word);
}

struct Container {
  uint16_t key;
  const RowSet::Chunk* chunk;
  size_t count;
};

// "RoaringFormatSpec", 32 bits: cookie, number of containers, keys with counts, offsets,
// containers.
void AppendBitmap32(Bytes& out, const std::vector<Container>& containers) {
  AppendLittleEndian(out, kCookieNoRuns);
  AppendLittleEndian(out, static_cast<uint32_t>(containers.size()));
  for (const Container& container : containers) {
    AppendLittleEndian(out, container.key);
    AppendLittleEndian(out, static_cast<uint16_t>(container.count - 1));
  }
  auto offset = static_cast<uint32_t>(8 + containers.size() * 8);
  for (const Container& container : containers) {
    AppendLittleEndian(out, offset);
    offset +=
        static_cast<uint32_t>(container.count <= kListMax ? container.count * 2 : kBitmapWords * 8);
  }
  for (const Container& container : containers) {
    AppendContainer(out, *container.chunk, container.count);
  }
}

uint32_t ChecksumOf(BytesView bytes) {
  return static_cast<uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

}  // namespace

Result<RowSet> DecodeDeletionVector(BytesView bytes, int64_t rows_max) {
  Reader reader(bytes);
  uint32_t magic = 0;
  uint64_t buckets = 0;
  if (!reader.Take(magic)) return Bad("shorter than its magic number");
  if (magic != kMagic) return Bad("magic number " + std::to_string(magic));
  if (!reader.Take(buckets)) return Bad("cut before the number of bitmaps");
  RowSet rows;
  int64_t previous = -1;
  // Each bucket takes 12 bytes at the least, so a great number ends at the first missing one.
  for (uint64_t i = 0; i < buckets; ++i) {
    uint32_t key = 0;
    if (!reader.Take(key)) return Bad("fewer bitmaps than it says");
    if (key > INT32_MAX || int64_t{key} <= previous) return Bad("bitmaps out of order");
    previous = key;
    TARN_RETURN_IF_ERROR(TakeBitmap32(reader, key, rows_max, rows));
  }
  return rows;
}

Bytes EncodeDeletionVector(const RowSet& rows) {
  std::map<uint32_t, std::vector<Container>> buckets;  // by the upper 32 bits of the rows
  for (const auto& [high48, chunk] : rows.chunks()) {
    const auto count = static_cast<size_t>(chunk.Count());
    if (count == 0) continue;
    buckets[static_cast<uint32_t>(high48 >> 16)].push_back(
        {static_cast<uint16_t>(high48 & 0xFFFF), &chunk, count});
  }
  Bytes out;
  AppendLittleEndian(out, kMagic);
  AppendLittleEndian(out, static_cast<uint64_t>(buckets.size()));
  for (const auto& [key, containers] : buckets) {
    AppendLittleEndian(out, key);
    AppendBitmap32(out, containers);
  }
  return out;
}

Result<BytesView> UnframeDeletionVector(BytesView framed) {
  if (framed.size() < 8) return Bad("shorter than its frame");
  const BytesView vector = framed.substr(4, framed.size() - 8);
  if (BigEndian32(framed) != static_cast<uint32_t>(vector.size())) {
    return Bad("the size in front of it is not that of its bytes");
  }
  if (BigEndian32(framed.substr(4 + vector.size())) != ChecksumOf(vector)) {
    return Bad("wrong checksum");
  }
  return vector;
}

void FrameDeletionVector(BytesView vector, Bytes& out) {
  AppendBigEndian(out, static_cast<uint32_t>(vector.size()));
  out += vector;
  AppendBigEndian(out, ChecksumOf(vector));
}

}  // namespace tarn
