#include "tarn/write/write_rows.h"

#include <gtest/gtest.h>

#include <arrow/api.h>

#include "tarn/scan/read.h"
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

class WriteRowsTest : public ::testing::Test {
 protected:
  WriteRowsTest() {
    metadata.schema = SchemaOf({Col(1, "id", "bigint"), Col(2, "day", "string")});
    metadata.specs = {*IdentitySpec(metadata.schema, {"day"})};
  }

  Result<WriteResult> Write(const std::string& rows, WriteRequest request = {},
                            std::optional<Snapshot> base = std::nullopt) {
    if (!base) {
      Result<Snapshot> newest = stand.table.Load();
      base = newest.ok() ? *newest : Snapshot::Empty();
    }
    if (!base->exists() && !request.metadata) request.metadata = metadata;
    VectorStream stream({BatchOf(metadata.schema, rows)});
    return WriteRows(stand.runtime, stand.table, *base, stand.file_formats, stream, request);
  }
  Rows Table() {
    const auto snapshot = stand.table.Load();
    if (!snapshot.ok()) return {"error: " + snapshot.error().message};
    const auto plan = PlanScan(stand.format, stand.table.home, *snapshot, {});
    return Sorted(RowsText(
        ReadPlan(stand.runtime, stand.format, stand.table.home, stand.file_formats, *plan, {})));
  }
  Expression DayIs(const std::string& day) {
    return Expression::Compare(Expression::Op::kEqual, 2, Value(day));
  }
  Expression IdIs(int64_t id) { return Expression::Compare(Expression::Op::kEqual, 1, Value(id)); }

  testing::TableStand stand;
  TableMetadata metadata;
};

TEST_F(WriteRowsTest, CreatesAndAppends) {
  ASSERT_OK_AND_ASSIGN(const WriteResult first, Write(R"([[1, "mon"], [2, "tue"]])"));
  EXPECT_EQ(first.rows, 2);
  EXPECT_EQ(first.files, 2);
  EXPECT_GT(first.bytes, 0);
  ASSERT_OK(Write(R"([[3, null]])"));
  EXPECT_EQ(Table(), (Rows{"1|mon", "2|tue", "3|NULL"}));
  EXPECT_ERROR(Write("[[1, null]]", {.metadata = metadata}, Snapshot::Empty()),
               ErrorCode::kAlreadyExists);
  EXPECT_EQ(stand.Files()->size(), 3U);  // the refused one left nothing
}

TEST_F(WriteRowsTest, NoTableAndNoMetadata) {
  VectorStream stream({BatchOf(metadata.schema, "[]")});
  EXPECT_ERROR(
      WriteRows(stand.runtime, stand.table, Snapshot::Empty(), stand.file_formats, stream, {}),
      ErrorCode::kNotFound);
  stand.table.storage = nullptr;
  EXPECT_ERROR(Write("[]"), ErrorCode::kInvalid);
}

TEST_F(WriteRowsTest, AppendOfNothingStillMovesPositions) {
  ASSERT_OK(Write("[]", {.positions = {{"s", std::nullopt, "7"}}}));
  EXPECT_EQ(stand.table.Load()->positions.at("s"), "7");
}

TEST_F(WriteRowsTest, OverwriteAll) {
  ASSERT_OK(Write(R"([[1, "mon"], [2, "tue"]])"));
  ASSERT_OK_AND_ASSIGN(const auto result,
                       Write(R"([[9, "sun"]])", {.mode = WriteMode::kOverwriteAll}));
  EXPECT_EQ(result.files_removed, 2);
  EXPECT_EQ(Table(), (Rows{"9|sun"}));
  ASSERT_OK(Write("[]", {.mode = WriteMode::kOverwriteAll}));
  EXPECT_TRUE(Table().empty());
}

TEST_F(WriteRowsTest, DynamicOverwriteReplacesOnlyPartitionsWritten) {
  ASSERT_OK(Write(R"([[1, "mon"], [2, "tue"], [3, null]])"));
  ASSERT_OK(Write(R"([[10, "mon"], [30, null]])", {.mode = WriteMode::kOverwritePartitions}));
  EXPECT_EQ(Table(), (Rows{"10|mon", "2|tue", "30|NULL"}));
  ASSERT_OK(Write("[]", {.mode = WriteMode::kOverwritePartitions}));
  EXPECT_EQ(Table().size(), 3U);
}

TEST_F(WriteRowsTest, DynamicOverwriteWithoutPartitionsIsWhole) {
  metadata.specs = {PartitionSpec{}};
  ASSERT_OK(Write(R"([[1, "mon"], [2, "tue"]])"));
  ASSERT_OK(Write(R"([[3, "x"]])", {.mode = WriteMode::kOverwritePartitions}));
  EXPECT_EQ(Table(), (Rows{"3|x"}));
}

TEST_F(WriteRowsTest, S26a_OverwriteOfAPartitionWithNothingEmptiesIt) {
  ASSERT_OK(Write(R"([[1, "mon"], [2, "tue"]])"));
  ASSERT_OK(Write("[]", {.mode = WriteMode::kOverwriteWhere, .where = DayIs("mon")}));
  EXPECT_EQ(Table(), (Rows{"2|tue"}));
}

