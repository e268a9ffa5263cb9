#include "tarn/format/delta/encode.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tarn/format/delta/action_json.h"
#include "tarn/format/delta/actions.h"
#include "tarn/format/delta/load.h"
#include "tarn/format/delta/prepare.h"
#include "tarn/storage/memory.h"
#include "tests/support/fake_runtime.h"
#include "tests/support/matchers.h"

namespace tarn::delta {
namespace {

class EncodeTest : public ::testing::Test {
 protected:
  EncodeTest()
      : storage_(MakeMemoryStorage(fake_.clock, *fake_.random)),
        home_{*Path::Make("lake/t"), *storage_} {}

  TableMetadata MakeTable(std::string_view ddl, const std::vector<std::string>& partition = {},
                          std::map<std::string, std::string> properties = {}) {
    TableMetadata wanted;
    Result<Schema> schema = ParseColumns(ddl);
    EXPECT_OK(schema);
    wanted.schema = AssignFreshIds(*std::move(schema));
    wanted.specs = {*IdentitySpec(wanted.schema, partition)};
    wanted.properties = std::move(properties);
    Result<TableMetadata> prepared = PrepareMetadata(fake_.runtime, nullptr, wanted);
    EXPECT_OK(prepared);
    return *std::move(prepared);
  }

  Result<EncodedCommit> Encode(const Snapshot& base, const Commit& commit) {
    return EncodeCommit(fake_.runtime, home_, base, commit,
                        [&](const DeleteFile& file) -> Result<RowSet> {
                          asked_.push_back(file);
                          return deleted_before_;
                        });
  }

  // The actions of a commit, as a reader finds them.
  std::vector<Action> Actions(const Result<EncodedCommit>& encoded) {
    std::vector<Action> actions;
    EXPECT_OK(encoded);
    if (!encoded.ok()) return actions;
    Bytes body = encoded->head("").bytes;
    EXPECT_OK(ForEachAction(body, [&](Action&& action) {
      actions.push_back(std::move(action));
      return OkStatus();
    }));
    return actions;
  }
  template <class T>
  std::vector<T> Only(const std::vector<Action>& actions) {
    std::vector<T> found;
    for (const Action& action : actions) {
      if (const auto* one = std::get_if<T>(&action)) found.push_back(*one);
    }
    return found;
  }

  // Encodes, reveals, and loads what is there then.
  Snapshot Publish(const Snapshot& base, const Commit& commit) {
    const Result<EncodedCommit> encoded = Encode(base, commit);
    EXPECT_OK(encoded);
    if (!encoded.ok()) return {};
    for (const NewObject& object : encoded->staged) {
      EXPECT_OK(storage_->Put(object.path, object.bytes));
    }
    const NewObject head = encoded->head("");
    EXPECT_OK(storage_->PutIfAbsent(head.path, head.bytes));
    Result<Snapshot> snapshot = LoadSnapshot(fake_.runtime, heads_, home_, Newest{});
    EXPECT_OK(snapshot);
    EXPECT_EQ(snapshot->version, encoded->version);
    return *std::move(snapshot);
  }

  Commit Creation(TableMetadata metadata) {
    Commit commit;
    commit.id = "id-0";
    commit.operation.kind = OperationKind::kCreate;
    commit.metadata = std::move(metadata);
    return commit;
  }
  static DataFile FileAt(std::string path, std::vector<Value> partition = {}) {
    DataFile file;
    file.path = std::move(path);
    file.size_bytes = 100;
    file.record_count = 10;
    file.modified_ms = 1600000000000;
    file.partition = std::move(partition);
    return file;
  }
  static Commit Append(std::vector<DataFile> files) {
    Commit commit;
    commit.id = "id-1";
    commit.operation.kind = OperationKind::kAppend;
    commit.added = std::move(files);
    return commit;
  }

