#include "tarn/format/iceberg/metrics_modes.h"

#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace tarn::iceberg {
namespace {

Schema ThreeColumns() {
  Schema schema;
  schema.fields = {
      {.id = 1, .name = "a", .type = Type::Of(TypeKind::kString)},
      {.id = 2, .name = "b", .type = Type::Of(TypeKind::kInt32)},
      {.id = 3,
       .name = "s",
       .type = Type::Struct({{.id = 4, .name = "x", .type = Type::Of(TypeKind::kString)}})}};
  return schema;
}

TEST(MetricsModesTest, DefaultAndByColumn) {
  ASSERT_OK_AND_ASSIGN(const auto usual, MetricsModes(ThreeColumns(), {}));
  EXPECT_EQ(usual.size(), 3U);
  EXPECT_EQ(usual.at(1).length, 16);
  ASSERT_OK_AND_ASSIGN(
      const auto modes,
      MetricsModes(ThreeColumns(), {{"write.metadata.metrics.default", "counts"},
                                    {"write.metadata.metrics.column.s.x", "truncate(3)"},
                                    {"write.metadata.metrics.column.b", "none"}}));
  EXPECT_EQ(modes.at(1).kind, MetricsMode::Kind::kCounts);
  EXPECT_EQ(modes.at(2).kind, MetricsMode::Kind::kNone);
  EXPECT_EQ(modes.at(4).length, 3);
  ASSERT_OK_AND_ASSIGN(
      const auto few,
      MetricsModes(ThreeColumns(), {{"write.metadata.metrics.max-inferred-column-defaults", "1"}}));
  EXPECT_EQ(few.at(1).kind, MetricsMode::Kind::kTruncate);
  EXPECT_EQ(few.at(2).kind, MetricsMode::Kind::kNone);
}

TEST(MetricsModesTest, WhatIsNoMode) {
  for (const char* text : {"trunc", "truncate(0)", "truncate(x)", ""}) {
    EXPECT_ERROR(MetricsModes(ThreeColumns(), {{"write.metadata.metrics.default", text}}),
                 ErrorCode::kInvalid);
  }
}

}  // namespace
}  // namespace tarn::iceberg
