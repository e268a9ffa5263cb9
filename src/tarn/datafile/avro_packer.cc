#include "tarn/datafile/avro_packer_internal.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <arrow/result.h>
#include <arrow/util/compression.h>
#include <libdeflate.h>
#include <zstd.h>

#include "tarn/datafile/arrow_status.h"

namespace tarn {
namespace {

constexpr size_t kBlockBytesMax = kAvroBlockBytesMax;
constexpr int kZstdLevel = 3;
constexpr int kDeflateLevel = 6;
constexpr size_t kChecksumBytes = 4;

// Where unpacked bytes go whose number is not known before.
Status Grow(AvroBuffer& out, size_t used) {
  if (used >= kBlockBytesMax) return Corrupt("unpacks to more than 1 GiB");
  out.SetSize(used);
  out.Reserve(std::min(kBlockBytesMax, std::max<size_t>(used * 2, 64 << 10)));
  return OkStatus();
}

}  // namespace

void AvroBuffer::Reserve(size_t capacity) {
  if (capacity <= capacity_ && bytes_ != nullptr) return;
  std::unique_ptr<uint8_t[]> grown(new uint8_t[capacity + kPadding]);
  if (size_ > 0) std::memcpy(grown.get(), bytes_.get(), size_);
  bytes_ = std::move(grown);
  capacity_ = capacity;
}

void AvroBuffer::SetSize(size_t size) {
  size_ = size;
  std::memset(bytes_.get() + size, 0, kPadding);
}

struct AvroPacker::State {
  libdeflate_decompressor* inflate = nullptr;
  libdeflate_compressor* deflate = nullptr;
  ZSTD_DCtx* unzstd = nullptr;
  ZSTD_CCtx* zstd = nullptr;
  std::unique_ptr<arrow::util::Codec> snappy;

  ~State() {
    libdeflate_free_decompressor(inflate);
    libdeflate_free_compressor(deflate);
    ZSTD_freeDCtx(unzstd);
    ZSTD_freeCCtx(zstd);
  }

  Status Inflate(BytesView packed, AvroBuffer& out) {
    if (inflate == nullptr) inflate = libdeflate_alloc_decompressor();
    if (inflate == nullptr) return Internal("deflate: no memory");
    // How much it is stands nowhere: blocks of a file are much alike, so the room of the last one
    // is mostly enough.
    out.Reserve(std::min(kBlockBytesMax, std::max<size_t>(packed.size() * 4, 4096)));
    while (true) {
      size_t used = 0;
      const libdeflate_result got = libdeflate_deflate_decompress(
          inflate, packed.data(), packed.size(), out.data(), out.capacity(), &used);
      if (got == LIBDEFLATE_SUCCESS) {
        out.SetSize(used);
        return OkStatus();
      }
      if (got != LIBDEFLATE_INSUFFICIENT_SPACE) {
        return Corrupt("deflate: the data is broken or ends early");
      }
      // A byte makes 1,032 at most.
      if (out.capacity() / 1032 > packed.size()) return Corrupt("deflate: broken data");
      TARN_RETURN_IF_ERROR(Grow(out, out.capacity()));
    }
  }

  Status Deflate(BytesView rows, std::string& out) {
    if (deflate == nullptr) deflate = libdeflate_alloc_compressor(kDeflateLevel);
    if (deflate == nullptr) return Internal("deflate: no memory");
    out.resize(libdeflate_deflate_compress_bound(deflate, rows.size()));
    out.resize(
        libdeflate_deflate_compress(deflate, rows.data(), rows.size(), out.data(), out.size()));
    return OkStatus();
  }

  Status Unzstd(BytesView packed, AvroBuffer& out) {
    if (unzstd == nullptr) unzstd = ZSTD_createDCtx();
    if (unzstd == nullptr) return Internal("zstd: no memory");
    ZSTD_DCtx_reset(unzstd, ZSTD_reset_session_only);
    ZSTD_inBuffer in{packed.data(), packed.size(), 0};
    size_t used = 0;
    out.Reserve(std::min(kBlockBytesMax, std::max<size_t>(packed.size() * 4, 4096)));
    size_t left = 1;
    while (left != 0 || in.pos < in.size) {
      ZSTD_outBuffer to{out.data() + used, out.capacity() - used, 0};
      const size_t before = in.pos;
      left = ZSTD_decompressStream(unzstd, &to, &in);
      if (ZSTD_isError(left) != 0) return Corrupt(std::string("zstd: ") + ZSTD_getErrorName(left));
      used += to.pos;
      if (left == 0) continue;
      if (used == out.capacity()) {
        TARN_RETURN_IF_ERROR(Grow(out, used));
      } else if (in.pos == in.size || in.pos == before) {
        return Corrupt("zstd: the data ends early");
      }
    }
    out.SetSize(used);
    return OkStatus();
  }

