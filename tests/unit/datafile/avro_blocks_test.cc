#include "tarn/datafile/avro_blocks_internal.h"

#include <gtest/gtest.h>

#include "tarn/datafile/avro_varint_internal.h"
#include "tests/support/avro_bytes.h"
#include "tests/support/matchers.h"

namespace tarn {
namespace {

using testing::AvroBlockBytes;
using testing::AvroHeaderBytes;
using testing::AvroLong;

AvroBlockReader ReaderOf(const std::string& blocks) {
  const std::string bytes = AvroHeaderBytes("\"bytes\"") + blocks;
  auto file = std::make_shared<testing::BytesObject>(bytes);
  auto header = ReadAvroHeader(*file, "f.avro");
  EXPECT_OK(header);
  return {std::move(file), "f.avro", *header};
}

std::string Refusal(const std::string& blocks) {
  AvroBlockReader reader = ReaderOf(blocks);
  AvroBlock block;
  while (true) {
    const auto more = reader.Next(block);
    if (!more.ok()) return more.error().message;
    if (!*more) return "read";
  }
}

TEST(AvroBlocksTest, ReadsBlocksOfAnySize) {
  // Below, at and far beyond what is read ahead.
  std::string all;
  std::vector<std::string> blocks;
  int64_t offset = static_cast<int64_t>(AvroHeaderBytes("\"bytes\"").size());
  std::vector<int64_t> offsets;
  for (const size_t size : {0U, 1U, 100U, 600'000U, 600'000U, (1U << 20) - 20, 3'000'000U, 7U}) {
    blocks.emplace_back(size, static_cast<char>('a' + blocks.size()));
    offsets.push_back(offset + static_cast<int64_t>(all.size()));
    all += AvroBlockBytes(static_cast<int64_t>(blocks.size()), blocks.back());
  }
  AvroBlockReader reader = ReaderOf(all);
  AvroBlock block;
  for (size_t i = 0; i < blocks.size(); ++i) {
    ASSERT_OK_AND_ASSIGN(const bool more, reader.Next(block));
    ASSERT_TRUE(more);
    EXPECT_EQ(block.index, static_cast<int64_t>(i));
    EXPECT_EQ(block.offset, offsets[i]);
    EXPECT_EQ(block.row_count, static_cast<int64_t>(i) + 1);
    EXPECT_EQ(block.packed.view(), blocks[i]);
  }
  ASSERT_OK_AND_ASSIGN(const bool more, reader.Next(block));
  EXPECT_FALSE(more);
}

TEST(AvroBlocksTest, SaysWhatIsWrong) {
  const std::string block = AvroBlockBytes(1, "abc");
  const std::string at = std::to_string(AvroHeaderBytes("\"bytes\"").size());
  const std::string second = std::to_string(AvroHeaderBytes("\"bytes\"").size() + block.size());
  EXPECT_EQ(Refusal(block + block.substr(0, 4)),
            "avro: f.avro: block 1 at " + second +
                ": expected 3 bytes and a sync marker, got 2: the file ends early");
  for (size_t cut = 1; cut < block.size(); ++cut) {
    EXPECT_NE(Refusal(block.substr(0, cut)), "read") << cut;
  }
  std::string other = block;
  other.back() = 'X';
  EXPECT_EQ(Refusal(other), "avro: f.avro: block 0 at " + at + ": the sync marker behind it, at " +
                                std::to_string(AvroHeaderBytes("\"bytes\"").size() + 5) +
                                ", is not the header's");
  EXPECT_EQ(Refusal(AvroLong(-1) + AvroLong(0)),
            "avro: f.avro: block 0 at " + at +
                ": expected a count of rows and a size, got no such numbers");
  EXPECT_EQ(Refusal(std::string(30, '\xFF')),
            "avro: f.avro: block 0 at " + at +
                ": expected a count of rows and a size, got no such numbers");
}

TEST(AvroVarintTest, NumbersAreZigzag) {
  // Of the specification's table.
  for (const auto& [value, bytes] : std::vector<std::pair<int64_t, std::string>>{
           {0, std::string(1, '\0')},
           {-1, "\x01"},
           {1, "\x02"},
           {-2, "\x03"},
           {2, "\x04"},
           {-64, "\x7F"},
           {64, "\x80\x01"},
           {INT64_MAX, "\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"},
           {INT64_MIN, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"}}) {
    std::string out;
    AppendAvroLong(value, out);
    EXPECT_EQ(out, bytes);
    int64_t read = 0;
    out.append(16, '\0');
    const auto* begin = reinterpret_cast<const uint8_t*>(out.data());
    EXPECT_EQ(ReadAvroLong(begin, &read), begin + bytes.size());
    EXPECT_EQ(read, value);
  }
  int64_t read = 0;
  const std::string eleven(11, '\x80');
  EXPECT_EQ(ReadAvroLong(reinterpret_cast<const uint8_t*>(eleven.data()), &read), nullptr);
  const std::string too_large = std::string(9, '\x80') + "\x02";
  EXPECT_EQ(ReadAvroLong(reinterpret_cast<const uint8_t*>(too_large.data()), &read), nullptr);
}

}  // namespace
}  // namespace tarn