  testing::FakeRuntime fake_;
  std::unique_ptr<MemoryStorage> storage_;
  TableHome home_;
  CheckpointHeads heads_;
  RowSet deleted_before_;
  std::vector<DeleteFile> asked_;
};

TEST_F(EncodeTest, TheFirstCommitIsReadBackAsTheTableItSays) {
  TableMetadata metadata = MakeTable("p string, id bigint not null", {"p"});
  metadata.constraints = {{"positive", "id > 0"}};
  ASSERT_OK_AND_ASSIGN(metadata, PrepareMetadata(fake_.runtime, nullptr, metadata));
  const Result<EncodedCommit> encoded = Encode(Snapshot::Empty(), Creation(metadata));
  const std::vector<Action> actions = Actions(encoded);
  ASSERT_EQ(actions.size(), 3u);
  EXPECT_TRUE(std::holds_alternative<CommitInfo>(actions[0]));
  EXPECT_TRUE(std::holds_alternative<Protocol>(actions[1]));
  EXPECT_TRUE(std::holds_alternative<MetadataAction>(actions[2]));
  EXPECT_EQ(encoded->version.text, "0");
  EXPECT_EQ(encoded->head("").path.str(), "lake/t/_delta_log/00000000000000000000.json");
  ASSERT_EQ(encoded->requirements.size(), 1u);
  EXPECT_EQ(encoded->requirements[0].value, "");

  const Snapshot snapshot = Publish(Snapshot::Empty(), Creation(metadata));
  EXPECT_EQ(snapshot.metadata, metadata);
  EXPECT_EQ(snapshot.timestamp_ms, fake_.clock.NowMicros() / 1000);
}

TEST_F(EncodeTest, ATableNeedsItsMetadataFirst) {
  EXPECT_ERROR(Encode(Snapshot::Empty(), Append({})), ErrorCode::kInvalid);
}

TEST_F(EncodeTest, CommitInfoSaysWhoAndWhat) {
  const Snapshot base = Publish(Snapshot::Empty(), Creation(MakeTable("a int")));
  Commit commit = Append({FileAt("x.parquet")});
  commit.engine = "tarn/0.1.0";
  commit.writer = "ann@host";
  commit.lineage = std::string("\0\1", 2);
  commit.operation.parameters = {{"source", "in.jsonl"}};
  const CommitInfo info = Only<CommitInfo>(Actions(Encode(base, commit))).at(0);
  EXPECT_EQ(info.operation, "WRITE");
  EXPECT_EQ(info.operation_parameters.at("mode"), "Append");
  EXPECT_EQ(info.operation_parameters.at("source"), "in.jsonl");
  EXPECT_EQ(info.operation_metrics.at("numOutputRows"), "10");
  EXPECT_EQ(info.read_version, 0);
  EXPECT_EQ(info.isolation_level, "Serializable");
  EXPECT_EQ(info.is_blind_append, true);
  EXPECT_EQ(info.engine_info, "tarn/0.1.0");
  EXPECT_EQ(info.tarn_commit_id, "id-1");
  EXPECT_EQ(info.user_name, "ann@host");
  EXPECT_EQ(info.tarn_lineage, commit.lineage);
  EXPECT_EQ(info.in_commit_timestamp_ms, std::nullopt);
  commit.reads.everything = true;
  EXPECT_EQ(Only<CommitInfo>(Actions(Encode(base, commit))).at(0).is_blind_append, false);
  commit.lineage.assign(kLineageBytesMax + 1, 'x');
  EXPECT_EQ(Only<CommitInfo>(Actions(Encode(base, commit))).at(0).tarn_lineage, "");
  EXPECT_EQ(fake_.log.lines().size(), 1u);
}

TEST_F(EncodeTest, TimesRiseThoughTheClockSteppedBack) {
  Snapshot base = Publish(Snapshot::Empty(), Creation(MakeTable("a int")));
  base.timestamp_ms += 5000;
  const CommitInfo info = Only<CommitInfo>(Actions(Encode(base, Append({})))).at(0);
  EXPECT_EQ(info.timestamp_ms, base.timestamp_ms + 1);
}

TEST_F(EncodeTest, InCommitTimestampsStandFirstWhereTheTableKeepsThem) {
  const Snapshot base =
      Publish(Snapshot::Empty(),
              Creation(MakeTable("a int", {}, {{"delta.enableInCommitTimestamps", "true"}})));
  const Bytes body = Encode(base, Append({}))->head("").bytes;
  EXPECT_TRUE(body.starts_with("{\"commitInfo\":{\"inCommitTimestamp\":")) << body;
  EXPECT_FALSE(base.metadata.properties.contains("delta.inCommitTimestampEnablementVersion"));
}

TEST_F(EncodeTest, ATableThatStartsToKeepTimesSaysSinceWhen) {
  const Snapshot base = Publish(Snapshot::Empty(), Creation(MakeTable("a int")));
  TableMetadata wanted = base.metadata;
  wanted.properties["delta.enableInCommitTimestamps"] = "true";
  Commit commit;
  commit.operation.kind = OperationKind::kAlter;
  ASSERT_OK_AND_ASSIGN(commit.metadata, PrepareMetadata(fake_.runtime, &base.metadata, wanted));
  const Snapshot after = Publish(base, commit);
  EXPECT_EQ(after.metadata.properties.at("delta.inCommitTimestampEnablementVersion"), "1");
  EXPECT_EQ(after.metadata.properties.at("delta.inCommitTimestampEnablementTimestamp"),
            std::to_string(after.timestamp_ms));
}

TEST_F(EncodeTest, PathsAreSpelledOnceAndValuesKept) {
  const Snapshot base =
      Publish(Snapshot::Empty(), Creation(MakeTable("p string, d date, a int", {"p", "d"})));
  const std::string hard = "A/é%2F 😀\\.";
  const Commit commit = Append({FileAt("p=A%2F/x 1.parquet", {hard, int64_t{-1}}),
                                FileAt("p=null/y.parquet", {Value(), Value()})});
  const std::vector<AddFile> adds = Only<AddFile>(Actions(Encode(base, commit)));
  ASSERT_EQ(adds.size(), 2u);
  EXPECT_EQ(adds[0].path, "p=A%252F/x%201.parquet");
  EXPECT_EQ(adds[0].partition_values, (PartitionTexts{{"p", hard}, {"d", "1969-12-31"}}));
  EXPECT_EQ(adds[0].stats, "{\"numRecords\":10}");
  EXPECT_TRUE(adds[0].data_change);
  EXPECT_EQ(adds[1].partition_values, (PartitionTexts{{"p", std::nullopt}, {"d", std::nullopt}}));
  EXPECT_ERROR(Encode(base, Append({FileAt("z.parquet", {std::string(), int64_t{0}})})),
               ErrorCode::kInvalid);
  EXPECT_ERROR(Encode(base, Append({FileAt("z.parquet", {})})), ErrorCode::kInvalid);
  EXPECT_ERROR(Encode(base, Append({commit.added[0], commit.added[0]})), ErrorCode::kInvalid);
}

TEST_F(EncodeTest, FilesElsewhereAreNamedByTheStore) {
  const Snapshot base = Publish(Snapshot::Empty(), Creation(MakeTable("a int")));
  const AddFile add =
      Only<AddFile>(Actions(Encode(base, Append({FileAt("/other/x.parquet")})))).at(0);
  EXPECT_TRUE(add.path.ends_with("/other/x.parquet")) << add.path;
  EXPECT_TRUE(add.path.starts_with("memory:")) << add.path;
}

TEST_F(EncodeTest, RemovalsAreByteEqualAndCarryWhatTheFileWas) {
  const Snapshot base = Publish(Snapshot::Empty(), Creation(MakeTable("p int, a int", {"p"})));
  DataFile old = FileAt("p=1/a b.parquet", {int64_t{1}});
  old.location = "p=1/a%20b%2eparquet";
  old.tags = {{"k", "v"}};
  old.deletes = {{DeleteKind::kDeletionVector, "iabc", std::nullopt, 40, 2, {}}};
  Commit commit = Append({FileAt("new.parquet", {int64_t{1}})});
  commit.operation.kind = OperationKind::kOverwrite;
  commit.removed = {old};
  const std::vector<Action> actions = Actions(Encode(base, commit));
  const RemoveFile remove = Only<RemoveFile>(actions).at(0);
  EXPECT_EQ(remove.path, old.location);
  EXPECT_EQ(remove.deletion_timestamp_ms, fake_.clock.NowMicros() / 1000 + 1);
  EXPECT_TRUE(remove.extended_file_metadata);
  EXPECT_EQ(remove.partition_values, (PartitionTexts{{"p", "1"}}));
  EXPECT_EQ(remove.size_bytes, 100);
  EXPECT_EQ(remove.tags, old.tags);
  EXPECT_EQ(remove.deletion_vector->UniqueId(), "iabc");
  commit.data_change = false;
  EXPECT_FALSE(Only<RemoveFile>(Actions(Encode(base, commit))).at(0).data_change);
  EXPECT_FALSE(Only<AddFile>(Actions(Encode(base, commit))).at(0).data_change);
}

TEST_F(EncodeTest, AnAppendOnlyTableLosesNothing) {
  const Snapshot base =
      Publish(Snapshot::Empty(), Creation(MakeTable("a int", {}, {{"delta.appendOnly", "true"}})));
  Commit commit;
  commit.operation.kind = OperationKind::kDelete;
  commit.removed = {FileAt("x.parquet")};
  EXPECT_ERROR(Encode(base, commit), ErrorCode::kInvalid);
  commit.operation.kind = OperationKind::kRewrite;
  commit.data_change = false;
  commit.added = {FileAt("y.parquet")};
  EXPECT_OK(Encode(base, commit));
}

TEST_F(EncodeTest, PositionsAreComparedAndSet) {
  const Snapshot empty = Publish(Snapshot::Empty(), Creation(MakeTable("a int")));
  Commit commit = Append({FileAt("x.parquet")});
  commit.positions = {{"kafka:t/0", std::nullopt, "41"}, {"file:/in", std::nullopt, "-3"}};
  const std::vector<Txn> txns = Only<Txn>(Actions(Encode(empty, commit)));
  ASSERT_EQ(txns.size(), 2u);
  EXPECT_EQ(txns[0].app_id, "kafka:t/0");
  EXPECT_EQ(txns[0].version, 41);
  const Snapshot moved = Publish(empty, commit);
  EXPECT_EQ(moved.positions,
            (std::map<std::string, std::string>{{"file:/in", "-3"}, {"kafka:t/0", "41"}}));

  EXPECT_ERROR(Encode(moved, commit), ErrorCode::kConflict);
  commit.positions = {{"kafka:t/0", "41", "42"}};
  EXPECT_OK(Encode(moved, commit));
  EXPECT_ERROR(Encode(empty, commit), ErrorCode::kConflict);
  commit.positions = {{"kafka:t/0", "41", "42"}, {"kafka:t/0", "41", "43"}};
  EXPECT_ERROR(Encode(moved, commit), ErrorCode::kInvalid);
  for (const char* text : {"", "042", "x", "1.0", "9223372036854775808", "+1"}) {
    commit.positions = {{"kafka:t/0", "41", text}};
    EXPECT_ERROR(Encode(moved, commit), ErrorCode::kInvalid);
  }
}

TEST_F(EncodeTest, RowDeletesNeedTheTablesConsent) {
  const Snapshot base = Publish(Snapshot::Empty(), Creation(MakeTable("a int")));
  Commit commit;
  commit.operation.kind = OperationKind::kDelete;
  RowSet rows;
  rows.Add(3);
  commit.row_deletes = {{FileAt("x.parquet"), rows}};
  EXPECT_ERROR(Encode(base, commit), ErrorCode::kUnsupported);
}

TEST_F(EncodeTest, RowDeletesMergeWithWhatWasDeleted) {
  const Snapshot base =
      Publish(Snapshot::Empty(),
              Creation(MakeTable("a int", {}, {{"delta.enableDeletionVectors", "true"}})));
  DataFile file = FileAt("x.parquet");
  file.deletes = {{DeleteKind::kDeletionVector, "uold", 1, 34, 1, {}}};
  ColumnStatistics statistics;
  statistics.field_id = 1;
  statistics.lower = int64_t{1};
  statistics.upper = int64_t{9};
  file.statistics = {statistics};
  deleted_before_.Add(2);
  Commit commit;
  commit.operation.kind = OperationKind::kDelete;
  RowSet rows;
  rows.Add(3);
  commit.row_deletes = {{file, rows}};
  const Result<EncodedCommit> encoded = Encode(base, commit);
  const std::vector<Action> actions = Actions(encoded);
  ASSERT_EQ(asked_.size(), 1u);
  EXPECT_EQ(asked_[0].location, "uold");
  const RemoveFile remove = Only<RemoveFile>(actions).at(0);
  EXPECT_EQ(remove.deletion_vector->UniqueId(), "uold@1");
  const AddFile add = Only<AddFile>(actions).at(0);
  EXPECT_EQ(add.path, remove.path);
  EXPECT_EQ(add.deletion_vector->cardinality, 2);
  EXPECT_EQ(add.stats, R"({"numRecords":10,"tightBounds":false,"minValues":{"a":1},)"
                       R"("maxValues":{"a":9}})");
  EXPECT_TRUE(encoded->staged.empty()) << "two rows stand inline";

  // A file that loses its last rows is removed.
  deleted_before_.AddRange(0, 9);
  commit.row_deletes[0].rows.Add(9);
  const std::vector<Action> gone = Actions(Encode(base, commit));
  EXPECT_EQ(Only<AddFile>(gone).size(), 0u);
  EXPECT_EQ(Only<RemoveFile>(gone).size(), 1u);
  commit.row_deletes[0].rows.Add(10);
  EXPECT_ERROR(Encode(base, commit), ErrorCode::kInvalid);
  commit.row_deletes[0].file.record_count = -1;
  EXPECT_ERROR(Encode(base, commit), ErrorCode::kUnsupported);
}

TEST_F(EncodeTest, RowDeletesKeepWhatTheLogHasOfTheFile) {
  Snapshot base = Publish(
      Snapshot::Empty(),
      Creation(MakeTable("a int, b string", {}, {{"delta.enableDeletionVectors", "true"}})));
  DataFile file = FileAt("x y.parquet");
  file.tags = {{"k", "v"}};
  ColumnStatistics a;
  a.field_id = 1;
  a.lower = int64_t{1};
  ColumnStatistics b;
  b.field_id = 2;
  b.lower = std::string("m");
  file.statistics = {a, b};
  base = Publish(base, Append({file, FileAt("other.parquet")}));
  // As a plan for a predicate over `a` knows it.
  file.location = "x%20y.parquet";
  file.tags.clear();
  file.statistics = {a};
  Commit commit;
  commit.operation.kind = OperationKind::kDelete;
  RowSet rows;
  rows.Add(3);
  commit.row_deletes = {{file, rows}};
  const std::vector<Action> actions = Actions(Encode(base, commit));
  const AddFile add = Only<AddFile>(actions).at(0);
  EXPECT_EQ(add.path, "x%20y.parquet");
  EXPECT_EQ(add.stats, R"({"tightBounds":false,"numRecords":10,"minValues":{"a":1,"b":"m"}})");
  EXPECT_EQ(add.tags.at("k"), "v");
  EXPECT_EQ(add.deletion_vector->cardinality, 1);
  EXPECT_TRUE(add.data_change);
  EXPECT_EQ(Only<RemoveFile>(actions).at(0).tags.at("k"), "v");
}

TEST_F(EncodeTest, LargeDeletionVectorsAreStagedTogether) {
  const Snapshot base =
      Publish(Snapshot::Empty(),
              Creation(MakeTable("a int", {}, {{"delta.enableDeletionVectors", "true"}})));
  Commit commit;
  commit.operation.kind = OperationKind::kDelete;
  RowSet rows;
  for (uint64_t row = 0; row < 500; row += 3) rows.Add(row);
  for (const char* path : {"x.parquet", "y.parquet"}) {
    DataFile file = FileAt(path);
    file.record_count = 1000;
    commit.row_deletes.push_back({file, rows});
  }
  const Result<EncodedCommit> encoded = Encode(base, commit);
  ASSERT_OK(encoded);
  ASSERT_EQ(encoded->staged.size(), 1u);
  EXPECT_TRUE(encoded->staged[0].path.str().starts_with("lake/t/deletion_vector_"));
  EXPECT_EQ(Only<AddFile>(Actions(encoded)).size(), 2u);
}

TEST_F(EncodeTest, PartitioningStaysWhileFilesStay) {
  const Snapshot base = Publish(Snapshot::Empty(), Creation(MakeTable("p int, a int")));
  TableMetadata wanted = base.metadata;
  wanted.specs = {*IdentitySpec(wanted.schema, {"p"})};
  Commit commit;
  commit.operation.kind = OperationKind::kAlter;
  ASSERT_OK_AND_ASSIGN(commit.metadata, PrepareMetadata(fake_.runtime, &base.metadata, wanted));
  EXPECT_ERROR(Encode(base, commit), ErrorCode::kUnsupported);
  commit.operation.kind = OperationKind::kReplace;
  EXPECT_OK(Encode(base, commit));
}

TEST_F(EncodeTest, ProtocolAndMetadataStandOnlyWhereTheyChange) {
  const Snapshot base = Publish(Snapshot::Empty(), Creation(MakeTable("a int")));
  Commit commit;
  commit.operation.kind = OperationKind::kAlter;
  commit.metadata = base.metadata;
  EXPECT_EQ(Actions(Encode(base, commit)).size(), 1u);
  commit.metadata->properties["note"] = "x";
  const std::vector<Action> actions = Actions(Encode(base, commit));
  EXPECT_EQ(Only<Protocol>(actions).size(), 0u);
  EXPECT_EQ(Only<MetadataAction>(actions).size(), 1u);
  EXPECT_EQ(Publish(base, commit).metadata, *commit.metadata);
}

TEST_F(EncodeTest, ChangeFilesAreTold) {
  const Snapshot base =
      Publish(Snapshot::Empty(),
              Creation(MakeTable("a int", {}, {{"delta.enableChangeDataFeed", "true"}})));
  Commit commit = Append({FileAt("y.parquet")});
  commit.removed = {FileAt("x.parquet")};
  commit.change_files = {FileAt("_change_data/c 1.parquet")};
  const std::vector<CdcFile> files = Only<CdcFile>(Actions(Encode(base, commit)));
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files[0].path, "_change_data/c%201.parquet");
  EXPECT_EQ(files[0].size_bytes, 100);
}

TEST_F(EncodeTest, RefusesTablesItCannotWrite) {
  Snapshot base = Publish(Snapshot::Empty(), Creation(MakeTable("a int")));
  base.metadata.writer_version = 7;
  base.metadata.writer_features = {"rowTracking", "domainMetadata"};
  EXPECT_ERROR(Encode(base, Append({})), ErrorCode::kUnsupported);
}

TEST_F(EncodeTest, ColumnsAreTrackedByTheirPhysicalNames) {
  Snapshot base =
      Publish(Snapshot::Empty(),
              Creation(MakeTable("p int, a int", {"p"}, {{"delta.columnMapping.mode", "name"}})));
  TableMetadata wanted = base.metadata;
  wanted.schema.fields[0].name = "part";
  wanted.schema.fields[1].name = "b";
  Commit alter;
  alter.operation.kind = OperationKind::kAlter;
  ASSERT_OK_AND_ASSIGN(alter.metadata, PrepareMetadata(fake_.runtime, &base.metadata, wanted));
  base = Publish(base, alter);
  DataFile file = FileAt("x.parquet", {int64_t{7}});
  ColumnStatistics statistics;
  statistics.field_id = 2;
  statistics.lower = int64_t{1};
  file.statistics = {statistics};
  const AddFile add = Only<AddFile>(Actions(Encode(base, Append({file})))).at(0);
  EXPECT_EQ(add.partition_values, (PartitionTexts{{"p", "7"}}));
  EXPECT_EQ(add.stats, R"({"numRecords":10,"minValues":{"a":1}})");
}

}  // namespace
}  // namespace tarn::delta
