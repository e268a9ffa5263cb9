#include "tarn/datafile/avro_packer_internal.h"

#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace tarn {
namespace {

class AvroPackerTest : public ::testing::TestWithParam<AvroCodec> {};

TEST_P(AvroPackerTest, UnpacksWhatItPacked) {
  AvroPacker packer(GetParam());
  AvroBuffer rows;
  std::string text;
  for (int size : {0, 1, 100, 70'000, 3'000'000}) {
    while (static_cast<int>(text.size()) < size) text += "row " + std::to_string(text.size() * 7);
    std::string packed;
    ASSERT_OK(packer.Pack(text, packed));
    ASSERT_OK(packer.Unpack(packed, rows));
    EXPECT_EQ(rows.view(), text);
    if (packed.size() > 8 && GetParam() != AvroCodec::kNull) {
      EXPECT_ERROR(packer.Unpack(BytesView(packed).substr(0, packed.size() / 2), rows),
                   ErrorCode::kCorrupt);
    }
  }
}

TEST_P(AvroPackerTest, GarbageIsCorrupt) {
  if (GetParam() == AvroCodec::kNull) return;
  AvroPacker packer(GetParam());
  AvroBuffer rows;
  EXPECT_ERROR(packer.Unpack("\xFF\xFE\xFD garbage that is no block", rows), ErrorCode::kCorrupt);
  EXPECT_ERROR(packer.Unpack("", rows), ErrorCode::kCorrupt);
}

INSTANTIATE_TEST_SUITE_P(Each, AvroPackerTest,
                         ::testing::Values(AvroCodec::kNull, AvroCodec::kDeflate,
                                           AvroCodec::kSnappy, AvroCodec::kZstandard));

TEST(AvroSnappyTest, ChecksumIsOfTheRows) {
  AvroPacker packer(AvroCodec::kSnappy);
  AvroBuffer rows;
  // A literal of three bytes, and its CRC-32 (of "abc": 352441C2), highest byte first.
  const std::string block(
      "\x03\x08"
      "abc"
      "\x35\x24\x41\xC2",
      9);
  ASSERT_OK(packer.Unpack(block, rows));
  EXPECT_EQ(rows.view(), "abc");
  EXPECT_ERROR(packer.Unpack(block.substr(0, 8) + "\xC3", rows), ErrorCode::kCorrupt);
  // Four bytes that say they are a gigabyte are given no memory.
  EXPECT_ERROR(packer.Unpack(std::string("\x80\x80\x80\x80\x04....", 9), rows),
               ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace tarn
