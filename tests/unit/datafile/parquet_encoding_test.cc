#include <gtest/gtest.h>

#include <arrow/api.h>

#include "tarn/datafile/parquet_encoding_internal.h"

namespace tarn {
namespace {

template <class Make>
std::vector<std::shared_ptr<arrow::Array>> Numbers(int64_t rows, Make make) {
  arrow::Int64Builder builder;
  for (int64_t i = 0; i < rows; ++i) (void)builder.Append(make(i));
  return {*builder.Finish()};
}

TEST(ParquetEncodingTest, FewValuesPayManyDoNot) {
  EXPECT_TRUE(DictionaryPays({}, 100));
  EXPECT_TRUE(DictionaryPays(Numbers(100'000, [](int64_t i) { return i * 7919 % 50; }), 100'000));
  EXPECT_FALSE(DictionaryPays(Numbers(100'000, [](int64_t i) { return i; }), 100'000));
  // Sorted, each value four times: neighbours are alike, the column is not.
  EXPECT_FALSE(DictionaryPays(Numbers(100'000, [](int64_t i) { return i / 4; }), 100'000));
  // More values than a tenth of the rows.
  EXPECT_FALSE(
      DictionaryPays(Numbers(100'000, [](int64_t i) { return i * 7919 % 30'011; }), 100'000));
}

TEST(ParquetEncodingTest, SmallFilesAreCountedWhole) {
  EXPECT_TRUE(DictionaryPays(Numbers(1, [](int64_t i) { return i; }), 100'000));
  EXPECT_TRUE(DictionaryPays(Numbers(500, [](int64_t i) { return i % 5; }), 100'000));
  EXPECT_FALSE(DictionaryPays(Numbers(500, [](int64_t i) { return i; }), 100'000));
}

TEST(ParquetEncodingTest, LongTextMakesLargeDictionaries) {
  arrow::StringBuilder builder;
  for (int i = 0; i < 50'000; ++i) {
    (void)builder.Append(std::string(2000, static_cast<char>('a' + i % 26)) +
                         std::to_string(i * 7919 % 1000));
  }
  EXPECT_FALSE(DictionaryPays({*builder.Finish()}, 50'000));
}

}  // namespace
}  // namespace tarn
