#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "tarn/base/bytes.h"
#include "tarn/base/result.h"
#include "tarn/datafile/avro_codec.h"

namespace tarn {

// What a block may unpack to, and be.
inline constexpr int64_t kAvroBlockBytesMax = int64_t{1} << 30;

// Bytes with room behind them: kPadding more may be read (zeros), so that a number at the end of a
// block needs no look at where it ends.
class AvroBuffer {
 public:
  static constexpr size_t kPadding = 32;

  const uint8_t* data() const { return bytes_.get(); }
  uint8_t* data() { return bytes_.get(); }
  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }
  BytesView view() const { return {reinterpret_cast<const char*>(bytes_.get()), size_}; }

  // Room for `capacity` bytes; those already here (size() of them) stay.
  void Reserve(size_t capacity);
  void Clear() { size_ = 0; }
  // Requires room. The padding is cleared.
  void SetSize(size_t size);

 private:
  std::unique_ptr<uint8_t[]> bytes_;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

// Blocks packed and unpacked, with memory kept from one to the next. Not thread-safe.
class AvroPacker {
 public:
  explicit AvroPacker(AvroCodec codec);
  ~AvroPacker();
  AvroPacker(const AvroPacker&) = delete;
  AvroPacker& operator=(const AvroPacker&) = delete;

  // The block's rows from its stored bytes. kCorrupt: bytes that break their format or end early, a
  // wrong checksum, more than 1 GiB.
  Status Unpack(BytesView packed, AvroBuffer& out);
  Status Pack(BytesView rows, std::string& out);

 private:
  struct State;
  const AvroCodec codec_;
  const std::unique_ptr<State> state_;
};

}  // namespace tarn
