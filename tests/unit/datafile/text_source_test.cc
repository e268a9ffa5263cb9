#include "tarn/datafile/text_source.h"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>

#include "tests/support/matchers.h"

namespace tarn {
namespace {

class BytesReader final : public ObjectReader {
 public:
  explicit BytesReader(std::string bytes) : bytes_(std::move(bytes)) {}
  int64_t size_bytes() const override { return static_cast<int64_t>(bytes_.size()); }
  Status ReadAt(int64_t offset, int64_t length, char* out) const override {
    std::memcpy(out, bytes_.data() + offset, static_cast<size_t>(length));
    return {};
  }

 private:
  std::string bytes_;
};

std::string Gzip(const std::string& text) {
  z_stream zlib{};
  deflateInit2(&zlib, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&zlib, text.size()) + 64, '\0');
  zlib.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  zlib.avail_in = static_cast<uInt>(text.size());
  zlib.next_out = reinterpret_cast<Bytef*>(out.data());
  zlib.avail_out = static_cast<uInt>(out.size());
  deflate(&zlib, Z_FINISH);
  out.resize(zlib.total_out);
  deflateEnd(&zlib);
  return out;
}

std::string Zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

Result<std::string> ReadAll(const std::string& bytes, Compression compression, size_t step) {
  TARN_ASSIGN_OR_RETURN(const auto stream,
                        OpenByteStream(std::make_shared<BytesReader>(bytes), compression));
  std::string all, piece(step, '\0');
  for (;;) {
    TARN_ASSIGN_OR_RETURN(const size_t size, stream->Read(piece.data(), step));
    if (size == 0) break;
    all.append(piece, 0, size);
  }
  EXPECT_EQ(stream->consumed_bytes(), static_cast<int64_t>(bytes.size()));
  return all;
}

std::string LongText() {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "line " + std::to_string(i * 7919 % 100'003) + "\n";
  return text;
}

TEST(ByteStreamTest, ReadsAllCompressions) {
  const std::string text = LongText();
  for (const size_t step : {size_t{1000}, size_t{1} << 20}) {
    EXPECT_EQ(*ReadAll(text, Compression::kNone, step), text);
    EXPECT_EQ(*ReadAll(Gzip(text), Compression::kGzip, step), text);
    EXPECT_EQ(*ReadAll(Zstd(text), Compression::kZstd, step), text);
    // Members and frames one after another are one text.
    EXPECT_EQ(*ReadAll(Gzip(text) + Gzip("x") + Gzip(""), Compression::kGzip, step), text + "x");
    EXPECT_EQ(*ReadAll(Zstd(text) + Zstd("x") + Zstd(""), Compression::kZstd, step), text + "x");
  }
  EXPECT_EQ(*ReadAll("", Compression::kNone, 10), "");
  EXPECT_EQ(*ReadAll(Gzip(""), Compression::kGzip, 10), "");
  EXPECT_EQ(*ReadAll(Zstd(""), Compression::kZstd, 10), "");
}

TEST(ByteStreamTest, BrokenBytesAreCorrupt) {
  const std::string text = LongText();
  const std::string gzip = Gzip(text), zstd = Zstd(text);
  for (const size_t cut : {size_t{0}, size_t{5}, size_t{1000}}) {
    EXPECT_ERROR(ReadAll(gzip.substr(0, cut), Compression::kGzip, 4096), ErrorCode::kCorrupt);
    EXPECT_ERROR(ReadAll(zstd.substr(0, cut), Compression::kZstd, 4096), ErrorCode::kCorrupt);
  }
  EXPECT_ERROR(ReadAll(gzip.substr(0, gzip.size() - 1), Compression::kGzip, 4096),
               ErrorCode::kCorrupt);
  EXPECT_ERROR(ReadAll(zstd.substr(0, zstd.size() - 1), Compression::kZstd, 4096),
               ErrorCode::kCorrupt);
  EXPECT_ERROR(ReadAll(text, Compression::kGzip, 4096), ErrorCode::kCorrupt);
  EXPECT_ERROR(ReadAll(text, Compression::kZstd, 4096), ErrorCode::kCorrupt);
  EXPECT_ERROR(ReadAll(gzip + "rubbish", Compression::kGzip, 4096), ErrorCode::kCorrupt);
}

TEST(CompressionOfTest, GoesByTheEnding) {
  EXPECT_EQ(CompressionOf("a.jsonl.gz"), Compression::kGzip);
  EXPECT_EQ(CompressionOf("a.jsonl.ZST"), Compression::kZstd);
  EXPECT_EQ(CompressionOf("a.jsonl"), Compression::kNone);
  EXPECT_EQ(WithoutCompression("a.csv.zstd"), "a.csv");
  EXPECT_EQ(WithoutCompression("a.csv"), "a.csv");
}

}  // namespace
}  // namespace tarn
