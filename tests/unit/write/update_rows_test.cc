#include "tarn/write/update_rows.h"

#include <gtest/gtest.h>

#include <arrow/api.h>

#include "tarn/scan/read.h"
#include "tarn/write/write_rows.h"
#include "tests/support/asking_format.h"
#include "tests/support/matchers.h"
#include "tests/support/row_set_of.h"
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

class UpdateRowsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    stand.table.format = &format;
    TableMetadata metadata;
    metadata.schema = schema;
    metadata.specs = {*IdentitySpec(schema, {"day"})};
    metadata.constraints = {{"positive", "id > 0"}};
    VectorStream rows({BatchOf(schema, R"([[1, "mon", "a"], [2, "mon", "b"], [3, "tue", "c"]])")});
    ASSERT_OK(WriteRows(stand.runtime, stand.table, Snapshot::Empty(), stand.file_formats, rows,
                        {.metadata = metadata}));
    base = *stand.table.Load();
  }

  // The files of a day.
  std::vector<DataFile> FilesOf(const std::string& day) {
    const auto plan = PlanScan(format, stand.table.home, base, {});
    std::vector<DataFile> files;
    for (const FileBatch& batch : plan->batches) {
      for (int64_t i = 0; i < batch.size; ++i) {
        if (DataFile file = batch.At(i); file.partition[0] == Value(day)) {
          files.push_back(std::move(file));
        }
      }
    }
    return files;
  }

  // Monday's rows written again as `rows`, the second of them changed: with its old `tag` and
  // `day`.
  Result<Version> Update(const std::string& rows, const std::string& with_changes) {
    Schema wide = schema;
    wide.fields.push_back(Col(0, "changed", "boolean"));
    wide.fields.push_back(Col(0, "old_day", "string"));
    wide.fields.push_back(Col(0, "old_tag", "string"));
    UpdateRequest request;
    for (DataFile& file : FilesOf("mon")) {
      request.changed.push_back({std::move(file), testing::RowSetOf({1})});
    }
    request.assigned = {1, 2};
    request.rows =
        [&](const UpdateRequest::Wanted& wanted) -> Result<std::unique_ptr<BatchStream>> {
      asked = wanted;
      return std::unique_ptr<BatchStream>(std::make_unique<VectorStream>(
          std::vector{wanted.changes ? BatchOf(wide, with_changes) : BatchOf(schema, rows)}));
    };
    return UpdateRows(stand.runtime, stand.table, base, stand.file_formats, request);
  }

  Rows Table() {
    const auto snapshot = stand.table.Load();
    const auto plan = PlanScan(format, stand.table.home, *snapshot, {});
    return Sorted(
        RowsText(ReadPlan(stand.runtime, format, stand.table.home, stand.file_formats, *plan, {})));
  }

  testing::TableStand stand;
  testing::AskingFormat format{stand.vault, stand.format};
  const Schema schema =
      SchemaOf({Col(1, "id", "bigint"), Col(2, "day", "string"), Col(3, "tag", "string")});
  Snapshot base;
  UpdateRequest::Wanted asked;
};

TEST_F(UpdateRowsTest, ReplacesTheFiles) {
  ASSERT_OK(Update(R"([[1, "mon", "a"], [2, "wed", "B"]])", "[]"));
  EXPECT_FALSE(asked.changes);
  EXPECT_FALSE(asked.only_changed);
  EXPECT_EQ(Table(), (Rows{"1|mon|a", "2|wed|B", "3|tue|c"}));
  EXPECT_EQ(format.last.operation.kind, OperationKind::kUpdate);
  EXPECT_EQ(format.last.removed.size(), 1U);
  EXPECT_TRUE(format.last.change_files.empty());
}

TEST_F(UpdateRowsTest, ChangeDataHoldsBothImagesOfWhatChanged) {
  format.change_data = true;
  ASSERT_OK(Update("[]", R"([[1, "mon", "a", false, "mon", "a"],
                             [2, "wed", null, true, "mon", "b"]])"));
  EXPECT_TRUE(asked.changes);
  EXPECT_EQ(Table(), (Rows{"1|mon|a", "2|wed|NULL", "3|tue|c"}));
  Rows changes;
  Schema with_type = SchemaOf({Col(1, "id", "bigint"), Col(3, "tag", "string")});
  with_type.fields.push_back({0, "_change_type", Type::Of(TypeKind::kString)});
  for (const DataFile& file : format.last.change_files) {
    const bool monday = file.path.starts_with("_change_data/day=mon/");
    EXPECT_TRUE(monday || file.path.starts_with("_change_data/day=wed/")) << file.path;
    for (const std::string& row : RowsText(
             testing::ReadFile(**stand.file_formats.Find("parquet"), *stand.storage,
                               *stand.table.home.ObjectOf(file.path), {.schema = with_type}))) {
      changes.push_back((monday ? "mon|" : "wed|") + row);
    }
  }
  EXPECT_EQ(Sorted(changes), (Rows{"mon|2|b|update_preimage", "wed|2|NULL|update_postimage"}));
}

