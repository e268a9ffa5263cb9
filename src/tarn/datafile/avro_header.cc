#include "tarn/datafile/avro_header.h"

#include <algorithm>
#include <optional>

namespace tarn {
namespace {

constexpr size_t kFirstBytes = 64 << 10;
constexpr size_t kHeaderBytesMax = size_t{64} << 20;

// A walk over bytes that may end anywhere.
struct HeaderCursor {
  BytesView bytes;
  size_t at = 0;
  bool broken = false;  // else a failure says that there are too few bytes

  std::optional<int64_t> Long() {
    uint64_t raw = 0;
    for (int shift = 0; at < bytes.size(); shift += 7) {
      if (shift > 63) {
        broken = true;
        return std::nullopt;
      }
      const auto byte = static_cast<uint8_t>(bytes[at++]);
      raw |= static_cast<uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return static_cast<int64_t>(raw >> 1) ^ -static_cast<int64_t>(raw & 1);
    }
    return std::nullopt;
  }

  std::optional<BytesView> Text() {
    const std::optional<int64_t> size = Long();
    if (!size) return std::nullopt;
    if (*size < 0 || *size > static_cast<int64_t>(kHeaderBytesMax)) {
      broken = true;
      return std::nullopt;
    }
    return Take(static_cast<size_t>(*size));
  }

  std::optional<BytesView> Take(size_t size) {
    if (bytes.size() - at < size) return std::nullopt;
    at += size;
    return bytes.substr(at - size, size);
  }
};

// False where the bytes end before the header does (or cursor.broken).
bool ParseHeader(HeaderCursor& cursor, AvroHeader& header) {
  if (!cursor.Take(kAvroMagic.size())) return false;
  while (true) {
    std::optional<int64_t> count = cursor.Long();
    if (!count) return false;
    if (*count == 0) break;
    if (*count < 0) {
      if (*count == INT64_MIN || !cursor.Long()) return false;
      count = -*count;
    }
    for (int64_t i = 0; i < *count; ++i) {
      const auto key = cursor.Text();
      if (!key) return false;
      const auto value = cursor.Text();
      if (!value) return false;
      header.metadata.emplace_back(*key, *value);
    }
  }
  const auto sync = cursor.Take(kAvroSyncBytes);
  if (!sync) return false;
  header.sync = *sync;
  header.data_offset = static_cast<int64_t>(cursor.at);
  return true;
}

}  // namespace

const std::string* AvroHeader::Find(std::string_view key) const {
  const auto found = std::find_if(metadata.begin(), metadata.end(),
                                  [&](const auto& entry) { return entry.first == key; });
  return found == metadata.end() ? nullptr : &found->second;
}

Result<std::shared_ptr<const AvroHeader>> ReadAvroHeader(const ObjectReader& file,
                                                         const std::string& name) {
  const std::string where = name.empty() ? "avro" : "avro: " + name;
  const auto size = static_cast<size_t>(file.size_bytes());
  std::string bytes;
  auto header = std::make_shared<AvroHeader>();
  for (size_t wanted = kFirstBytes;; wanted *= 4) {
    const size_t before = bytes.size();
    bytes.resize(std::min(size, wanted));
    TARN_RETURN_IF_ERROR(file.ReadAt(static_cast<int64_t>(before),
                                     static_cast<int64_t>(bytes.size() - before),
                                     bytes.data() + before));
    if (bytes.substr(0, kAvroMagic.size()) != kAvroMagic) {
      return Corrupt(where + ": no Avro file: it does not begin with 'Obj' and 1");
    }
    HeaderCursor cursor{bytes};
    header->metadata.clear();
    if (ParseHeader(cursor, *header)) break;
    if (cursor.broken) {
      return Corrupt(where + ": the header breaks its format at " + std::to_string(cursor.at));
    }
    if (bytes.size() == size) {
      return Corrupt(where + ": the header does not end before the file does, at " +
                     std::to_string(size));
    }
    if (wanted >= kHeaderBytesMax) return Unsupported(where + ": a header of more than 64 MiB");
  }
  const std::string* schema = header->Find("avro.schema");
  if (schema == nullptr) return Corrupt(where + ": the header has no 'avro.schema'");
  auto parsed = ParseAvroSchema(*schema);
  if (!parsed.ok()) return parsed.error().WithContext(where);
  header->schema = std::move(parsed).value();
  const std::string* codec = header->Find("avro.codec");
  auto known = AvroCodecOf(codec == nullptr ? "null" : std::string_view(*codec));
  if (!known.ok()) return known.error().WithContext(where);
  header->codec = *known;
  return std::shared_ptr<const AvroHeader>(std::move(header));
}

}  // namespace tarn
