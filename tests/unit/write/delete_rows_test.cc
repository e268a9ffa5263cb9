#include "tarn/write/delete_rows.h"

#include <gtest/gtest.h>

#include <arrow/api.h>

#include "tarn/scan/read.h"
#include "tarn/write/write_rows.h"
#include "tests/support/asking_format.h"
#include "tests/support/matchers.h"
#include "tests/support/rows_text.h"
#include "tests/support/table_stand.h"

namespace tarn {
namespace {

using testing::BatchOf;
using testing::Col;
using testing::RowsText;
using testing::SchemaOf;
using testing::Sorted;
using testing::VectorStream;
using Rows = std::vector<std::string>;

class DeleteRowsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    stand.table.format = &format;
    TableMetadata metadata;
    metadata.schema = schema;
    metadata.specs = {*IdentitySpec(schema, {"day"})};
    VectorStream rows(
        {BatchOf(schema, R"([[1, "mon"], [2, "mon"], [3, "mon"], [4, "tue"], [5, null]])")});
    ASSERT_OK(WriteRows(stand.runtime, stand.table, Snapshot::Empty(), stand.file_formats, rows,
                        {.metadata = metadata}));
  }
  Result<DeleteResult> Delete(const Expression& where, const std::string& sql) {
    TARN_ASSIGN_OR_RETURN(const Snapshot base, stand.table.Load());
    return DeleteRows(stand.runtime, stand.table, base, stand.file_formats,
                      {.where = where, .where_sql = sql});
  }
  Rows Table() {
    const auto snapshot = stand.table.Load();
    const auto plan = PlanScan(format, stand.table.home, *snapshot, {});
    return Sorted(
        RowsText(ReadPlan(stand.runtime, format, stand.table.home, stand.file_formats, *plan, {})));
  }
  static Expression Compare(Expression::Op op, int32_t id, Value value) {
    return Expression::Compare(op, id, std::move(value));
  }

  testing::TableStand stand;
  testing::AskingFormat format{stand.vault, stand.format};
  const Schema schema = SchemaOf({Col(1, "id", "bigint"), Col(2, "day", "string")});
};

TEST_F(DeleteRowsTest, WholePartitionByMetadata) {
  ASSERT_OK_AND_ASSIGN(const auto result,
                       Delete(Compare(Expression::Op::kEqual, 2, Value(std::string("mon"))),
                              "no sql is asked, or this would fail to parse ("));
  EXPECT_EQ(result.rows_deleted, 3);
  EXPECT_EQ(result.files_removed, 1);
  EXPECT_EQ(result.files_added, 0);
  EXPECT_EQ(Table(), (Rows{"4|tue", "5|NULL"}));
}

TEST_F(DeleteRowsTest, PartOfAFileIsWrittenAgain) {
  ASSERT_OK_AND_ASSIGN(const auto result,
                       Delete(Compare(Expression::Op::kEqual, 1, Value(int64_t{2})), "id = 2"));
  EXPECT_EQ(result.rows_deleted, 1);
  EXPECT_EQ(result.files_removed, 1);
  EXPECT_EQ(result.files_added, 1);
  EXPECT_EQ(Table(), (Rows{"1|mon", "3|mon", "4|tue", "5|NULL"}));
  EXPECT_EQ(format.last.reads.locations.size(), 1U);
  EXPECT_EQ(format.last.reads.predicates.size(), 1U);
}

TEST_F(DeleteRowsTest, FileOfWhichAllRowsGoIsOnlyRemoved) {
  ASSERT_OK_AND_ASSIGN(const auto result, Delete(Expression::Opaque("id % 10 < 4"), "id % 10 < 4"));
  EXPECT_EQ(result.rows_deleted, 3);
  EXPECT_EQ(result.files_added, 0);
  EXPECT_EQ(Table(), (Rows{"4|tue", "5|NULL"}));
}

TEST_F(DeleteRowsTest, NullIsNotTrue) {
  ASSERT_OK(
      Delete(Compare(Expression::Op::kNotEqual, 2, Value(std::string("mon"))), "day <> 'mon'"));
  EXPECT_EQ(Table(), (Rows{"1|mon", "2|mon", "3|mon", "5|NULL"}));
}

TEST_F(DeleteRowsTest, NothingMatchesNothingIsCommitted) {
  ASSERT_OK_AND_ASSIGN(const auto result,
                       Delete(Compare(Expression::Op::kEqual, 1, Value(int64_t{99})), "id = 99"));
  EXPECT_FALSE(result.version.has_value());
  EXPECT_EQ(stand.table.Load()->version.text, "0");
}

TEST_F(DeleteRowsTest, RowDeletesWhereTheTableAsks) {
  format.row_deletes = true;
  ASSERT_OK_AND_ASSIGN(const auto result,
                       Delete(Compare(Expression::Op::kEqual, 1, Value(int64_t{2})), "id = 2"));
  EXPECT_EQ(result.row_delete_files, 1);
  EXPECT_EQ(result.files_removed, 0);
  ASSERT_EQ(format.last.row_deletes.size(), 1U);
  EXPECT_TRUE(format.last.row_deletes[0].rows.Contains(1));
  EXPECT_EQ(format.last.row_deletes[0].rows.Count(), 1);
}

TEST_F(DeleteRowsTest, ChangeDataHoldsEveryDeletedRow) {
  format.change_data = true;
  // Part of mon is rewritten, tue goes whole: readers of change data look at change files only.
  ASSERT_OK(Delete(Expression::Opaque("id IN (2, 4)"), "id IN (2, 4)"));
  ASSERT_FALSE(format.last.change_files.empty());
  Rows changed;
  Schema with_type = SchemaOf({Col(1, "id", "bigint")});
  with_type.fields.push_back({0, "_change_type", Type::Of(TypeKind::kString)});
  for (const DataFile& file : format.last.change_files) {
    EXPECT_TRUE(file.path.starts_with("_change_data/day="));
    for (const std::string& row : RowsText(
             testing::ReadFile(**stand.file_formats.Find("parquet"), *stand.storage,
                               *stand.table.home.ObjectOf(file.path), {.schema = with_type}))) {
      changed.push_back(row);
    }
  }
  EXPECT_EQ(Sorted(changed), (Rows{"2|delete", "4|delete"}));
  EXPECT_EQ(Table(), (Rows{"1|mon", "3|mon", "5|NULL"}));
}

TEST_F(DeleteRowsTest, WholeFilesAloneNeedNoChangeData) {
  format.change_data = true;
  ASSERT_OK(Delete(Compare(Expression::Op::kEqual, 2, Value(std::string("mon"))), "day = 'mon'"));
  EXPECT_TRUE(format.last.change_files.empty());
}

TEST_F(DeleteRowsTest, BadSqlIsRefused) {
  EXPECT_ERROR(Delete(Expression::Opaque("nonsense("), "nonsense("), ErrorCode::kInvalid);
}

TEST_F(DeleteRowsTest, RemovalPlanTellsWholeFromTouched) {
  const Snapshot base = *stand.table.Load();
  const auto find = FindRowsBySql(stand.runtime, stand.table, stand.file_formats, "id IN (2, 4)");
  ASSERT_OK_AND_ASSIGN(const RemovalPlan plan,
                       PlanRemoval(stand.table, base, Expression::Opaque("id IN (2, 4)"), find));
  EXPECT_EQ(plan.removed.size(), 1U);
  EXPECT_EQ(plan.touched.files_kept, 1);
  EXPECT_EQ(plan.rows_removed, 2);
}

}  // namespace
}  // namespace tarn
