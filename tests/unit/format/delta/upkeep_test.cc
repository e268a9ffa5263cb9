#include "tarn/format/delta/upkeep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>

#include "tarn/format/delta/delta_format.h"
#include "tarn/format/delta/log_paths.h"
#include "tarn/storage/local.h"
#include "tarn/storage/memory.h"
#include "tests/support/fake_runtime.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_folder.h"

namespace tarn::delta {
namespace {

constexpr int64_t kDayMs = int64_t{24} * 3600 * 1000;

DeltaState StateAt(int64_t version, std::optional<int64_t> checkpoint, int64_t commit_bytes,
                   int64_t checkpoint_bytes = 0) {
  DeltaState state;
  state.version = version;
  state.segment.version = version;
  if (checkpoint) {
    state.segment.checkpoint = CheckpointObjects{};
    state.segment.checkpoint->version = *checkpoint;
    state.segment.checkpoint->parts = {{Path(), checkpoint_bytes, 0}};
  }
  for (int64_t at = checkpoint.value_or(-1) + 1; at <= version; ++at) {
    state.segment.tail.push_back({at, at, {Path(), commit_bytes, 0}});
  }
  return state;
}

TEST(CheckpointDue, EveryIntervalFromVersionZero) {
  EXPECT_FALSE(CheckpointDue(StateAt(0, std::nullopt, 1000), 10));
  EXPECT_FALSE(CheckpointDue(StateAt(9, std::nullopt, 1000), 10));
  EXPECT_TRUE(CheckpointDue(StateAt(10, std::nullopt, 1000), 10));
  EXPECT_TRUE(CheckpointDue(StateAt(11, std::nullopt, 1000), 10)) << "one that was missed";
  EXPECT_FALSE(CheckpointDue(StateAt(10, 10, 1000), 10));
  EXPECT_FALSE(CheckpointDue(StateAt(19, 10, 1000), 10));
  EXPECT_TRUE(CheckpointDue(StateAt(20, 10, 1000), 10));
  EXPECT_TRUE(CheckpointDue(StateAt(1, std::nullopt, 1000), 1));
}

TEST(CheckpointDue, EarlierWhenTheTailIsLong) {
  EXPECT_TRUE(CheckpointDue(StateAt(2, std::nullopt, kTailBytesMax / 2), 10));
  EXPECT_FALSE(CheckpointDue(StateAt(0, std::nullopt, 2 * kTailBytesMax), 10))
      << "one commit is no log to shorten";
  EXPECT_TRUE(CheckpointDue(StateAt(13, 10, kTailBytesMax), 10));
  EXPECT_FALSE(CheckpointDue(StateAt(13, 10, kTailBytesMax, 100 * kTailBytesMax), 10))
      << "less than a tenth of the checkpoint";
}

class UpkeepTest : public ::testing::Test {
 protected:
  UpkeepTest()
      : storage_(MakeMemoryStorage(fake_.clock, *fake_.random)),
        home_{*Path::Make("t"), *storage_},
        format_(MakeDeltaFormat(fake_.runtime)) {}

