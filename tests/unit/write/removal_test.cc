#include "tarn/write/removal.h"

#include <gtest/gtest.h>

#include "tarn/write/write_rows.h"
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

// Three files: mon (ids 1, 2, 3), tue (4), NULL (5).
class RemovalTest : public ::testing::Test {
 protected:
  void SetUp() override {
    TableMetadata metadata;
    metadata.schema = schema;
    metadata.specs = {*IdentitySpec(schema, {"day"})};
    VectorStream rows(
        {BatchOf(schema, R"([[1, "mon"], [2, "mon"], [3, "mon"], [4, "tue"], [5, null]])")});
    ASSERT_OK(WriteRows(stand.runtime, stand.table, Snapshot::Empty(), stand.file_formats, rows,
                        {.metadata = metadata}));
    base = *stand.table.Load();
  }

  RowFinder Find(const std::string& sql) {
    return FindRowsBySql(stand.runtime, stand.table, stand.file_formats, sql);
  }

  testing::TableStand stand;
  const Schema schema = SchemaOf({Col(1, "id", "bigint"), Col(2, "day", "string")});
  Snapshot base;
};

TEST_F(RemovalTest, AWholePartitionNeedsNoLookInside) {
  const RowFinder never = [](const ScanPlan&) -> Result<std::vector<RowDelete>> {
    return Internal("asked for rows");
  };
  const Expression monday =
      Expression::Compare(Expression::Op::kEqual, 2, Value(std::string("mon")));
  ASSERT_OK_AND_ASSIGN(const RemovalPlan plan, PlanRemoval(stand.table, base, monday, never));
  EXPECT_EQ(plan.removed.size(), 1U);
  EXPECT_EQ(plan.touched.files_kept, 0);
  EXPECT_EQ(plan.rows_removed, 3);
}

TEST_F(RemovalTest, AFinderThatFailsIsPassedOn) {
  const RowFinder failing = [](const ScanPlan&) -> Result<std::vector<RowDelete>> {
    return Unavailable("the store is away");
  };
  EXPECT_ERROR(PlanRemoval(stand.table, base, Expression::Opaque("id = 2"), failing),
               ErrorCode::kUnavailable);
}

TEST_F(RemovalTest, SurvivorsAndRemovedAreAllTheRowsOfTheFilesThatMatch) {
  const std::string where = "id IN (2, 4)";
  ASSERT_OK_AND_ASSIGN(const RemovalPlan plan,
                       PlanRemoval(stand.table, base, Expression::Opaque(where), Find(where)));
  EXPECT_EQ(plan.removed.size(), 1U);  // tue: its only row goes
  EXPECT_EQ(plan.rows_by_path.size(), 1U);
  EXPECT_EQ(plan.rows_removed, 2);

  EXPECT_EQ(
      Sorted(RowsText(ReadSurvivors(stand.runtime, stand.table, stand.file_formats, plan, {}))),
      (Rows{"1|mon", "3|mon"}));
  ASSERT_OK_AND_ASSIGN(const auto streams,
                       ReadRemoved(stand.runtime, stand.table, stand.file_formats, base, plan));
  Rows gone;
  for (const auto& stream : streams) {
    for (const std::string& row : RowsText(*stream)) gone.push_back(row);
  }
  EXPECT_EQ(Sorted(gone), (Rows{"2|mon", "4|tue"}));
}

TEST_F(RemovalTest, NothingFoundNothingGoes) {
  ASSERT_OK_AND_ASSIGN(
      const RemovalPlan plan,
      PlanRemoval(stand.table, base, Expression::Opaque("id = 99"), Find("id = 99")));
  EXPECT_TRUE(plan.removed.empty());
  EXPECT_TRUE(plan.rows_by_path.empty());
  EXPECT_EQ(plan.rows_removed, 0);
}

}  // namespace
}  // namespace tarn
