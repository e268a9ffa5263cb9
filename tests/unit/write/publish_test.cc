#include <gtest/gtest.h>

#include "tarn/write/publish_internal.h"
#include "tarn/write/write_rows.h"
#include "tests/support/matchers.h"
#include "tests/support/table_stand.h"

namespace tarn {
namespace {

using testing::BatchOf;
using testing::Col;
using testing::SchemaOf;
using testing::VectorStream;

class PublishTest : public ::testing::Test {
 protected:
  void SetUp() override {
    metadata.schema = schema;
    ASSERT_OK(Write({.metadata = metadata}));
    base = *stand.table.Load();
  }

  Result<WriteResult> Write(const WriteRequest& request) {
    VectorStream rows({BatchOf(schema, "[[1], [2]]")});
    return WriteRows(stand.runtime, stand.table, base, stand.file_formats, rows, request);
  }

  // A commit on `base` with one new file, which is there already, as a writer leaves it.
  Commit AppendOf(const std::string& name) {
    EXPECT_OK(stand.storage->Put(stand.table.home.root / name, "rows"));
    Commit commit;
    commit.id = "id of " + name;
    commit.added = {{.path = name, .size_bytes = 4, .record_count = 1}};
    return commit;
  }

  bool IsThere(const std::string& name) {
    return stand.storage->Read(stand.table.home.root / name).ok();
  }

  testing::TableStand stand;
  const Schema schema = SchemaOf({Col(1, "id", "bigint")});
  TableMetadata metadata;
  Snapshot base = Snapshot::Empty();
};

TEST_F(PublishTest, ATableForReadingIsNotWritten) {
  EXPECT_OK(CheckWritableHome(stand.table));
  stand.table.storage = nullptr;
  EXPECT_ERROR(CheckWritableHome(stand.table), ErrorCode::kInvalid);
}

TEST_F(PublishTest, WhatIsPublishedStays) {
  const Commit commit = AppendOf("new.parquet");
  ASSERT_OK_AND_ASSIGN(
      const Version version,
      PublishOrRemove(stand.runtime, stand.table, base, commit, Isolation::kSerializable, {}));
  EXPECT_EQ(version.text, "1");
  EXPECT_TRUE(IsThere("new.parquet"));
}

TEST_F(PublishTest, AConflictRemovesWhatWasWritten) {
  // Another writer replaces the whole table; mine has read it all.
  ASSERT_OK(Write({.mode = WriteMode::kOverwriteAll}));
  Commit commit = AppendOf("mine.parquet");
  commit.change_files = {{.path = "changes.parquet"}};
  ASSERT_OK(stand.storage->Put(stand.table.home.root / "changes.parquet", "rows"));
  commit.reads.everything = true;
  EXPECT_ERROR(
      PublishOrRemove(stand.runtime, stand.table, base, commit, Isolation::kSerializable, {}),
      ErrorCode::kConflict);
  EXPECT_FALSE(IsThere("mine.parquet"));
  EXPECT_FALSE(IsThere("changes.parquet"));
}

TEST_F(PublishTest, AnUnknownOutcomeRemovesNothing) {
  const Commit commit = AppendOf("perhaps.parquet");
  // The log object is written but the answer is lost, and from then on the store is away.
  bool is_away = false;
  stand.storage->SetBeforeCall([&](std::string_view operation, const Path&) {
    const bool creates = operation == "create";
    stand.storage->SetFaults(is_away ? MemoryFaults{.fail_before = 1000}
                                     : MemoryFaults{.lose_answer = creates ? 1000 : 0});
    is_away = is_away || creates;
  });
  EXPECT_ERROR(
      PublishOrRemove(stand.runtime, stand.table, base, commit, Isolation::kSerializable, {}),
      ErrorCode::kUnknownOutcome);
  stand.storage->SetBeforeCall({});
  stand.storage->SetFaults({});
  EXPECT_TRUE(IsThere("perhaps.parquet"));
}

TEST_F(PublishTest, RemovingWhatIsGoneIsNoFailure) {
  RemoveWritten(stand.runtime, stand.table, {{.path = "never.parquet"}});
}

}  // namespace
}  // namespace tarn