  void Create(std::map<std::string, std::string> properties = {}) {
    TableMetadata wanted;
    Result<Schema> schema = ParseColumns("p string, id bigint");
    ASSERT_OK(schema);
    wanted.schema = AssignFreshIds(*std::move(schema));
    wanted.specs = {*IdentitySpec(wanted.schema, {"p"})};
    wanted.properties = std::move(properties);
    Commit commit;
    commit.id = "create";
    commit.operation.kind = OperationKind::kCreate;
    ASSERT_OK_AND_ASSIGN(commit.metadata, format_->Prepare(nullptr, wanted));
    Publish(commit);
  }
  static DataFile FileNamed(const std::string& name) {
    DataFile file;
    file.path = "p=x/" + name;
    file.partition = {std::string("x")};
    file.size_bytes = 10;
    file.record_count = 1;
    ColumnStatistics statistics;
    statistics.field_id = 2;
    statistics.lower = int64_t{1};
    statistics.upper = int64_t{2};
    statistics.null_count = 0;
    file.statistics = {statistics};
    return file;
  }
  void Append(const std::string& name) {
    Commit commit;
    commit.id = name;
    commit.operation.kind = OperationKind::kAppend;
    commit.added = {FileNamed(name)};
    Publish(commit);
  }
  void Publish(const Commit& commit) {
    Snapshot base = Snapshot::Empty();
    if (commit.operation.kind != OperationKind::kCreate) base = Newest_();
    ASSERT_OK_AND_ASSIGN(const EncodedCommit encoded, format_->Encode(home_, base, commit));
    const NewObject head = encoded.head("");
    ASSERT_OK_AND_ASSIGN(const PutOutcome outcome, storage_->PutIfAbsent(head.path, head.bytes));
    ASSERT_EQ(outcome, PutOutcome::kCreated);
  }
  Snapshot Newest_() {
    Result<Snapshot> snapshot = format_->Load(home_, Newest{});
    EXPECT_OK(snapshot);
    return *std::move(snapshot);
  }
  Upkeep Plan(UpkeepWish wish = UpkeepWish::kIfDue) {
    Result<Upkeep> upkeep = format_->PlanUpkeep(home_, Newest_(), wish);
    EXPECT_OK(upkeep);
    return upkeep.ok() ? *std::move(upkeep) : Upkeep{};
  }
  void Run(const Upkeep& upkeep) {
    for (const NewObject& object : upkeep.put) ASSERT_OK(storage_->Put(object.path, object.bytes));
    for (const Path& path : upkeep.remove) ASSERT_OK(storage_->Remove(path));
  }
  std::set<std::string> Files() {
    std::set<std::string> paths;
    Result<std::unique_ptr<FileStream>> stream = format_->Files(home_, Newest_(), {});
    EXPECT_OK(stream);
    while (true) {
      Result<std::optional<FileBatch>> batch = (*stream)->Next();
      EXPECT_OK(batch);
      if (!batch.ok() || !batch->has_value()) return paths;
      for (int64_t i = 0; i < (*batch)->size; ++i) paths.emplace((*batch)->path[i]);
    }
  }

