#include "tarn/format/delta/partition_values.h"

#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace tarn::delta {
namespace {

void ExpectRoundTrip(const Type& type, const std::string& text) {
  ASSERT_OK_AND_ASSIGN(const Value value, PartitionValueFromText(type, text));
  ASSERT_OK_AND_ASSIGN(const auto back, PartitionValueToText(type, value));
  EXPECT_EQ(back, text);
}

TEST(PartitionValues, RoundTrip) {
  ExpectRoundTrip(Type::Of(TypeKind::kString), "a=b/ü");
  ExpectRoundTrip(Type::Of(TypeKind::kInt8), "-128");
  ExpectRoundTrip(Type::Of(TypeKind::kInt64), "9223372036854775807");
  ExpectRoundTrip(Type::Of(TypeKind::kBoolean), "true");
  ExpectRoundTrip(Type::Of(TypeKind::kFloat), "1.1");
  ExpectRoundTrip(Type::Of(TypeKind::kDouble), "0.1");
  ExpectRoundTrip(Type::Decimal(10, 2), "-12.30");
  ExpectRoundTrip(Type::Of(TypeKind::kDate), "1969-07-20");
  ExpectRoundTrip(Type::Of(TypeKind::kTimestamp), "2026-11-30 10:00:00.000001");
  ExpectRoundTrip(Type::Of(TypeKind::kTimestampTz), "2026-11-30T10:00:00Z");
  ExpectRoundTrip(Type::Of(TypeKind::kBinary), "bytes");
}

TEST(PartitionValues, EmptyAndAbsentAreNull) {
  for (const TypeKind kind : {TypeKind::kString, TypeKind::kInt32, TypeKind::kDate}) {
    EXPECT_TRUE(IsNull(*PartitionValueFromText(Type::Of(kind), "")));
    EXPECT_TRUE(IsNull(*PartitionValueFromText(Type::Of(kind), std::nullopt)));
  }
  EXPECT_EQ(*PartitionValueToText(Type::Of(TypeKind::kInt32), Value()), std::nullopt);
  EXPECT_ERROR(PartitionValueToText(Type::Of(TypeKind::kString), Value(std::string())),
               ErrorCode::kInvalid);
}

TEST(PartitionValues, RefusesWhatIsNoValue) {
  EXPECT_ERROR(PartitionValueFromText(Type::Of(TypeKind::kInt8), "128"), ErrorCode::kCorrupt);
  EXPECT_ERROR(PartitionValueFromText(Type::Of(TypeKind::kDate), "yesterday"), ErrorCode::kCorrupt);
  EXPECT_ERROR(PartitionValueFromText(Type::Of(TypeKind::kBoolean), "1"), ErrorCode::kCorrupt);
  EXPECT_ERROR(PartitionValueFromText(Type::Of(TypeKind::kVariant), "{}"), ErrorCode::kUnsupported);
  EXPECT_ERROR(PartitionValueToText(Type::Of(TypeKind::kBinary), Value(std::string("\xff"))),
               ErrorCode::kInvalid);
}

}  // namespace
}  // namespace tarn::delta
