#include "tarn/cli/print/json_report.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

namespace tarn::cli {
namespace {

TEST(JsonReport, TimesHaveThreeDigits) {
  EXPECT_EQ(TimeOfMillis(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(TimeOfMillis(1700000000120), "2023-11-14T22:13:20.120Z");
  EXPECT_EQ(TimeOfMillis(-1), "1969-12-31T23:59:59.999Z");
}

TEST(JsonReport, VersionsAreNumbersWhereTheyAre) {
  EXPECT_TRUE(VersionJson("12").is_number());
  EXPECT_TRUE(VersionJson("0").is_number());
  EXPECT_TRUE(VersionJson("007").is_string());
  EXPECT_TRUE(VersionJson("20261130100000000").is_string());
  EXPECT_TRUE(VersionJson("main").is_string());
}

TEST(JsonReport, BrokenTextBecomesReadable) {
  EXPECT_EQ(JsonText({{"a", "\xFF"}}), "{\n  \"a\": \"\xEF\xBF\xBD\"\n}\n");
}

}  // namespace
}  // namespace tarn::cli
