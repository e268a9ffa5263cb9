#include "tarn/format/delta/log_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/format/delta/log_fixture.h"

namespace tarn::delta {
namespace {

class LogFilesTest : public LogFixture {};

TEST_F(LogFilesTest, JsonNewestFirstThenTheCheckpoint) {
  PutFirst();
  PutCheckpoint(*Load());
  PutCommit(1, {AddLine("f1")});
  PutCommit(2, {AddLine("f2")});
  ASSERT_OK_AND_ASSIGN(const Snapshot snapshot, Load());
  ASSERT_OK_AND_ASSIGN(const LogFiles files,
                       OpenLogFiles(fake_.runtime, home_, **StateOf(snapshot)));
  ASSERT_EQ(files.json.size(), 2U);
  EXPECT_EQ(files.json[0].path, CommitPath(home_.root, 2));
  EXPECT_EQ(files.json[1].path, CommitPath(home_.root, 1));
  EXPECT_EQ(files.parquet.size(), 1U);
}

TEST_F(LogFilesTest, ACheckpointThatWentBadAfterLoadIsPassedOver) {
  PutFirst();
  PutCommit(1, {AddLine("f1")});
  PutCheckpoint(*Load());
  ASSERT_OK_AND_ASSIGN(const Snapshot snapshot, Load());
  ASSERT_OK(storage_->Put(ClassicCheckpointPath(home_.root, 1), "torn"));
  EXPECT_EQ(FilesOf(snapshot), (Names{"f0", "f1"}));
  EXPECT_THAT(fake_.log.lines(), ::testing::SizeIs(1));
  ASSERT_OK(storage_->Remove(ClassicCheckpointPath(home_.root, 1)));
  EXPECT_EQ(FilesOf(snapshot), (Names{"f0", "f1"}));
  ASSERT_OK(storage_->Remove(CommitPath(home_.root, 0)));
  EXPECT_ERROR(OpenLogFiles(fake_.runtime, home_, **StateOf(snapshot)), ErrorCode::kCorrupt);
}

// A V2 checkpoint in JSON whose files lie in a sidecar: one we make of a classic checkpoint.
TEST_F(LogFilesTest, SidecarsOfAJsonCheckpoint) {
  PutFirst();
  PutCommit(1, {AddLine("f1")});
  PutCheckpoint(*Load());
  const Path classic = ClassicCheckpointPath(home_.root, 1);
  ASSERT_OK_AND_ASSIGN(const Bytes bytes, storage_->Read(classic));
  Put("_delta_log/_sidecars/one.parquet", bytes);
  ASSERT_OK(storage_->Remove(classic));
  const std::string name =
      "_delta_log/" + VersionDigits(1) + ".checkpoint.80a083e8-7026-4e79-81be-64bd76c43a11.json";
  Put(name, Joined({R"({"checkpointMetadata":{"version":1,"tags":{}}})", ProtocolLine(),
                    MetadataLine(), R"({"txn":{"appId":"a","version":1}})",
                    R"({"sidecar":{"path":"one.parquet","sizeInBytes":1,"modificationTime":1}})"}));
  ASSERT_OK(storage_->Remove(CommitPath(home_.root, 0)));
  PutCommit(2, {RemoveLine("f0")});
  ASSERT_OK_AND_ASSIGN(const Snapshot snapshot, Load());
  EXPECT_EQ(snapshot.positions.at("a"), "1");
  EXPECT_EQ(FilesOf(snapshot), (Names{"f1"}));
  EXPECT_EQ(FilesOf(*Load(AtVersion{"1"})), (Names{"f0", "f1"}));
}

}  // namespace
}  // namespace tarn::delta
