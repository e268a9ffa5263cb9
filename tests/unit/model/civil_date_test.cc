#include "tarn/model/civil_date.h"

#include <gtest/gtest.h>

#include <tuple>

namespace tarn {
namespace {

std::tuple<int64_t, int64_t, int64_t> Date(int64_t days) {
  const CivilDate date = CivilFromDays(days);
  return {date.year, date.month, date.day};
}

TEST(CivilDateTest, KnownDays) {
  EXPECT_EQ(Date(0), std::tuple(1970, 1, 1));
  EXPECT_EQ(Date(-1), std::tuple(1969, 12, 31));
  EXPECT_EQ(Date(11016), std::tuple(2000, 2, 29));
  EXPECT_EQ(Date(17486), std::tuple(2017, 11, 16));
  EXPECT_EQ(Date(-719162), std::tuple(1, 1, 1));
  EXPECT_EQ(Date(-719163), std::tuple(0, 12, 31));
  EXPECT_EQ(Date(2932896), std::tuple(9999, 12, 31));
}

TEST(CivilDateTest, DaysFollowEachOther) {
  CivilDate before = CivilFromDays(-800'000);
  for (int64_t days = -799'999; days < 800'000; ++days) {
    const CivilDate date = CivilFromDays(days);
    const bool next_day = date.year == before.year && date.month == before.month;
    if (next_day) {
      ASSERT_EQ(date.day, before.day + 1) << days;
    } else {
      ASSERT_EQ(date.day, 1) << days;
      ASSERT_GE(before.day, 28) << days;
      ASSERT_EQ(date.year * 12 + date.month, before.year * 12 + before.month + 1) << days;
    }
    before = date;
  }
}

}  // namespace
}  // namespace tarn
