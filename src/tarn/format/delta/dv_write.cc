#include "tarn/format/delta/dv_write.h"

#include <zlib.h>

#include <limits>
#include <map>

#include "tarn/base/text.h"
#include "tarn/base/uuid.h"

namespace tarn::delta {
namespace {

constexpr uint32_t kMagic = 1681511377;
constexpr uint32_t kRoaringNoRuns = 12346;  // the cookie of a bitmap without run containers
constexpr size_t kListMax = 4096;           // values a container holds as a list
constexpr size_t kBitmapWords = 1024;
constexpr char kFileVersion = 1;

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
  AppendLittleEndian(out, kRoaringNoRuns);
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

}  // namespace

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

std::string EncodeZ85(BytesView bytes) {
  static constexpr char kDigits[] =
      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";
  std::string out;
  out.reserve(bytes.size() / 4 * 5);
  for (size_t at = 0; at + 4 <= bytes.size(); at += 4) {
    uint32_t value = 0;
    for (size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    char block[5];
    for (int i = 4; i >= 0; --i) {
      block[i] = kDigits[value % 85];
      value /= 85;
    }
    out.append(block, 5);
  }
  return out;
}

DeletionVectorWriter::DeletionVectorWriter(Runtime& runtime) {
  const std::string uuid = NewUuid(runtime.random);
  file_name_ = "deletion_vector_" + uuid + ".bin";
  std::string digits;
  for (const char c : uuid) {
    if (c != '-') digits += c;
  }
  encoded_uuid_ = EncodeZ85(HexDecode(digits).value_or(""));
}

Result<DeletionVectorDescriptor> DeletionVectorWriter::Add(const RowSet& rows) {
  Bytes vector = EncodeDeletionVector(rows);
  DeletionVectorDescriptor descriptor;
  descriptor.cardinality = rows.Count();
  if (vector.size() <= kInlineBytesMax && vector.size() % 4 == 0) {
    descriptor.storage_type = 'i';
    descriptor.path_or_inline = EncodeZ85(vector);
    descriptor.size_bytes = static_cast<int32_t>(vector.size());
    return descriptor;
  }
  if (file_.size() + vector.size() + 16 > std::numeric_limits<int32_t>::max()) {
    return Unsupported(
        "delta: deletion vectors of one commit pass 2 GiB; delete fewer rows at once");
  }
  if (file_.empty()) file_ += kFileVersion;
  descriptor.storage_type = 'u';
  descriptor.path_or_inline = encoded_uuid_;
  descriptor.offset = static_cast<int32_t>(file_.size());
  descriptor.size_bytes = static_cast<int32_t>(vector.size());
  AppendBigEndian(file_, static_cast<uint32_t>(vector.size()));
  file_ += vector;
  AppendBigEndian(file_,
                  static_cast<uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(vector.data()),
                                              static_cast<uInt>(vector.size()))));
  return descriptor;
}

}  // namespace tarn::delta