  Status Zstd(BytesView rows, std::string& out) {
    if (zstd == nullptr) zstd = ZSTD_createCCtx();
    if (zstd == nullptr) return Internal("zstd: no memory");
    out.resize(ZSTD_compressBound(rows.size()));
    const size_t size =
        ZSTD_compressCCtx(zstd, out.data(), out.size(), rows.data(), rows.size(), kZstdLevel);
    if (ZSTD_isError(size) != 0) return Internal(std::string("zstd: ") + ZSTD_getErrorName(size));
    out.resize(size);
    return OkStatus();
  }

  Status MakeSnappy() {
    if (snappy != nullptr) return OkStatus();
    TARN_ASSIGN_OR_RETURN(snappy,
                          Lift(arrow::util::Codec::Create(arrow::Compression::SNAPPY), "snappy"));
    return OkStatus();
  }

  Status Unsnappy(BytesView packed, AvroBuffer& out) {
    TARN_RETURN_IF_ERROR(MakeSnappy());
    if (packed.size() < kChecksumBytes) return Corrupt("snappy: no checksum");
    const BytesView body = packed.substr(0, packed.size() - kChecksumBytes);
    uint64_t size = 0;
    for (size_t i = 0, shift = 0; i < std::min<size_t>(body.size(), 5); ++i, shift += 7) {
      const auto byte = static_cast<uint8_t>(body[i]);
      size |= static_cast<uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) break;
    }
    // A copy of 64 bytes takes three: what says more is not to be given memory.
    if (size > kBlockBytesMax || size > body.size() * 64) {
      return Corrupt("snappy: " + std::to_string(body.size()) + " bytes say that they are " +
                     std::to_string(size));
    }
    out.Reserve(size);
    TARN_ASSIGN_OR_RETURN(const int64_t got,
                          Lift(snappy->Decompress(static_cast<int64_t>(body.size()),
                                                  reinterpret_cast<const uint8_t*>(body.data()),
                                                  static_cast<int64_t>(out.capacity()), out.data()),
                               "snappy"));
    out.SetSize(static_cast<size_t>(got));
    const auto* sum = reinterpret_cast<const uint8_t*>(body.data() + body.size());
    const uint32_t expected = static_cast<uint32_t>(sum[0]) << 24 |
                              static_cast<uint32_t>(sum[1]) << 16 |
                              static_cast<uint32_t>(sum[2]) << 8 | static_cast<uint32_t>(sum[3]);
    if (libdeflate_crc32(0, out.data(), out.size()) != expected) {
      return Corrupt("snappy: the checksum of the rows is another");
    }
    return OkStatus();
  }

  Status Snappy(BytesView rows, std::string& out) {
    TARN_RETURN_IF_ERROR(MakeSnappy());
    const auto* from = reinterpret_cast<const uint8_t*>(rows.data());
    const auto size = static_cast<int64_t>(rows.size());
    out.resize(static_cast<size_t>(snappy->MaxCompressedLen(size, from)) + kChecksumBytes);
    TARN_ASSIGN_OR_RETURN(const int64_t got,
                          Lift(snappy->Compress(size, from, static_cast<int64_t>(out.size()),
                                                reinterpret_cast<uint8_t*>(out.data())),
                               "snappy"));
    out.resize(static_cast<size_t>(got));
    const uint32_t sum = libdeflate_crc32(0, from, static_cast<size_t>(size));
    for (const int shift : {24, 16, 8, 0}) out += static_cast<char>(sum >> shift & 0xFF);
    return OkStatus();
  }
};

AvroPacker::AvroPacker(AvroCodec codec) : codec_(codec), state_(std::make_unique<State>()) {}
AvroPacker::~AvroPacker() = default;

Status AvroPacker::Unpack(BytesView packed, AvroBuffer& out) {
  out.Clear();
  switch (codec_) {
    case AvroCodec::kDeflate:
      return state_->Inflate(packed, out);
    case AvroCodec::kSnappy:
      return state_->Unsnappy(packed, out);
    case AvroCodec::kZstandard:
      return state_->Unzstd(packed, out);
    case AvroCodec::kNull:
      break;
  }
  out.Reserve(packed.size());
  if (!packed.empty()) std::memcpy(out.data(), packed.data(), packed.size());
  out.SetSize(packed.size());
  return OkStatus();
}

Status AvroPacker::Pack(BytesView rows, std::string& out) {
  switch (codec_) {
    case AvroCodec::kDeflate:
      return state_->Deflate(rows, out);
    case AvroCodec::kSnappy:
      return state_->Snappy(rows, out);
    case AvroCodec::kZstandard:
      return state_->Zstd(rows, out);
    case AvroCodec::kNull:
      break;
  }
  out.assign(rows);
  return OkStatus();
}

}  // namespace tarn
