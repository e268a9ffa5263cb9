#include "tests/unit/query/query_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tarn/query/table_scan.h"

namespace tarn {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::QueryWorld;

TEST(TableScanTest, VoidColumnsAreHiddenAndFiltersRemembered) {
  QueryWorld world;
  world.Message("CREATE TABLE ns.t (i INT)");
  const auto pinned = world.context().tables.Pin(sql::TableName{.parts = {"ns", "t"}});
  ASSERT_TRUE(pinned.ok());
  Snapshot snapshot = pinned->snapshot;
  snapshot.metadata.schema.fields.push_back(
      {.id = 9, .name = "nothing", .type = Type::Of(TypeKind::kVoid)});
  const TableScan scan(pinned->table, snapshot, true);
  ASSERT_EQ(scan.columns().size(), 1U);
  EXPECT_EQ(scan.Title(), "ns.t, version 0");
  ASSERT_TRUE(scan.Plan(Expression::IsNullOf(1)).ok());
  EXPECT_THAT(scan.FiltersSeen(), ElementsAre(Expression::IsNullOf(1)));
}

TEST(TableScanTest, OnlyTheRowsAskedFor) {
  QueryWorld world;
  world.Message("CREATE TABLE ns.t (i INT)");
  const auto pinned = world.context().tables.Pin(sql::TableName{.parts = {"ns", "t"}});
  FileBatch batch;
  AppendFile(batch, DataFile{.path = "a.parquet", .record_count = 100});
  RowSet rows;
  rows.Add(3);
  const TableScan scan(pinned->table, ScanPlan{.snapshot = pinned->snapshot, .batches = {batch}},
                       {{"a.parquet", rows}});
  const auto skipped = scan.RowsToSkip(batch, 0);
  ASSERT_TRUE(skipped.ok());
  EXPECT_TRUE(skipped->rest_deleted);
  EXPECT_EQ(skipped->bitmap[0], ~uint64_t{8});
}

}  // namespace
}  // namespace tarn
