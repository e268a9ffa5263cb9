#include "tarn/model/spec_evolution.h"

#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace tarn {
namespace {

Schema Columns() {
  return AssignFreshIds(*ParseColumns("id bigint, ts timestamp, name string, ts_day int"));
}

PartitionField Part(int32_t source, TransformKind transform, int32_t parameter = 0,
                    std::string name = {}) {
  return {
      .source_id = source, .name = std::move(name), .transform = transform, .parameter = parameter};
}

TEST(SpecEvolutionTest, NamesAreThoseOfTheJavaLibrary) {
  EXPECT_EQ(PartitionFieldName(Part(1, TransformKind::kIdentity), "id"), "id");
  EXPECT_EQ(PartitionFieldName(Part(1, TransformKind::kBucket, 16), "id"), "id_bucket_16");
  EXPECT_EQ(PartitionFieldName(Part(3, TransformKind::kTruncate, 4), "name"), "name_trunc_4");
  EXPECT_EQ(PartitionFieldName(Part(2, TransformKind::kHour), "ts"), "ts_hour");
}

TEST(SpecEvolutionTest, FieldsComeLastOrInAnothersPlace) {
  ASSERT_OK_AND_ASSIGN(PartitionSpec spec,
                       WithPartitionField({}, Columns(), Part(3, TransformKind::kIdentity)));
  ASSERT_OK_AND_ASSIGN(spec,
                       WithPartitionField(spec, Columns(), Part(1, TransformKind::kBucket, 4)));
  ASSERT_OK_AND_ASSIGN(
      spec, WithPartitionField(spec, Columns(), Part(2, TransformKind::kMonth, 0, "m"), 1));
  EXPECT_EQ(SpecToText(spec, Columns()), "name, month(ts), bucket(4, id)");
  EXPECT_EQ(FindPartitionField(spec, "M"), 1U);
  EXPECT_EQ(FindPartitionField(spec, Part(1, TransformKind::kBucket, 4)), 2U);
  EXPECT_EQ(FindPartitionField(spec, Part(1, TransformKind::kBucket, 8)), std::nullopt);
}

TEST(SpecEvolutionTest, Refuses) {
  const Schema schema = Columns();
  ASSERT_OK_AND_ASSIGN(const PartitionSpec spec,
                       WithPartitionField({}, schema, Part(1, TransformKind::kBucket, 4)));
  EXPECT_ERROR(WithPartitionField(spec, schema, Part(1, TransformKind::kBucket, 4, "again")),
               ErrorCode::kAlreadyExists);
  EXPECT_ERROR(
      WithPartitionField(spec, schema, Part(3, TransformKind::kIdentity, 0, "id_bucket_4")),
      ErrorCode::kAlreadyExists);
  // The usual name is another column's.
  EXPECT_ERROR(WithPartitionField(spec, schema, Part(2, TransformKind::kDay)), ErrorCode::kInvalid);
  EXPECT_OK(WithPartitionField(spec, schema, Part(2, TransformKind::kDay, 0, "day")));
  EXPECT_ERROR(WithPartitionField(spec, schema, Part(9, TransformKind::kIdentity)),
               ErrorCode::kInvalid);
  EXPECT_ERROR(WithPartitionField(spec, schema, Part(3, TransformKind::kDay)), ErrorCode::kInvalid);
}

TEST(SpecEvolutionTest, AVoidFieldGivesWay) {
  PartitionSpec spec;
  spec.fields = {
      {.source_id = 3, .field_id = 1000, .name = "name", .transform = TransformKind::kVoid}};
  EXPECT_EQ(FindPartitionField(spec, "name"), std::nullopt);
  EXPECT_EQ(SpecToText(spec, Columns()), "");
  ASSERT_OK_AND_ASSIGN(spec,
                       WithPartitionField(spec, Columns(), Part(3, TransformKind::kIdentity)));
  ASSERT_EQ(spec.fields.size(), 2U);
  EXPECT_EQ(spec.fields[0].name, "name_1000");
  EXPECT_EQ(spec.fields[1].name, "name");
}

}  // namespace
}  // namespace tarn
