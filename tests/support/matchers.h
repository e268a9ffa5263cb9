#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tarn/base/result.h"

// ASSERT_OK(status or result): shows the error. ASSERT_OK_AND_ASSIGN(auto x, Call()).
#define TARN_TEST_OK_(rexpr, how)                                         \
  {                                                                       \
    const auto& tarn_outcome_ = (rexpr);                                  \
    how(tarn_outcome_.ok()) << ::tarn::testing::ErrorText(tarn_outcome_); \
  }
#define ASSERT_OK(rexpr) TARN_TEST_OK_(rexpr, ASSERT_TRUE)
#define EXPECT_OK(rexpr) TARN_TEST_OK_(rexpr, EXPECT_TRUE)
#define ASSERT_OK_AND_ASSIGN(lhs, rexpr) \
  ASSERT_OK_AND_ASSIGN_IMPL_(TARN_CONCAT_(tarn_test_result_, __COUNTER__), lhs, rexpr)
#define ASSERT_OK_AND_ASSIGN_IMPL_(result, lhs, rexpr)            \
  auto result = (rexpr);                                          \
  ASSERT_TRUE(result.ok()) << ::tarn::testing::ErrorText(result); \
  lhs = std::move(result).value()

// EXPECT_ERROR(status or result, ErrorCode::kX)
#define EXPECT_ERROR(rexpr, expected_code)                       \
  {                                                              \
    const auto& tarn_outcome_ = (rexpr);                         \
    ASSERT_FALSE(tarn_outcome_.ok());                            \
    EXPECT_EQ(::tarn::ErrorCodeName(tarn_outcome_.error().code), \
              ::tarn::ErrorCodeName(expected_code))              \
        << ::tarn::testing::ErrorText(tarn_outcome_);            \
  }

namespace tarn::testing {

template <class Outcome>
std::string ErrorText(const Outcome& outcome) {
  return outcome.ok() ? "ok" : outcome.error().ToString();
}

}  // namespace tarn::testing
