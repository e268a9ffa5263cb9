#include "tarn/format/delta/log_head.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/format/delta/log_fixture.h"

namespace tarn::delta {
namespace {

using ::testing::HasSubstr;

class LogHeadTest : public LogFixture {
 protected:
  ObjectInfo ObjectOf(const Path& path) {
    Result<ObjectInfo> object = storage_->Stat(path);
    EXPECT_OK(object);
    return object.ok() ? *object : ObjectInfo{};
  }
};

TEST_F(LogHeadTest, AbsorbKeepsWhatIsNewer) {
  LogHead newer;
  newer.protocol = Protocol{2, 5, {}, {}};
  newer.txns["a"] = {"a", 2, {}};
  newer.domains["d"] = {"d", "", true};
  LogHead older;
  older.protocol = Protocol{1, 2, {}, {}};
  older.metadata = MetadataAction{};
  older.txns["a"] = {"a", 1, {}};
  older.txns["b"] = {"b", 1, {}};
  older.domains["d"] = {"d", "x", false};
  newer.Absorb(std::move(older));
  EXPECT_EQ(newer.protocol->min_reader_version, 2);
  EXPECT_TRUE(newer.metadata);
  EXPECT_EQ(newer.txns["a"].version, 2);
  EXPECT_EQ(newer.txns["b"].version, 1);
  EXPECT_TRUE(newer.domains["d"].removed);
}

TEST_F(LogHeadTest, BlocksEndAtLines) {
  std::string text;
  while (text.size() < (5U << 20)) text += std::string(1000, 'a') + "\n";
  text += std::string(9U << 20, 'b') + "\n" + "no end";
  Put("big", text);
  ASSERT_OK_AND_ASSIGN(const auto blocks, JsonBlocks::Open(home_, ObjectOf(home_.root / "big")));
  std::string read;
  int count = 0;
  while (true) {
    ASSERT_OK_AND_ASSIGN(const std::string_view block, blocks->Next());
    if (block.empty()) break;
    read += block;
    if (read.size() < text.size()) {
      EXPECT_EQ(read.back(), '\n');
    }
    ++count;
  }
  EXPECT_TRUE(read == text);
  EXPECT_GT(count, 2);
}

TEST_F(LogHeadTest, FilesArePassedOverUnparsed) {
  PutCommit(0, {R"({"commitInfo":{"engineInfo":"e"}})", ProtocolLine(), MetadataLine(),
                R"({"add":{this is no JSON)", R"({"txn":{"appId":"a","version":4}})"});
  const ObjectInfo object = ObjectOf(CommitPath(home_.root, 0));
  ASSERT_OK_AND_ASSIGN(const LogHead head,
                       ReadJsonHead(home_, object, WantCommitInfo::kYes, nullptr));
  EXPECT_EQ(head.txns.at("a").version, 4);
  EXPECT_EQ(head.commit_info->engine_info, "e");
  ASSERT_OK_AND_ASSIGN(const auto first, ReadFirstCommitInfo(home_, object));
  EXPECT_EQ(first->engine_info, "e");
  PutCommit(1, {AddLine("f"), R"({"txn":{"appId":"a"}})"});
  const auto broken =
      ReadJsonHead(home_, ObjectOf(CommitPath(home_.root, 1)), WantCommitInfo::kNo, nullptr);
  EXPECT_ERROR(broken, ErrorCode::kCorrupt);
  EXPECT_THAT(broken.error().message, HasSubstr("00000000000000000001.json': line 2"));
  ASSERT_OK_AND_ASSIGN(const auto none,
                       ReadFirstCommitInfo(home_, ObjectOf(CommitPath(home_.root, 1))));
  EXPECT_FALSE(none);
}

TEST_F(LogHeadTest, TheHeadOfACheckpointIsThatOfItsCommits) {
  PutFirst();
  PutCommit(1, {R"({"txn":{"appId":"a","version":4,"lastUpdated":9}})",
                R"({"domainMetadata":{"domain":"d","configuration":"c","removed":false}})",
                MetadataLine(R"("k":"v","empty":"")")});
  ASSERT_OK_AND_ASSIGN(const Snapshot snapshot, Load());
  PutCheckpoint(snapshot);
  ASSERT_OK_AND_ASSIGN(const DeltaState* state, StateOf(snapshot));
  CheckpointObjects objects;
  objects.version = 1;
  objects.parts = {ObjectOf(ClassicCheckpointPath(home_.root, 1))};
  ASSERT_OK_AND_ASSIGN(const CheckpointHead head, ReadCheckpointHead(home_, objects));
  EXPECT_EQ(head.head.protocol, state->protocol);
  EXPECT_EQ(head.head.metadata, state->metadata);
  EXPECT_EQ(head.head.txns, state->txns);
  EXPECT_EQ(head.head.domains, state->domains);
  EXPECT_TRUE(head.sidecars.empty());
}

TEST_F(LogHeadTest, SidecarsLieInTheirFolder) {
  EXPECT_EQ(SidecarPath(home_, {"x%20y.parquet", 0, 0})->str(),
            "t/_delta_log/_sidecars/x y.parquet");
  EXPECT_ERROR(SidecarPath(home_, {"..", 0, 0}), ErrorCode::kInvalid);
}

}  // namespace
}  // namespace tarn::delta
