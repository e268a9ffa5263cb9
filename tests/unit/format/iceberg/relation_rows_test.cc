#include "tarn/format/iceberg/relation_rows.h"

#include <arrow/api.h>
#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace tarn::iceberg {
namespace {

TEST(RelationRowsTest, EveryKindOfColumn) {
  RelationRows rows({FieldOf("small", arrow::int8()), FieldOf("number", arrow::int64()),
                     FieldOf("time", UtcMillis()), FieldOf("flag", arrow::boolean()),
                     FieldOf("text", arrow::utf8()), FieldOf("texts", TextMap()),
                     FieldOf("day", arrow::date32())});
  rows.Number(0, 1);
  rows.Number(1, int64_t{1} << 40);
  rows.Number(2, 1500);
  rows.Flag(3, true);
  rows.Text(4, "a");
  rows.Texts(5, {{"k", "v"}, {"operation", "append"}}, "operation");
  ASSERT_OK(rows.Cell(6, Type::Of(TypeKind::kDate), Value(int64_t{1})));
  for (int column = 0; column < 7; ++column) {
    if (column < 3) rows.Number(column, std::nullopt);
    if (column == 3) rows.Flag(column, std::nullopt);
    if (column == 4) rows.Text(column, std::nullopt);
    if (column == 5) rows.Null(column);
    if (column == 6) {
      ASSERT_OK(rows.Cell(column, Type::Of(TypeKind::kDate), Value()));
    }
  }
  ASSERT_OK_AND_ASSIGN(const Relation relation, rows.Finish());
  ASSERT_EQ(relation.batches.size(), 1U);
  const arrow::RecordBatch& batch = *relation.batches[0];
  EXPECT_TRUE(batch.ValidateFull().ok());
  ASSERT_EQ(batch.num_rows(), 2);
  const char* expected[] = {"1", "1099511627776", "1970-01-01 00:00:01.500Z", "true", "a",
                            "",  "1970-01-02"};
  for (int column = 0; column < 7; ++column) {
    EXPECT_TRUE(batch.column(column)->IsNull(1)) << column;
    if (column == 2 || column == 5) continue;
    EXPECT_EQ((*batch.column(column)->GetScalar(0))->ToString(), expected[column]) << column;
  }
  EXPECT_EQ(static_cast<const arrow::TimestampArray&>(*batch.column(2)).Value(0), 1500);
  const auto& map = static_cast<const arrow::MapArray&>(*batch.column(5));
  EXPECT_EQ(map.value_length(0), 1) << "the operation has a column of its own";
}

TEST(RelationRowsTest, AFailureShowsAtTheEnd) {
  RelationRows rows({FieldOf("text", arrow::utf8())});
  rows.Number(0, 1);
  EXPECT_ERROR(rows.Finish(), ErrorCode::kInternal);
}

}  // namespace
}  // namespace tarn::iceberg
