#include "tarn/datafile/avro_blocks_internal.h"

#include <algorithm>
#include <cstring>

#include "tarn/datafile/avro_varint_internal.h"

namespace tarn {
namespace {

constexpr size_t kAheadBytes = size_t{1} << 20;
constexpr size_t kFramingBytes = 20;  // two numbers

}  // namespace

std::string AvroBlock::Place(const std::string& name) const {
  return "avro: " + (name.empty() ? "" : name + ": ") + "block " + std::to_string(index) + " at " +
         std::to_string(offset);
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
