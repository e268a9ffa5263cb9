#include "tarn/format/iceberg/prepare.h"

#include <gtest/gtest.h>

#include "tests/unit/format/iceberg/iceberg_world.h"

namespace tarn::iceberg {
namespace {

class PrepareTest : public testing::IcebergWorld {
 protected:
  Result<TableMetadata> New(std::vector<Field> fields,
                            std::map<std::string, std::string> properties = {}) {
    TableMetadata wanted;
    wanted.schema.fields = std::move(fields);
    wanted.properties = std::move(properties);
    return PrepareMetadata(fakes.runtime, nullptr, std::move(wanted));
  }
};

TEST_F(PrepareTest, ANewTable) {
  ASSERT_OK_AND_ASSIGN(const TableMetadata made,
                       New({{.name = "a", .type = Type::Of(TypeKind::kInt16)}}));
  EXPECT_EQ(made.writer_version, 2);
  EXPECT_EQ(made.table_id.size(), 36U);
  EXPECT_EQ(made.schema.fields[0].id, 1);
  EXPECT_EQ(made.schema.fields[0].type.kind, TypeKind::kInt32);
  ASSERT_OK_AND_ASSIGN(
      const TableMetadata third,
      New({{.name = "a", .type = Type::Of(TypeKind::kInt64)}}, {{"format-version", "3"}}));
  EXPECT_EQ(third.writer_version, 3);
  EXPECT_TRUE(third.properties.empty()) << "a request, not a property";
  EXPECT_ERROR(New({}, {{"format-version", "4"}}), ErrorCode::kInvalid);
}

TEST_F(PrepareTest, TypesOfLaterVersions) {
  const Field nanos{.name = "t", .type = Type::Of(TypeKind::kTimestampNs)};
  EXPECT_ERROR(New({nanos}), ErrorCode::kUnsupported);
  EXPECT_OK(New({nanos}, {{"format-version", "3"}}));
}

TEST_F(PrepareTest, OnlyPromotionsOfTheSpecification) {
  ASSERT_OK_AND_ASSIGN(const TableMetadata before,
                       New({{.name = "a", .type = Type::Of(TypeKind::kInt32)},
                            {.name = "d", .type = Type::Decimal(9, 2)}}));
  const auto changed = [&](size_t column, const Type& type) {
    TableMetadata wanted = before;
    wanted.schema.fields[column].type = type;
    return PrepareMetadata(fakes.runtime, &before, wanted);
  };
  EXPECT_OK(changed(0, Type::Of(TypeKind::kInt64)));
  EXPECT_OK(changed(1, Type::Decimal(18, 2)));
  EXPECT_ERROR(changed(0, Type::Of(TypeKind::kDouble)), ErrorCode::kUnsupported);
  EXPECT_ERROR(changed(0, Type::Of(TypeKind::kString)), ErrorCode::kUnsupported);
  EXPECT_ERROR(changed(1, Type::Decimal(18, 3)), ErrorCode::kUnsupported);
  TableMetadata required = before;
  required.schema.fields[0].required = true;
  EXPECT_ERROR(PrepareMetadata(fakes.runtime, &before, required), ErrorCode::kInvalid);
}

TEST_F(PrepareTest, SpecsKeepTheIdsOfTheirFields) {
  ASSERT_OK_AND_ASSIGN(const TableMetadata before,
                       New({{.name = "a", .type = Type::Of(TypeKind::kInt32)},
                            {.name = "d", .type = Type::Of(TypeKind::kDate)}}));
  EXPECT_EQ(before.specs.size(), 1U);
  TableMetadata wanted = before;
  wanted.specs = {PartitionSpec{
      .fields = {{.source_id = 2, .name = "d_month", .transform = TransformKind::kMonth}}}};
  wanted.default_spec_id = 0;
  ASSERT_OK_AND_ASSIGN(const TableMetadata monthly,
                       PrepareMetadata(fakes.runtime, &before, wanted));
  EXPECT_EQ(monthly.default_spec_id, 1);
  EXPECT_EQ(monthly.default_spec().fields[0].field_id, 1000);
  ASSERT_EQ(monthly.specs.size(), 2U);
  wanted = monthly;
  wanted.specs = {PartitionSpec{
      .fields = {{.source_id = 1, .name = "a"},
                 {.source_id = 2, .name = "d_month", .transform = TransformKind::kMonth}}}};
  wanted.default_spec_id = 0;
  ASSERT_OK_AND_ASSIGN(const TableMetadata both, PrepareMetadata(fakes.runtime, &monthly, wanted));
  EXPECT_EQ(both.default_spec().fields[0].field_id, 1001);
  EXPECT_EQ(both.default_spec().fields[1].field_id, 1000);
  EXPECT_EQ(both.specs.size(), 3U);
}

TEST_F(PrepareTest, TheTicket) {
  ASSERT_OK(Create(
      {{"write.target-file-size-bytes", "4096"}, {"write.metadata.metrics.column.id", "none"}}));
  ASSERT_OK_AND_ASSIGN(const WriteTicket ticket, MakeWriteTicket(Load(), {}));
  EXPECT_EQ(ticket.folder, "data");
  EXPECT_EQ(ticket.target_file_size_bytes, 4096);
  EXPECT_EQ(ticket.statistics_ids, std::vector<int32_t>{2});
  EXPECT_FALSE(ticket.row_deletes);
}

}  // namespace
}  // namespace tarn::iceberg
