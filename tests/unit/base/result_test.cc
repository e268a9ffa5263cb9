#include "tarn/base/result.h"

#include <gtest/gtest.h>

namespace tarn {
namespace {

Result<int> Half(int number) {
  if (number % 2 != 0) return Invalid("half: " + std::to_string(number) + " is odd");
  return number / 2;
}

Result<int> Quarter(int number) {
  TARN_ASSIGN_OR_RETURN(const int half, Half(number));
  TARN_ASSIGN_OR_RETURN(int quarter, Half(half));
  return quarter;
}

Status CheckQuarter(int number) {
  TARN_RETURN_IF_ERROR(Quarter(number));
  return OkStatus();
}

TEST(ResultTest, CarriesValueOrError) {
  EXPECT_EQ(Quarter(8).value(), 2);
  const Result<int> failed = Quarter(6);
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(failed.error().message, "half: 3 is odd");
  EXPECT_FALSE(failed.status().ok());
  EXPECT_TRUE(Quarter(8).status().ok());
}

TEST(ResultTest, StatusTakesTheErrorOfAResult) {
  EXPECT_TRUE(CheckQuarter(4).ok());
  EXPECT_EQ(CheckQuarter(5).error().message, "half: 5 is odd");
}

TEST(ResultTest, StatusCopies) {
  const Status failed = Invalid("x");
  Status copy = failed;
  EXPECT_EQ(copy.error().message, "x");
  copy = OkStatus();
  EXPECT_TRUE(copy.ok());
  EXPECT_FALSE(failed.ok());
  copy = failed;
  EXPECT_FALSE(copy.ok());
}

TEST(ResultTest, MovesOut) {
  Result<std::unique_ptr<int>> made(std::make_unique<int>(7));
  const std::unique_ptr<int> taken = std::move(made).value();
  EXPECT_EQ(*taken, 7);
}

TEST(ErrorTest, CausesAreShownInOrder) {
  const Error error =
      Unavailable("load t").CausedBy(Corrupt("read log").CausedBy(NotFound("open 3.json")));
  EXPECT_EQ(error.ToString(), "load t: read log: open 3.json");
  EXPECT_EQ(error.code, ErrorCode::kUnavailable);
}

TEST(ErrorTest, ContextGoesInFrontAndKeepsTheCode) {
  const Error error = Conflict("version 8 won").WithContext("publish");
  EXPECT_EQ(error.ToString(), "publish: version 8 won");
  EXPECT_EQ(error.code, ErrorCode::kConflict);
}

TEST(ErrorTest, EveryCodeHasAName) {
  for (int code = 0; code <= static_cast<int>(ErrorCode::kInternal); ++code) {
    EXPECT_FALSE(ErrorCodeName(static_cast<ErrorCode>(code)).empty());
  }
}

}  // namespace
}  // namespace tarn