  testing::FakeRuntime fake_;
  std::unique_ptr<MemoryStorage> storage_;
  TableHome home_;
  std::unique_ptr<TableFormat> format_;
};

TEST_F(UpkeepTest, ACheckpointStandsForTheLog) {
  Create();
  for (int i = 1; i <= 10; ++i) {
    EXPECT_TRUE(Plan().put.empty()) << i;
    Append("f" + std::to_string(i));
  }
  Commit overwrite;
  overwrite.id = "o";
  overwrite.operation.kind = OperationKind::kOverwrite;
  overwrite.removed = {FileNamed("f3")};
  overwrite.added = {FileNamed("g3")};
  overwrite.positions = {{"kafka:t/0", std::nullopt, "7"}};
  Publish(overwrite);

  const Snapshot before = Newest_();
  const std::set<std::string> files = Files();
  const Upkeep upkeep = Plan();
  ASSERT_EQ(upkeep.put.size(), 2u);
  EXPECT_EQ(upkeep.put[0].path.str(), "t/_delta_log/00000000000000000011.checkpoint.parquet");
  EXPECT_EQ(upkeep.put[1].path.str(), "t/_delta_log/_last_checkpoint");
  EXPECT_TRUE(upkeep.put[1].bytes.starts_with("{\"version\":11,\"size\":14,"))
      << upkeep.put[1].bytes;
  EXPECT_TRUE(upkeep.remove.empty());
  Run(upkeep);
  // Only the checkpoint is left of the past.
  for (int64_t version = 0; version <= 11; ++version) {
    ASSERT_OK(storage_->Remove(CommitPath(home_.root, version)));
  }
  const Snapshot after = Newest_();
  EXPECT_EQ(after.metadata, before.metadata);
  EXPECT_EQ(after.positions, before.positions);
  EXPECT_EQ(after.version, before.version);
  EXPECT_EQ(Files(), files);
  EXPECT_EQ(files.size(), 10u);
  EXPECT_TRUE(Plan().put.empty());
  // The next checkpoint is made of this one and the tail.
  Append("h");
  Run(Plan(UpkeepWish::kCheckpointNow));
  ASSERT_OK(storage_->Remove(CommitPath(home_.root, 12)));
  ASSERT_OK(storage_->Remove(ClassicCheckpointPath(home_.root, 11)));
  EXPECT_EQ(Files().size(), 11u);
  EXPECT_EQ(Newest_().positions, before.positions);
}

TEST_F(UpkeepTest, AskedForItIsMadeAtOnce) {
  Create();
  Append("f");
  EXPECT_EQ(Plan(UpkeepWish::kCheckpointNow).put.size(), 2u);
  EXPECT_TRUE(Plan().put.empty());
}

TEST_F(UpkeepTest, TombstonesAndTransactionsExpire) {
  Create({{"delta.deletedFileRetentionDuration", "interval 1 hour"},
          {"delta.setTransactionRetentionDuration", "interval 1 hour"}});
  Append("f");
  Commit remove;
  remove.id = "r";
  remove.operation.kind = OperationKind::kDelete;
  remove.removed = {FileNamed("f")};
  remove.positions = {{"s", std::nullopt, "1"}};
  Publish(remove);
  const auto actions = [&] {
    const std::string hint = Plan(UpkeepWish::kCheckpointNow).put[1].bytes;
    return hint.substr(0, hint.find(",\"sizeInBytes"));
  };
  EXPECT_EQ(actions(), "{\"version\":2,\"size\":4");
  fake_.clock.AdvanceMillis(2 * 3600 * 1000);
  EXPECT_EQ(actions(), "{\"version\":2,\"size\":2");
}

TEST_F(UpkeepTest, OldLogEntriesGoWhenACheckpointReplacesThem) {
  Create({{"delta.logRetentionDuration", "interval 2 days"}});
  for (int i = 1; i <= 10; ++i) Append("f" + std::to_string(i));
  Run(Plan());
  for (int i = 11; i <= 20; ++i) {
    Append("f" + std::to_string(i));
    fake_.clock.AdvanceMillis(kDayMs);
  }
  const Upkeep upkeep = Plan();
  const auto removes = [&](const Path& path) {
    return std::find(upkeep.remove.begin(), upkeep.remove.end(), path) != upkeep.remove.end();
  };
  EXPECT_TRUE(removes(CommitPath(home_.root, 0)));
  EXPECT_TRUE(removes(CommitPath(home_.root, 9)));
  EXPECT_FALSE(removes(CommitPath(home_.root, 10)));
  EXPECT_FALSE(removes(ClassicCheckpointPath(home_.root, 10)));
  Run(upkeep);
  EXPECT_EQ(Files().size(), 20u);
  ASSERT_OK_AND_ASSIGN(const Snapshot old, format_->Load(home_, AtVersion{"12"}));
  EXPECT_EQ(old.version.text, "12");
}

TEST_F(UpkeepTest, ADamagedCheckpointIsNoReasonToForgetTheLog) {
  Create({{"delta.logRetentionDuration", "interval 1 day"}});
  for (int i = 1; i <= 10; ++i) Append("f" + std::to_string(i));
  Run(Plan());
  ASSERT_OK(storage_->Put(ClassicCheckpointPath(home_.root, 10), "PAR1 cut"));
  fake_.clock.AdvanceMillis(5 * kDayMs);
  for (int i = 11; i <= 12; ++i) Append("f" + std::to_string(i));
  const Upkeep upkeep = Plan();
  EXPECT_EQ(upkeep.put.size(), 2u);
  EXPECT_TRUE(upkeep.remove.empty());
}

TEST_F(UpkeepTest, CleanUpCanBeTurnedOff) {
  Create({{"delta.logRetentionDuration", "interval 1 day"},
          {"delta.enableExpiredLogCleanup", "false"},
          {"delta.checkpointInterval", "1"}});
  Append("f1");
  Run(Plan());
  fake_.clock.AdvanceMillis(5 * kDayMs);
  Append("f2");
  EXPECT_TRUE(Plan().remove.empty());
}

TEST_F(UpkeepTest, TablesTarnDoesNotWriteAreLeftAlone) {
  Create({{"delta.checkpointInterval", "1"}});
  Append("f");
  Snapshot snapshot = Newest_();
  snapshot.metadata.writer_version = 7;
  snapshot.metadata.writer_features = {"rowTracking"};
  ASSERT_OK_AND_ASSIGN(const Upkeep upkeep,
                       format_->PlanUpkeep(home_, snapshot, UpkeepWish::kIfDue));
  EXPECT_TRUE(upkeep.put.empty());
  EXPECT_ERROR(format_->PlanUpkeep(home_, snapshot, UpkeepWish::kCheckpointNow),
               ErrorCode::kUnsupported);
}

TEST_F(UpkeepTest, StatisticsInColumnsSurviveTheNextCheckpoint) {
  Create({{"delta.checkpoint.writeStatsAsStruct", "true"},
          {"delta.checkpoint.writeStatsAsJson", "false"}});
  Append("f");
  for (int round = 0; round < 2; ++round) {
    Run(Plan(UpkeepWish::kCheckpointNow));
    FileRequest request;
    request.bounds_of = {2};
    ASSERT_OK_AND_ASSIGN(const auto stream, format_->Files(home_, Newest_(), request));
    ASSERT_OK_AND_ASSIGN(const std::optional<FileBatch> batch, stream->Next());
    ASSERT_TRUE(batch);
    const DataFile file = batch->At(0);
    EXPECT_EQ(file.record_count, 1);
    ASSERT_EQ(file.statistics.size(), 1u);
    EXPECT_EQ(file.statistics[0].lower, Value(int64_t{1}));
    Append("g" + std::to_string(round));
  }
}

TEST(UpkeepOnDisk, HadoopsChecksumsOfReplacedFilesGo) {
  testing::FakeRuntime fake;
  testing::TempFolder folder;
  ASSERT_OK_AND_ASSIGN(const auto storage, MakeLocalStorage(folder.path(), CreateRoot::kNo));
  const TableHome home{*Path::Make("t"), *storage};
  const auto format = MakeDeltaFormat(fake.runtime);
  TableMetadata wanted;
  ASSERT_OK_AND_ASSIGN(wanted.schema, ParseColumns("id bigint"));
  Commit commit;
  commit.operation.kind = OperationKind::kCreate;
  ASSERT_OK_AND_ASSIGN(commit.metadata, format->Prepare(nullptr, wanted));
  ASSERT_OK_AND_ASSIGN(const auto encoded, format->Encode(home, Snapshot::Empty(), commit));
  ASSERT_OK(storage->PutIfAbsent(encoded.head("").path, encoded.head("").bytes));
  const Path checksum = *Path::Make("t/_delta_log/._last_checkpoint.crc");
  ASSERT_OK(storage->Put(checksum, "stale"));
  ASSERT_OK_AND_ASSIGN(const Snapshot snapshot, format->Load(home, Newest{}));
  ASSERT_OK_AND_ASSIGN(const Upkeep upkeep,
                       format->PlanUpkeep(home, snapshot, UpkeepWish::kCheckpointNow));
  EXPECT_EQ(upkeep.remove, std::vector<Path>{checksum});
}

}  // namespace
}  // namespace tarn::delta
