#include "tarn/format/iceberg/project.h"

#include <gtest/gtest.h>

#include "tarn/format/iceberg/single_value.h"

namespace tarn::iceberg {
namespace {

using Op = Expression::Op;

class ProjectTest : public ::testing::Test {
 protected:
  ProjectTest() {
    schema.fields = {{.id = 1, .name = "ts", .type = Type::Of(TypeKind::kTimestamp)},
                     {.id = 2, .name = "n", .type = Type::Of(TypeKind::kInt64)}};
    spec.fields = {
        {.source_id = 1, .field_id = 1000, .name = "ts_day", .transform = TransformKind::kDay}};
  }

  std::vector<uint8_t> Held(const Expression& filter, const std::vector<ManifestFile>& manifests) {
    std::vector<const ManifestFile*> all;
    for (const ManifestFile& manifest : manifests) all.push_back(&manifest);
    return MayHoldMatches(filter, schema, spec, {Type::Of(TypeKind::kDate)}, all);
  }

  static ManifestFile Days(int64_t from, int64_t to) {
    const Type date = Type::Of(TypeKind::kDate);
    ManifestFile manifest;
    manifest.partitions = {{.contains_null = false,
                            .lower = ValueToBinary(date, Value(from)),
                            .upper = ValueToBinary(date, Value(to))}};
    return manifest;
  }

  static constexpr int64_t kDay = int64_t{86'400} * 1'000'000;
  Schema schema;
  PartitionSpec spec;
};

TEST_F(ProjectTest, RangesKeepTheDayThatEndsThem) {
  const Expression filter = Expression::Compare(Op::kLess, 1, Value(10 * kDay));
  EXPECT_EQ(Held(filter, {Days(0, 5), Days(10, 12), Days(11, 12)}),
            (std::vector<uint8_t>{1, 1, 0}));
}

TEST_F(ProjectTest, WhatIsNotPartitionedSaysNothing) {
  const Expression n = Expression::Compare(Op::kEqual, 2, Value(int64_t{3}));
  EXPECT_TRUE(ProjectOnPartition(n, schema, spec).IsTrue());
  const Expression day = Expression::Compare(Op::kEqual, 1, Value(3 * kDay + 5));
  EXPECT_TRUE(ProjectOnPartition(Expression::Or({n, day}), schema, spec).IsTrue());
  EXPECT_EQ(Held(Expression::And({n, day}), {Days(0, 2), Days(3, 3)}),
            (std::vector<uint8_t>{0, 1}));
  EXPECT_TRUE(ProjectOnPartition(Expression::Not(day), schema, spec).IsTrue());
}

TEST_F(ProjectTest, NullsAndMissingSummaries) {
  ManifestFile nulls;
  nulls.partitions = {{.contains_null = true, .contains_nan = false}};
  EXPECT_EQ(Held(Expression::IsNullOf(1), {Days(0, 2), nulls, ManifestFile()}),
            (std::vector<uint8_t>{0, 1, 1}));
  const Expression day = Expression::Compare(Op::kEqual, 1, Value(int64_t{5}));
  EXPECT_EQ(Held(day, {nulls, ManifestFile()}), (std::vector<uint8_t>{0, 1}));
}

}  // namespace
}  // namespace tarn::iceberg
