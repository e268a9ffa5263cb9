#include "tarn/format/delta/dv_read.h"

#include <array>
#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#include <zlib.h>

#include "tarn/base/text.h"
#include "tarn/format/delta/file_decoder.h"
#include "tarn/format/delta/location.h"

namespace tarn::delta {
namespace {

constexpr uint32_t kMagic = 1'681'511'377;
constexpr uint32_t kCookieWithRuns = 12'347;
constexpr uint32_t kCookieNoRuns = 12'346;
constexpr uint32_t kOffsetsFrom = 4;  // containers, from which a bitmap with runs has offsets
constexpr size_t kListMax = 4096;     // values, beyond which a container is a bitmap
constexpr size_t kBitmapWords = 1024;
constexpr size_t kUuidText = 20;  // 16 bytes in Z85

constexpr std::string_view kZ85 =
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";

std::array<int8_t, 256> Z85Values() {
  std::array<int8_t, 256> values{};
  values.fill(-1);
  for (size_t i = 0; i < kZ85.size(); ++i) {
    values[static_cast<unsigned char>(kZ85[i])] = static_cast<int8_t>(i);
  }
  return values;
}

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

Result<Path> VectorPath(const TableHome& home, const DeletionVectorDescriptor& vector) {
  if (vector.storage_type == 'p') return home.Resolve(DecodeLocation(vector.path_or_inline));
  if (vector.path_or_inline.size() < kUuidText) return Bad("a name shorter than a UUID");
  const size_t prefix_length = vector.path_or_inline.size() - kUuidText;
  TARN_ASSIGN_OR_RETURN(const Bytes uuid,
                        DecodeZ85(std::string_view(vector.path_or_inline).substr(prefix_length)));
  std::string name = HexEncode(uuid);
  for (const size_t at : {8, 13, 18, 23}) name.insert(at, "-");
  name = "deletion_vector_" + name + ".bin";
  if (prefix_length > 0) name = vector.path_or_inline.substr(0, prefix_length) + "/" + name;
  return home.root.Join(name);
}

// The checked bytes of a vector in a file ("Deletion Vector File Storage Format").
Result<Bytes> ReadFramed(const TableHome& home, const DeletionVectorDescriptor& vector) {
  TARN_ASSIGN_OR_RETURN(const Path path, VectorPath(home, vector));
  // The first byte is the file's version, so no vector starts at 0, which stands for "not given".
  const int64_t start = vector.offset.value_or(0) > 0 ? *vector.offset : 1;
  const int64_t size = vector.size_bytes;
  Result<Bytes> framed = home.storage.ReadRange(path, {start, size + 8});
  if (!framed.ok()) {
    if (framed.error().code == ErrorCode::kInvalid) {
      return Corrupt("deletion vector: '" + path.str() + "' is too short");
    }
    return std::move(framed).error();
  }
  const BytesView bytes = *framed;
  if (BigEndian32(bytes) != static_cast<uint32_t>(size)) {
    return Corrupt("deletion vector: '" + path.str() + "': the size at byte " +
                   std::to_string(start) + " is not the one in the log");
  }
  const BytesView data = bytes.substr(4, static_cast<size_t>(size));
  const auto checksum = static_cast<uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(data.data()), static_cast<uInt>(data.size())));
  if (BigEndian32(bytes.substr(4 + static_cast<size_t>(size))) != checksum) {
    return Corrupt("deletion vector: '" + path.str() + "': wrong checksum");
  }
  return Bytes(data);
}

}  // namespace

Result<Bytes> DecodeZ85(std::string_view text) {
  static const std::array<int8_t, 256> kValues = Z85Values();
  if (text.size() % 5 != 0) return Bad("Z85 text of odd length");
  Bytes bytes;
  bytes.reserve(text.size() / 5 * 4);
  for (size_t at = 0; at < text.size(); at += 5) {
    std::string_view group = text.substr(at, 5);
    size_t length = 4;
    // '#' cannot begin four bytes: what follows one, two or three of them stands for as many bytes
    // less, in the last group only.
    while (at + 5 == text.size() && length > 1 && group.front() == '#') {
      group.remove_prefix(1);
      --length;
    }
    uint64_t number = 0;
    for (const char c : group) {
      const int8_t value = kValues[static_cast<unsigned char>(c)];
      if (value < 0) return Bad("a character outside Z85");
      number = number * 85 + static_cast<uint64_t>(value);
    }
    if (number >> (8 * length) != 0) return Bad("Z85 text that stands for no bytes");
    for (size_t i = length; i > 0; --i) {
      bytes.push_back(static_cast<char>(number >> (8 * (i - 1)) & 0xFFU));
    }
  }
  return bytes;
}

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

Result<RowSet> ReadDeletionVector(const TableHome& home, const DeleteFile& deletes) {
  TARN_ASSIGN_OR_RETURN(const DeletionVectorDescriptor vector, ToDescriptor(deletes));
  const auto in_context = [&](const Error& error) {
    return error.WithContext("delta: '" + vector.UniqueId() + "'");
  };
  Bytes bytes;
  if (vector.storage_type == 'i') {
    Result<Bytes> decoded = DecodeZ85(vector.path_or_inline);
    if (!decoded.ok()) return in_context(decoded.error());
    if (decoded->size() < static_cast<size_t>(vector.size_bytes)) {
      return in_context(Bad("shorter than the size in the log"));
    }
    bytes = decoded->substr(0, static_cast<size_t>(vector.size_bytes));
  } else if (vector.storage_type == 'u' || vector.storage_type == 'p') {
    Result<Bytes> read = ReadFramed(home, vector);
    if (!read.ok()) return in_context(read.error());
    bytes = *std::move(read);
  } else {
    return in_context(
        Unsupported("deletion vector: storage type '" + std::string(1, vector.storage_type) + "'"));
  }
  Result<RowSet> rows = DecodeDeletionVector(bytes, vector.cardinality);
  if (!rows.ok()) return in_context(rows.error());
  if (rows->Count() != vector.cardinality) {
    return in_context(Bad(std::to_string(rows->Count()) + " rows; the log says " +
                          std::to_string(vector.cardinality)));
  }
  return rows;
}

}  // namespace tarn::delta
