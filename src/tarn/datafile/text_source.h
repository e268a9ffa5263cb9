#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "tarn/base/result.h"
#include "tarn/storage/storage.h"

namespace tarn {

enum class Compression : uint8_t { kNone, kGzip, kZstd };

// By the end of the name: ".gz" and ".zst" (".zstd"), ignoring case; else none.
Compression CompressionOf(std::string_view file_name);
// `file_name` without the ending that names its compression: "a.jsonl.gz" is "a.jsonl".
std::string_view WithoutCompression(std::string_view file_name);

// The bytes of a text file from front to back, decompressed. Not thread-safe.
class ByteStream {
 public:
  virtual ~ByteStream() = default;
  // Fills `out` with up to `capacity` (> 0) bytes; fewer only at the end, 0 when nothing is left.
  // kCorrupt for compressed bytes that end early or break their format; what storage reports.
  virtual Result<size_t> Read(char* out, size_t capacity) = 0;
  // Bytes taken from the object so far, compressed: for progress.
  virtual int64_t consumed_bytes() const = 0;
};

// Memory: none of its own without compression, 256 KiB and the window (zstd: up to 128 MiB, as the
// file asks) with it. Concatenated members (gzip) and frames (zstd) are read as one text.
Result<std::unique_ptr<ByteStream>> OpenByteStream(std::shared_ptr<ObjectReader> file,
                                                   Compression compression);

}  // namespace tarn