TEST_F(UpdateRowsTest, RowsLeaveTheirFileWhereTheTableAsksForIt) {
  format.row_deletes = true;
  ASSERT_OK(Update(R"([[2, "wed", "B"]])", "[]"));
  EXPECT_TRUE(asked.only_changed);
  EXPECT_TRUE(format.last.removed.empty());
  ASSERT_EQ(format.last.row_deletes.size(), 1U);
  EXPECT_EQ(format.last.row_deletes[0].rows, testing::RowSetOf({1}));
  ASSERT_EQ(format.last.added.size(), 1U);
  EXPECT_EQ(format.last.added[0].record_count, 1);
  EXPECT_EQ(format.last.added[0].partition[0], Value(std::string("wed")));
}

TEST_F(UpdateRowsTest, MovedRowsKeepTheirLineageInTheFile) {
  format.row_lineage = {Col(77, "row_number", "bigint"), Col(78, "changed_by", "bigint")};
  Schema wide = schema;
  wide.fields.insert(wide.fields.end(), format.row_lineage.begin(), format.row_lineage.end());
  UpdateRequest request;
  for (DataFile& file : FilesOf("mon")) request.changed.push_back({std::move(file), {}});
  request.operation.kind = OperationKind::kRewrite;
  request.rows = [&](const UpdateRequest::Wanted& wanted) -> Result<std::unique_ptr<BatchStream>> {
    EXPECT_EQ(wanted.row_lineage, format.row_lineage);
    return std::unique_ptr<BatchStream>(std::make_unique<VectorStream>(
        std::vector{BatchOf(wide, R"([[1, "mon", "a", 40, 7], [2, "mon", "b", 41, null]])")}));
  };
  ASSERT_OK(UpdateRows(stand.runtime, stand.table, base, stand.file_formats, request));
  ASSERT_EQ(format.last.added.size(), 1U);
  Schema read;
  read.fields = format.row_lineage;
  const Path object = *stand.table.home.ObjectOf(format.last.added[0].path);
  EXPECT_EQ(RowsText(testing::ReadFile(**stand.file_formats.Find("parquet"), *stand.storage, object,
                                       {.schema = read})),
            (Rows{"40|7", "41|NULL"}));
  EXPECT_EQ(Table(), (Rows{"1|mon|a", "2|mon|b", "3|tue|c"}));
}

TEST_F(UpdateRowsTest, WhatBreaksAConditionIsRefusedAndLeavesNothing) {
  const size_t files = stand.Files()->size();
  format.change_data = true;
  EXPECT_ERROR(Update("[]", R"([[-1, "mon", "a", true, "mon", "a"]])"), ErrorCode::kInvalid);
  format.conditions = {{"invariant of tag", "tag <> 'z'"}};
  const auto refused = Update("[]", R"([[1, "mon", "z", true, "mon", "a"]])");
  EXPECT_ERROR(refused, ErrorCode::kInvalid);
  EXPECT_NE(refused.error().message.find("invariant of tag"), std::string::npos);
  EXPECT_EQ(stand.Files()->size(), files);
  EXPECT_EQ(Table().size(), 3U);
}

TEST_F(UpdateRowsTest, AnotherCommitInBetweenIsAConflict) {
  ASSERT_OK(Update(R"([[1, "mon", "a"], [2, "mon", "B"]])", "[]"));
  const size_t files = stand.Files()->size();
  EXPECT_ERROR(Update(R"([[1, "mon", "A"], [2, "mon", "b"]])", "[]"), ErrorCode::kConflict);
  EXPECT_EQ(stand.Files()->size(), files);
  stand.table.storage = nullptr;
  EXPECT_ERROR(Update("[]", "[]"), ErrorCode::kInvalid);
}

}  // namespace
}  // namespace tarn