TEST_F(WriteRowsTest, OverwriteWherePartitionRefusesOtherRows) {
  ASSERT_OK(Write(R"([[1, "mon"], [2, "tue"]])"));
  const auto refused = Write(R"([[5, "mon"], [6, "wed"]])",
                             {.mode = WriteMode::kOverwriteWhere, .where = DayIs("mon")});
  EXPECT_ERROR(refused, ErrorCode::kInvalid);
  EXPECT_NE(refused.error().message.find("day=wed"), std::string::npos) << refused.error().message;
  EXPECT_EQ(Table(), (Rows{"1|mon", "2|tue"}));
  EXPECT_EQ(stand.Files()->size(), 2U);
}

TEST_F(WriteRowsTest, OverwriteWhereOnDataColumnsKeepsOtherRowsOfTouchedFiles) {
  ASSERT_OK(Write(R"([[1, "mon"], [2, "mon"], [3, "tue"]])"));
  ASSERT_OK_AND_ASSIGN(
      const auto result,
      Write(R"([[1, "sun"]])",
            {.mode = WriteMode::kOverwriteWhere, .where = IdIs(1), .where_sql = "id = 1"}));
  EXPECT_EQ(result.rows, 1);
  EXPECT_EQ(Table(), (Rows{"1|sun", "2|mon", "3|tue"}));
  EXPECT_ERROR(Write(R"([[7, "sun"]])",
                     {.mode = WriteMode::kOverwriteWhere, .where = IdIs(1), .where_sql = "id = 1"}),
               ErrorCode::kInvalid);
}

TEST_F(WriteRowsTest, ConstraintsAreChecked) {
  metadata.constraints = {{"positive", "id IS NULL OR id > 0"}};
  ASSERT_OK(Write(R"([[1, "mon"], [null, "mon"]])"));
  const auto refused = Write(R"([[2, "mon"], [-1, "tue"]])");
  EXPECT_ERROR(refused, ErrorCode::kInvalid);
  EXPECT_NE(refused.error().message.find("positive"), std::string::npos);
  EXPECT_EQ(Table().size(), 2U);
}

TEST_F(WriteRowsTest, WritersOfDifferentPartitionsBothSucceedOfOneOnlyOne) {
  ASSERT_OK(Write(R"([[1, "mon"], [2, "tue"]])"));
  const Snapshot base = *stand.table.Load();
  ASSERT_OK(Write(R"([[10, "mon"]])", {.mode = WriteMode::kOverwritePartitions}, base));
  ASSERT_OK(Write(R"([[20, "tue"]])", {.mode = WriteMode::kOverwritePartitions}, base));
  EXPECT_EQ(Table(), (Rows{"10|mon", "20|tue"}));
  EXPECT_ERROR(Write(R"([[11, "mon"]])", {.mode = WriteMode::kOverwritePartitions}, base),
               ErrorCode::kConflict);
  EXPECT_EQ(Table(), (Rows{"10|mon", "20|tue"}));
  EXPECT_EQ(stand.Files()->size(), 4U);
}

TEST_F(WriteRowsTest, UnknownOutcomeKeepsFilesOtherFailuresRemoveThem) {
  ASSERT_OK(Write(R"([[1, "mon"]])"));
  const Snapshot base = *stand.table.Load();
  bool fail = true;
  stand.storage->SetBeforeCall([&](std::string_view, const Path& path) {
    // From the first touch of the log on, every call fails with its answer lost.
    if (fail && path.str().find("_log") != std::string::npos) {
      stand.storage->SetFaults({.unknown_not_done = 1000});
    }
  });
  const auto outcome = Write(R"([[2, "mon"]])", {.retry = {.attempts_max = 2}}, base);
  stand.storage->SetBeforeCall({});
  stand.storage->SetFaults({});
  ASSERT_FALSE(outcome.ok());
  if (outcome.error().code == ErrorCode::kUnknownOutcome) {
    EXPECT_EQ(stand.Files()->size(), 2U);
  }
}

TEST_F(WriteRowsTest, RerunStopsAtSuccessOrOtherErrors) {
  int runs = 0;
  const auto conflict_twice = [&]() -> Result<int> {
    if (++runs < 3) return Conflict("again");
    return runs;
  };
  ASSERT_OK_AND_ASSIGN(const int result, RerunOnConflict<int>(stand.runtime, conflict_twice));
  EXPECT_EQ(result, 3);
  runs = 0;
  const auto always = [&]() -> Result<int> {
    ++runs;
    return Conflict("again");
  };
  EXPECT_ERROR(RerunOnConflict<int>(stand.runtime, always), ErrorCode::kConflict);
  EXPECT_EQ(runs, kRunsMax);
  const auto invalid = [&]() -> Result<int> {
    ++runs;
    return Invalid("no");
  };
  EXPECT_ERROR(RerunOnConflict<int>(stand.runtime, invalid), ErrorCode::kInvalid);
  EXPECT_EQ(runs, kRunsMax + 1) << "not run again";
}

}  // namespace
}  // namespace tarn
