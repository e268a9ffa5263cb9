#include "tarn/model/partition_spec.h"

#include <gtest/gtest.h>

#include "tarn/base/text.h"

namespace tarn {
namespace {

constexpr int32_t kBuckets = 1 << 30;

// The bucket of a hash given by the Iceberg specification, appendix B.
int64_t BucketOf(int32_t hash) { return (hash & 0x7FFFFFFF) % kBuckets; }

Value Bucket(const Type& type, Value value) {
  return ApplyTransform({.transform = TransformKind::kBucket, .parameter = kBuckets}, type, value);
}

TEST(PartitionSpecTest, HashesOfTheSpecification) {
  EXPECT_EQ(Bucket(Type::Of(TypeKind::kInt32), Value(int64_t{34})), Value(BucketOf(2017239379)));
  EXPECT_EQ(Bucket(Type::Of(TypeKind::kInt64), Value(int64_t{34})), Value(BucketOf(2017239379)));
  EXPECT_EQ(Bucket(Type::Decimal(9, 2), Value(Int128{1420})), Value(BucketOf(-500754589)));
  EXPECT_EQ(Bucket(Type::Of(TypeKind::kDate), Value(int64_t{17486})), Value(BucketOf(-653330422)));
  EXPECT_EQ(Bucket(Type::Of(TypeKind::kTime), Value(int64_t{81068000000})),
            Value(BucketOf(-662762989)));
  EXPECT_EQ(Bucket(Type::Of(TypeKind::kTimestampTz), Value(int64_t{1510871468000000})),
            Value(BucketOf(-2047944441)));
  EXPECT_EQ(Bucket(Type::Of(TypeKind::kTimestampNs), Value(int64_t{1510871468000001001})),
            Value(BucketOf(-1207196810)));
  EXPECT_EQ(Bucket(Type::Of(TypeKind::kString), Value("iceberg")), Value(BucketOf(1210000089)));
  EXPECT_EQ(
      Bucket(Type::Of(TypeKind::kUuid), Value(*HexDecode("f79c3e09677c4bbda4793f349cb785e7"))),
      Value(BucketOf(1488055340)));
  EXPECT_EQ(Bucket(Type::Of(TypeKind::kBinary), Value(std::string("\x00\x01\x02\x03", 4))),
            Value(BucketOf(-188683207)));
}

Value Apply(TransformKind kind, TypeKind type, int64_t value, int32_t parameter = 0) {
  return ApplyTransform({.transform = kind, .parameter = parameter}, Type::Of(type), Value(value));
}

TEST(PartitionSpecTest, TimesFloorTowardsThePast) {
  EXPECT_EQ(Apply(TransformKind::kYear, TypeKind::kDate, 0), Value(int64_t{0}));
  EXPECT_EQ(Apply(TransformKind::kYear, TypeKind::kDate, -1), Value(int64_t{-1}));
  EXPECT_EQ(Apply(TransformKind::kMonth, TypeKind::kDate, -1), Value(int64_t{-1}));
  EXPECT_EQ(Apply(TransformKind::kMonth, TypeKind::kDate, 17486), Value(int64_t{574}));  // 2017-11
  EXPECT_EQ(Apply(TransformKind::kDay, TypeKind::kTimestamp, -1), Value(int64_t{-1}));
  EXPECT_EQ(Apply(TransformKind::kHour, TypeKind::kTimestamp, -1), Value(int64_t{-1}));
  EXPECT_EQ(Apply(TransformKind::kHour, TypeKind::kTimestampNs, 3'600'000'000'000),
            Value(int64_t{1}));
  EXPECT_EQ(Apply(TransformKind::kYear, TypeKind::kTimestampTz, 1510871468000000),
            Value(int64_t{47}));
}

TEST(PartitionSpecTest, TruncateFloorsAndCountsCodePoints) {
  EXPECT_EQ(Apply(TransformKind::kTruncate, TypeKind::kInt32, -1, 10), Value(int64_t{-10}));
  EXPECT_EQ(Apply(TransformKind::kTruncate, TypeKind::kInt32, 19, 10), Value(int64_t{10}));
  const PartitionField three{.transform = TransformKind::kTruncate, .parameter = 3};
  EXPECT_EQ(ApplyTransform(three, Type::Of(TypeKind::kString), Value("a\xC3\xA9\xF0\x9F\x98\x80z")),
            Value("a\xC3\xA9\xF0\x9F\x98\x80"));
  EXPECT_EQ(ApplyTransform({.transform = TransformKind::kTruncate, .parameter = 50},
                           Type::Decimal(9, 2), Value(Int128{1065})),
            Value(Int128{1050}));
}

TEST(PartitionSpecTest, NullStaysNull) {
  for (TransformKind kind :
       {TransformKind::kIdentity, TransformKind::kBucket, TransformKind::kDay}) {
    EXPECT_TRUE(
        IsNull(ApplyTransform({.transform = kind, .parameter = 4}, Type::Of(TypeKind::kDate), {})));
  }
}

TEST(PartitionSpecTest, TransformsThatDoNotApply) {
  const auto refused = [](TransformKind kind, TypeKind type) {
    return !TransformedType({.name = "p", .transform = kind, .parameter = 4}, Type::Of(type)).ok();
  };
  EXPECT_TRUE(refused(TransformKind::kHour, TypeKind::kDate));
  EXPECT_TRUE(refused(TransformKind::kBucket, TypeKind::kDouble));
  EXPECT_TRUE(refused(TransformKind::kYear, TypeKind::kString));
  EXPECT_FALSE(refused(TransformKind::kBucket, TypeKind::kString));
}

TEST(PartitionSpecTest, TextRoundTrips) {
  for (const char* text :
       {"identity", "bucket[16]", "truncate[4]", "year", "month", "day", "hour", "void"}) {
    EXPECT_EQ(TransformToText(*ParseTransform(text)), text);
  }
  for (const char* text : {"bucket", "bucket[0]", "bucket[x]", "bucket[4", "day[3]", "week"}) {
    EXPECT_FALSE(ParseTransform(text).ok()) << text;
  }
}

TEST(PartitionSpecTest, IdentitySpecNamesMistakes) {
  const Schema schema = AssignFreshIds(*ParseColumns("id int, day date, l list<int>"));
  const PartitionSpec spec = *IdentitySpec(schema, {"DAY"});
  EXPECT_EQ(spec.fields[0].source_id, 2);
  EXPECT_EQ(spec.fields[0].name, "day");
  EXPECT_EQ(IdentitySpec(schema, {"dya"}).error().code, ErrorCode::kNotFound);
  EXPECT_FALSE(IdentitySpec(schema, {"l"}).ok());
  EXPECT_FALSE(IdentitySpec(schema, {"day", "Day"}).ok());
}

}  // namespace
}  // namespace tarn
