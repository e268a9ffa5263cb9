#include "tarn/format/delta/delta_format.h"

#include <gtest/gtest.h>

#include "tests/unit/format/delta/log_fixture.h"

namespace tarn::delta {
namespace {

class DeltaFormatTest : public LogFixture {};

TEST_F(DeltaFormatTest, SaysWhatItIs) {
  EXPECT_EQ(format_->name(), "delta");
  EXPECT_FALSE(format_->traits().tells_empty_from_null);
  EXPECT_FALSE(format_->traits().hidden_partitioning);
  EXPECT_TRUE(format_->traits().keeps_commit_id);
}

// What is written is what is read: one commit through every method.
TEST_F(DeltaFormatTest, ACommitGoesRound) {
  EXPECT_FALSE(*format_->Detect(home_));
  TableMetadata wanted;
  ASSERT_OK_AND_ASSIGN(wanted.schema,
                       ParseColumns("p string, a bigint not null, s struct<x: int>"));
  wanted.schema = AssignFreshIds(wanted.schema);
  ASSERT_OK_AND_ASSIGN(const PartitionSpec spec, IdentitySpec(wanted.schema, {"p"}));
  wanted.specs = {spec};
  Commit commit;
  commit.id = "one";
  commit.operation.kind = OperationKind::kCreate;
  ASSERT_OK_AND_ASSIGN(commit.metadata, format_->Prepare(nullptr, wanted));
  commit.positions = {{"file:x", std::nullopt, "4"}};
  DataFile file;
  file.path = "p=a b/f.parquet";
  file.partition = {Value(std::string("a b"))};
  file.size_bytes = 10;
  file.record_count = 3;
  file.statistics = {{.field_id = 2,
                      .value_count = 3,
                      .null_count = 0,
                      .lower = Value(int64_t{1}),
                      .upper = Value(int64_t{3})}};
  commit.added = {file};
  ASSERT_OK_AND_ASSIGN(const EncodedCommit encoded,
                       format_->Encode(home_, Snapshot::Empty(), commit));
  const NewObject head = encoded.head("");
  ASSERT_OK(storage_->Put(head.path, head.bytes));

  EXPECT_TRUE(*format_->Detect(home_));
  ASSERT_OK_AND_ASSIGN(const Snapshot snapshot, Load());
  EXPECT_EQ(snapshot.version, encoded.version);
  EXPECT_EQ(snapshot.metadata.schema, commit.metadata->schema);
  EXPECT_EQ(snapshot.metadata.specs, commit.metadata->specs);
  EXPECT_EQ(snapshot.positions.at("file:x"), "4");
  ASSERT_OK_AND_ASSIGN(auto stream, format_->Files(home_, snapshot, {.all_bounds = true}));
  ASSERT_OK_AND_ASSIGN(const auto batch, stream->Next());
  ASSERT_TRUE(batch);
  const DataFile read = batch->At(0);
  EXPECT_EQ(read.path, file.path);
  EXPECT_EQ(read.location, "p=a%20b/f.parquet");
  EXPECT_TRUE(read.partition == file.partition);
  EXPECT_EQ(read.record_count, 3);
  ASSERT_OK_AND_ASSIGN(const History history,
                       format_->Commits(home_, Version{}, std::nullopt, HistoryDetail::kConflicts));
  const auto& commits = std::get<std::vector<Commit>>(history);
  ASSERT_EQ(commits.size(), 1U);
  EXPECT_EQ(commits[0].id, "one");
  EXPECT_EQ(commits[0].positions.at(0).after, "4");
  EXPECT_EQ(commits[0].metadata->schema, snapshot.metadata.schema);
}

}  // namespace
}  // namespace tarn::delta
