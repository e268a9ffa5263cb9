#include "tarn/format/iceberg/summary.h"

#include <gtest/gtest.h>

#include "tests/support/toy_tables.h"

namespace tarn::iceberg {
namespace {

using tarn::testing::FileOf;

Commit Made(OperationKind kind, std::vector<DataFile> added, std::vector<DataFile> removed) {
  Commit commit;
  commit.id = "c";
  commit.operation.kind = kind;
  commit.added = std::move(added);
  commit.removed = std::move(removed);
  return commit;
}

TEST(SummaryTest, OperationsAreIcebergsFour) {
  const DataFile file = FileOf("1", "f");
  EXPECT_EQ(OperationOf(Made(OperationKind::kAppend, {file}, {})), "append");
  EXPECT_EQ(OperationOf(Made(OperationKind::kCreate, {file}, {})), "append");
  EXPECT_EQ(OperationOf(Made(OperationKind::kOverwrite, {file}, {})), "overwrite");
  EXPECT_EQ(OperationOf(Made(OperationKind::kDelete, {}, {file})), "delete");
  EXPECT_EQ(OperationOf(Made(OperationKind::kDelete, {file}, {file})), "overwrite");
  Commit rewrite = Made(OperationKind::kRewrite, {file}, {file});
  rewrite.data_change = false;
  EXPECT_EQ(OperationOf(rewrite), "replace");
}

TEST(SummaryTest, TotalsCarryOn) {
  SnapshotEntry first;
  first.summary = SummaryOf(
      Made(OperationKind::kAppend, {FileOf("1", "a", 3), FileOf("2", "b", 4)}, {}), nullptr, 0);
  EXPECT_EQ(first.summary.at("added-data-files"), "2");
  EXPECT_EQ(first.summary.at("added-records"), "7");
  EXPECT_EQ(first.summary.at("added-files-size"), "207");
  EXPECT_EQ(first.summary.at("changed-partition-count"), "2");
  EXPECT_EQ(first.summary.at("total-records"), "7");
  EXPECT_FALSE(first.summary.contains("deleted-data-files"));
  const auto second = SummaryOf(
      Made(OperationKind::kOverwrite, {FileOf("1", "c", 1)}, {FileOf("1", "a", 3)}), &first, 0);
  EXPECT_EQ(second.at("deleted-records"), "3");
  EXPECT_EQ(second.at("changed-partition-count"), "1");
  EXPECT_EQ(second.at("total-data-files"), "2");
  EXPECT_EQ(second.at("total-records"), "5");
  EXPECT_EQ(second.at("total-delete-files"), "0");
}

TEST(SummaryTest, ATotalThatNobodyKeptIsNotMadeUp) {
  SnapshotEntry parent;
  const auto summary = SummaryOf(Made(OperationKind::kAppend, {FileOf("1", "a")}, {}), &parent, 0);
  EXPECT_FALSE(summary.contains("total-records"));
}

}  // namespace
}  // namespace tarn::iceberg
