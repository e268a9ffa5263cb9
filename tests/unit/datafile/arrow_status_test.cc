#include "tarn/datafile/arrow_status.h"

#include <gtest/gtest.h>

#include <arrow/result.h>
#include <arrow/status.h>

#include "tests/support/matchers.h"

namespace tarn {
namespace {

TEST(ArrowStatusTest, ErrorOfOursComesBackWhole) {
  const arrow::Status through = ToArrowStatus(Unavailable("s3: try later"));
  const Error error = ArrowError(through, "parquet");
  EXPECT_EQ(error.code, ErrorCode::kUnavailable);
  EXPECT_EQ(error.message, "parquet: s3: try later");
}

TEST(ArrowStatusTest, CodesFollowWhatTheCallerCanDo) {
  EXPECT_EQ(ArrowError(arrow::Status::Invalid("x"), "p").code, ErrorCode::kCorrupt);
  EXPECT_EQ(ArrowError(arrow::Status::Invalid("x"), "p", ErrorCode::kInvalid).code,
            ErrorCode::kInvalid);
  EXPECT_EQ(ArrowError(arrow::Status::NotImplemented("x"), "p").code, ErrorCode::kUnsupported);
  EXPECT_EQ(ArrowError(arrow::Status::IndexError("x"), "p").code, ErrorCode::kInternal);
}

TEST(ArrowStatusTest, MessageIsOneLine) {
  EXPECT_EQ(ArrowError(arrow::Status::Invalid("a\nb"), "p").message, "p: a; b");
}

TEST(ArrowStatusTest, LiftGivesTheValueOrTheError) {
  const Result<int> value = Lift(arrow::Result<int>(7), "p");
  ASSERT_OK(value);
  EXPECT_EQ(*value, 7);
  EXPECT_ERROR(Lift(arrow::Result<int>(arrow::Status::Invalid("x")), "p"), ErrorCode::kCorrupt);
  EXPECT_OK(Lift(arrow::Status::OK(), "p"));
}

}  // namespace
}  // namespace tarn
