#include "tarn/datafile/text_source.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tarn/base/text.h"

namespace tarn {
namespace {

constexpr size_t kInputBytes = size_t{256} << 10;

bool EndsWithIgnoringCase(std::string_view text, std::string_view end) {
  return text.size() >= end.size() &&
         AsciiEqualsIgnoreCase(text.substr(text.size() - end.size()), end);
}

class PlainStream final : public ByteStream {
 public:
  explicit PlainStream(std::shared_ptr<ObjectReader> file) : file_(std::move(file)) {}

  Result<size_t> Read(char* out, size_t capacity) override {
    const int64_t left = file_->size_bytes() - offset_;
    const int64_t length = std::min<int64_t>(left, static_cast<int64_t>(capacity));
    if (length <= 0) return size_t{0};
    TARN_RETURN_IF_ERROR(file_->ReadAt(offset_, length, out));
    offset_ += length;
    return static_cast<size_t>(length);
  }

  int64_t consumed_bytes() const override { return offset_; }

 private:
  const std::shared_ptr<ObjectReader> file_;
  int64_t offset_ = 0;
};

// Common to both compressions: a buffer of compressed bytes.
class CompressedStream : public ByteStream {
 public:
  explicit CompressedStream(std::shared_ptr<ObjectReader> file)
      : source_(std::move(file)), input_(kInputBytes) {}

  int64_t consumed_bytes() const override { return source_.consumed_bytes(); }

 protected:
  // The next compressed bytes; empty at the end of the file.
  Result<std::string_view> Refill() {
    TARN_ASSIGN_OR_RETURN(const size_t size, source_.Read(input_.data(), input_.size()));
    return std::string_view(input_.data(), size);
  }

 private:
  PlainStream source_;
  std::vector<char> input_;
};

class GzipStream final : public CompressedStream {
 public:
  static Result<std::unique_ptr<ByteStream>> Make(std::shared_ptr<ObjectReader> file) {
    auto stream = std::unique_ptr<GzipStream>(new GzipStream(std::move(file)));
    // 16 + 15: a gzip header with the largest window.
    if (inflateInit2(&stream->zlib_, 16 + MAX_WBITS) != Z_OK) return Internal("gzip: no memory");
    stream->open_ = true;
    return std::unique_ptr<ByteStream>(std::move(stream));
  }
  ~GzipStream() override {
    if (open_) inflateEnd(&zlib_);
  }

  Result<size_t> Read(char* out, size_t capacity) override {
    size_t filled = 0;
    while (filled < capacity) {
      if (zlib_.avail_in == 0) {
        TARN_ASSIGN_OR_RETURN(const std::string_view more, Refill());
        if (more.empty()) {
          if (within_member_) return Corrupt("gzip: the file ends early");
          break;
        }
        zlib_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(more.data()));
        zlib_.avail_in = static_cast<uInt>(more.size());
      }
      const size_t room = std::min<size_t>(capacity - filled, size_t{1} << 30);
      zlib_.next_out = reinterpret_cast<Bytef*>(out + filled);
      zlib_.avail_out = static_cast<uInt>(room);
      within_member_ = true;
      const int code = inflate(&zlib_, Z_NO_FLUSH);
      filled += room - zlib_.avail_out;
      if (code == Z_STREAM_END) {
        within_member_ = false;
        inflateReset(&zlib_);
      } else if (code != Z_OK && code != Z_BUF_ERROR) {
        return Corrupt(std::string("gzip: ") + (zlib_.msg != nullptr ? zlib_.msg : "bad data"));
      }
    }
    return filled;
  }

 private:
  using CompressedStream::CompressedStream;
  z_stream zlib_{};
  bool open_ = false;
  bool within_member_ = true;  // an empty file is no gzip file
};

class ZstdStream final : public CompressedStream {
 public:
  static Result<std::unique_ptr<ByteStream>> Make(std::shared_ptr<ObjectReader> file) {
    auto stream = std::unique_ptr<ZstdStream>(new ZstdStream(std::move(file)));
    if (stream->zstd_ == nullptr) return Internal("zstd: no memory");
    return std::unique_ptr<ByteStream>(std::move(stream));
  }
  ~ZstdStream() override { ZSTD_freeDStream(zstd_); }

  Result<size_t> Read(char* out, size_t capacity) override {
    ZSTD_outBuffer output{out, capacity, 0};
    while (output.pos < output.size) {
      // Output may wait inside although all input is taken, so an empty refill ends it only then.
      bool at_end = false;
      if (input_.pos == input_.size) {
        TARN_ASSIGN_OR_RETURN(const std::string_view more, Refill());
        input_ = {more.data(), more.size(), 0};
        at_end = more.empty();
        if (at_end && !within_frame_) break;
      }
      const size_t before = output.pos;
      const size_t code = ZSTD_decompressStream(zstd_, &output, &input_);
      if (ZSTD_isError(code) != 0) return Corrupt(std::string("zstd: ") + ZSTD_getErrorName(code));
      within_frame_ = code != 0;
      if (at_end && within_frame_ && output.pos == before) {
        return Corrupt("zstd: the file ends early");
      }
    }
    return output.pos;
  }

 private:
  explicit ZstdStream(std::shared_ptr<ObjectReader> file)
      : CompressedStream(std::move(file)), zstd_(ZSTD_createDStream()) {}
  ZSTD_DStream* zstd_;
  ZSTD_inBuffer input_{nullptr, 0, 0};
  bool within_frame_ = true;
};

}  // namespace

Compression CompressionOf(std::string_view file_name) {
  if (EndsWithIgnoringCase(file_name, ".gz")) return Compression::kGzip;
  if (EndsWithIgnoringCase(file_name, ".zst") || EndsWithIgnoringCase(file_name, ".zstd")) {
    return Compression::kZstd;
  }
  return Compression::kNone;
}

std::string_view WithoutCompression(std::string_view file_name) {
  if (CompressionOf(file_name) == Compression::kNone) return file_name;
  return file_name.substr(0, file_name.rfind('.'));
}

Result<std::unique_ptr<ByteStream>> OpenByteStream(std::shared_ptr<ObjectReader> file,
                                                   Compression compression) {
  switch (compression) {
    case Compression::kNone:
      break;
    case Compression::kGzip:
      return GzipStream::Make(std::move(file));
    case Compression::kZstd:
      return ZstdStream::Make(std::move(file));
  }
  return std::unique_ptr<ByteStream>(std::make_unique<PlainStream>(std::move(file)));
}

}  // namespace tarn
