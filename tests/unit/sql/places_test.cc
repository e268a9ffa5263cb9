#include "tarn/sql/places.h"

#include <string>

#include <gtest/gtest.h>

namespace tarn::sql {
namespace {

TEST(Places, CountLinesAndCodePointsInAnyOrder) {
  const std::string text = "a\n\nß b\nc";
  Places places(text);
  EXPECT_EQ(places.Of(0), (SourcePlace{1, 1}));
  EXPECT_EQ(places.Of(6), (SourcePlace{3, 3}));
  EXPECT_EQ(places.Of(5), (SourcePlace{3, 2}));
  EXPECT_EQ(places.Of(1), (SourcePlace{1, 2}));
  EXPECT_EQ(places.Of(2), (SourcePlace{2, 1}));
  EXPECT_EQ(places.Of(8), (SourcePlace{4, 1}));
  EXPECT_EQ(places.Of(100), (SourcePlace{4, 2}));
  EXPECT_EQ(places.Of(100), (SourcePlace{4, 2}));
  EXPECT_EQ(Places("").Of(3), (SourcePlace{1, 1}));
}

TEST(Places, ManyInOneLineCostTheirDistance) {
  const std::string text(20'000'000, 'x');
  Places places(text);
  for (uint32_t at = 0; at < text.size(); at += 10) {
    ASSERT_EQ(places.Of(at).column, static_cast<int32_t>(at) + 1);
  }
}

}  // namespace
}  // namespace tarn::sql
