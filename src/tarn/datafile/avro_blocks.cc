#include <algorithm>
#include <cstring>
#include <optional>

#include "tarn/datafile/avro_blocks_internal.h"

namespace tarn {
namespace {

constexpr size_t kAheadBytes = size_t{1} << 20;
constexpr size_t kFirstBytes = 64 << 10;
constexpr size_t kHeaderBytesMax = size_t{64} << 20;
constexpr size_t kFramingBytes = 20;  // two numbers

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

void AppendAvroLong(int64_t value, std::string& out) {
  uint64_t raw = (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
  while (raw >= 0x80) {
    out += static_cast<char>(raw | 0x80);
    raw >>= 7;
  }
  out += static_cast<char>(raw);
}

const std::string* AvroHeader::Find(std::string_view key) const {
  const auto found = std::find_if(metadata.begin(), metadata.end(),
                                  [&](const auto& entry) { return entry.first == key; });
  return found == metadata.end() ? nullptr : &found->second;
}

std::string AvroBlock::Place(const std::string& name) const {
  return "avro: " + (name.empty() ? "" : name + ": ") + "block " + std::to_string(index) + " at " +
         std::to_string(offset);
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

Status AvroBlockReader::Fill(size_t wanted) {
  if (ahead_.size() - begin_ >= wanted) return OkStatus();
  const size_t have = ahead_.size() - begin_;
  ahead_.Reserve(kAheadBytes);
  if (begin_ > 0) std::memmove(ahead_.data(), ahead_.data() + begin_, have);
  begin_ = 0;
  ahead_.SetSize(have);
  const int64_t from = offset_ + static_cast<int64_t>(have);
  const auto more = static_cast<size_t>(
      std::clamp<int64_t>(file_->size_bytes() - from, 0, static_cast<int64_t>(kAheadBytes - have)));
  if (more > 0) {
    TARN_RETURN_IF_ERROR(file_->ReadAt(from, static_cast<int64_t>(more),
                                       reinterpret_cast<char*>(ahead_.data() + have)));
  }
  ahead_.SetSize(have + more);
  return OkStatus();
}

Result<bool> AvroBlockReader::Next(AvroBlock& block) {
  block.index = index_++;
  block.offset = offset_;
  TARN_RETURN_IF_ERROR(Fill(kFramingBytes));
  if (ahead_.size() == begin_) return false;
  const uint8_t* const begin = ahead_.data() + begin_;
  const uint8_t* const end = ahead_.data() + ahead_.size();
  int64_t size = 0;
  const uint8_t* p = ReadAvroLong(begin, &block.row_count);
  if (p != nullptr && p < end) p = ReadAvroLong(p, &size);
  if (p == nullptr || block.row_count < 0 || size < 0) {
    return Broken(block, "expected a count of rows and a size, got no such numbers");
  }
  const int64_t left = file_->size_bytes() - offset_ - (p - begin);
  if (p > end || size > left - static_cast<int64_t>(kAvroSyncBytes)) {
    return Broken(block, "expected " + std::to_string(size) + " bytes and a sync marker, got " +
                             std::to_string(std::max<int64_t>(left, 0)) + ": the file ends early");
  }
  if (size > kAvroBlockBytesMax) {
    return Unsupported(block.Place(name_) + ": a block of more than 1 GiB");
  }
  const auto framing = static_cast<size_t>(p - begin);
  begin_ += framing;
  offset_ += static_cast<int64_t>(framing);

  const auto bytes = static_cast<size_t>(size);
  block.packed.Clear();
  block.packed.Reserve(bytes);
  const size_t near = std::min(bytes, ahead_.size() - begin_);
  std::memcpy(block.packed.data(), ahead_.data() + begin_, near);
  begin_ += near;
  offset_ += static_cast<int64_t>(near);
  if (near < bytes) {
    if (bytes - near >= kAheadBytes / 2) {
      TARN_RETURN_IF_ERROR(file_->ReadAt(offset_, static_cast<int64_t>(bytes - near),
                                         reinterpret_cast<char*>(block.packed.data() + near)));
    } else {
      TARN_RETURN_IF_ERROR(Fill(bytes - near));
      std::memcpy(block.packed.data() + near, ahead_.data() + begin_, bytes - near);
      begin_ += bytes - near;
    }
    offset_ += static_cast<int64_t>(bytes - near);
  }
  block.packed.SetSize(bytes);

  TARN_RETURN_IF_ERROR(Fill(kAvroSyncBytes));
  if (window().substr(0, kAvroSyncBytes) != header_->sync) {
    return Broken(block, "the sync marker behind it, at " + std::to_string(offset_) +
                             ", is not the header's");
  }
  begin_ += kAvroSyncBytes;
  offset_ += static_cast<int64_t>(kAvroSyncBytes);
  return true;
}

}  // namespace tarn
