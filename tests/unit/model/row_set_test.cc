#include "tarn/model/row_set.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace tarn {
namespace {

TEST(RowSetTest, HoldsWhatWasAdded) {
  RowSet rows;
  std::set<uint64_t> model;
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; ++i) {
    const uint64_t row = random() % 200'000;
    rows.Add(row);
    model.insert(row);
  }
  EXPECT_EQ(rows.Count(), static_cast<int64_t>(model.size()));
  std::vector<uint64_t> walked;
  rows.ForEach([&](uint64_t row) { walked.push_back(row); });
  EXPECT_EQ(walked, std::vector<uint64_t>(model.begin(), model.end()));
  for (uint64_t row = 0; row < 200'000; row += 17)
    EXPECT_EQ(rows.Contains(row), model.contains(row));
}

TEST(RowSetTest, RangesCrossChunks) {
  RowSet rows;
  rows.AddRange(65'000, 200'000);
  EXPECT_EQ(rows.Count(), 135'000);
  EXPECT_FALSE(rows.Contains(64'999));
  EXPECT_TRUE(rows.Contains(65'000));
  EXPECT_TRUE(rows.Contains(199'999));
  EXPECT_FALSE(rows.Contains(200'000));
}

TEST(RowSetTest, BitmapEndsAtTheRowCount) {
  RowSet rows;
  rows.AddRange(0, 10'000);
  rows.Add(uint64_t{1} << 40);
  const std::vector<uint64_t> bitmap = rows.ToBitmap(130);
  ASSERT_EQ(bitmap.size(), 3u);
  EXPECT_EQ(bitmap[0], ~uint64_t{0});
  RowSet sparse;
  sparse.Add(3);
  sparse.Add(129);
  EXPECT_EQ(sparse.ToBitmap(130)[0], uint64_t{1} << 3);
  EXPECT_EQ(sparse.ToBitmap(130)[2], uint64_t{1} << 1);
}

TEST(RowSetTest, EqualityIgnoresHowChunksAreKept) {
  RowSet list, merged;
  for (uint64_t row = 0; row < 5'000; ++row) list.Add(row * 2);
  RowSet half;
  for (uint64_t row = 0; row < 2'500; ++row) merged.Add(row * 2);
  for (uint64_t row = 2'500; row < 5'000; ++row) half.Add(row * 2);
  merged.Merge(half);
  EXPECT_TRUE(list == merged);
  merged.Add(1);
  EXPECT_FALSE(list == merged);
}

TEST(RowSetTest, LargestPosition) {
  RowSet rows;
  const uint64_t last = (uint64_t{1} << 63) - 1;
  rows.Add(last);
  EXPECT_TRUE(rows.Contains(last));
  EXPECT_EQ(rows.Count(), 1);
}

}  // namespace
}  // namespace tarn
