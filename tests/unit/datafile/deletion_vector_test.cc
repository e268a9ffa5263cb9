#include "tarn/datafile/deletion_vector.h"

#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace tarn {
namespace {

TEST(DeletionVectorTest, RoundTripsEveryContainer) {
  RowSet rows;
  rows.Add(0);
  rows.Add(65'535);
  rows.AddRange(70'000, 80'000);  // a bitmap
  for (uint64_t row = 200'000; row < 260'000; row += 2) rows.Add(row);
  rows.Add(uint64_t{1} << 40);  // another 32-bit bucket
  ASSERT_OK_AND_ASSIGN(const RowSet back, DecodeDeletionVector(EncodeDeletionVector(rows)));
  EXPECT_TRUE(rows == back);
  EXPECT_ERROR(DecodeDeletionVector(EncodeDeletionVector(rows), 100), ErrorCode::kCorrupt);
  ASSERT_OK_AND_ASSIGN(const RowSet none, DecodeDeletionVector(EncodeDeletionVector(RowSet())));
  EXPECT_TRUE(none.empty());
}

TEST(DeletionVectorTest, CutAnywhereIsCorrupt) {
  RowSet rows;
  rows.AddRange(10, 6'000);
  rows.Add(100'000);
  const Bytes whole = EncodeDeletionVector(rows);
  for (size_t length = 0; length < whole.size(); length += length < 64 ? 1 : 97) {
    EXPECT_FALSE(DecodeDeletionVector(BytesView(whole).substr(0, length)).ok()) << length;
  }
  Bytes other = whole;
  other[0] = static_cast<char>(other[0] - 1);
  EXPECT_ERROR(DecodeDeletionVector(other), ErrorCode::kCorrupt);
}

TEST(DeletionVectorTest, AFrameTellsDamage) {
  RowSet rows;
  rows.AddRange(5, 50);
  const Bytes vector = EncodeDeletionVector(rows);
  Bytes framed;
  FrameDeletionVector(vector, framed);
  EXPECT_EQ(framed.size(), vector.size() + 8);
  EXPECT_EQ(static_cast<unsigned char>(framed[3]), vector.size()) << "big-endian";
  ASSERT_OK_AND_ASSIGN(const BytesView back, UnframeDeletionVector(framed));
  EXPECT_EQ(back, vector);
  Bytes damaged = framed;
  damaged[10] ^= 1;
  EXPECT_ERROR(UnframeDeletionVector(damaged), ErrorCode::kCorrupt);
  EXPECT_ERROR(UnframeDeletionVector(BytesView(framed).substr(1)), ErrorCode::kCorrupt);
  EXPECT_ERROR(UnframeDeletionVector("1234567"), ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace tarn
