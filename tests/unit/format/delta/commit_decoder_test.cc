#include "tarn/format/delta/commit_decoder.h"

#include <gtest/gtest.h>

#include "tests/unit/format/delta/log_fixture.h"

namespace tarn::delta {
namespace {

class CommitDecoderTest : public LogFixture {};

TEST(FillProvenance, OursBeforeTheirs) {
  CommitInfo info;
  info.txn_id = "txn";
  info.user_name = "user";
  info.operation = "MERGE";
  info.read_version = 4;
  info.extra["job"] = "{}";
  Commit commit;
  FillProvenance(info, commit);
  EXPECT_EQ(commit.id, "txn");
  EXPECT_EQ(commit.writer, "user");
  EXPECT_EQ(commit.operation.kind, OperationKind::kUpdate);
  EXPECT_EQ(commit.extra.at("readVersion"), "4");
  EXPECT_EQ(commit.extra.at("job"), "{}");
  info.tarn_commit_id = "ours";
  FillProvenance(info, commit);
  EXPECT_EQ(commit.id, "ours");
  EXPECT_EQ(commit.extra.at("txnId"), "txn");
}

TEST_F(CommitDecoderTest, WithoutMetadataThereAreNoPartitionValues) {
  CommitDecoder decoder(home_, nullptr);
  EXPECT_FALSE(decoder.has_metadata());
  AddFile add;
  add.path = "a%20b";
  add.partition_values = {{"p", "x"}};
  add.data_change = false;
  ASSERT_OK_AND_ASSIGN(const Commit commit, decoder.Decode(3, {add}, 7));
  EXPECT_EQ(commit.version.text, "3");
  EXPECT_EQ(commit.timestamp_ms, 7);
  EXPECT_FALSE(commit.data_change);
  EXPECT_EQ(commit.added.at(0).path, "a b");
  EXPECT_EQ(commit.added.at(0).location, "a%20b");
  EXPECT_TRUE(commit.added.at(0).partition.empty());
}

TEST_F(CommitDecoderTest, RemembersWhatLaterCommitsAreComparedWith) {
  PutFirst();
  ASSERT_OK_AND_ASSIGN(const Snapshot snapshot, Load());
  CommitDecoder decoder(home_, *StateOf(snapshot));
  ASSERT_OK_AND_ASSIGN(const Commit same, decoder.Decode(1, {Protocol{1, 2, {}, {}}}, 0));
  EXPECT_FALSE(same.protocol_changed);
  ASSERT_OK_AND_ASSIGN(const Commit raised, decoder.Decode(2, {Protocol{1, 4, {}, {}}}, 0));
  EXPECT_TRUE(raised.protocol_changed);
  ASSERT_OK_AND_ASSIGN(const Commit again, decoder.Decode(3, {Protocol{1, 4, {}, {}}}, 0));
  EXPECT_FALSE(again.protocol_changed);
  MetadataAction unreadable;
  unreadable.schema_string = "[]";
  EXPECT_ERROR(decoder.Decode(4, {unreadable}, 0), ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace tarn::delta
