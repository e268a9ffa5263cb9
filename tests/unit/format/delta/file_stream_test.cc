#include "tarn/format/delta/file_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/format/delta/log_fixture.h"

namespace tarn::delta {
namespace {

using Op = Expression::Op;

class FileStreamTest : public LogFixture {
 protected:
  static std::string Vector(const std::string& name, int64_t rows) {
    return R"(,"deletionVector":{"storageType":"u","pathOrInlineDv":")" + name +
           R"(","offset":1,"sizeInBytes":36,"cardinality":)" + std::to_string(rows) + "}";
  }
};

TEST_F(FileStreamTest, AddsAndRemoves) {
  PutFirst();
  PutCommit(1, {AddLine("f1"), AddLine("f2")});
  PutCommit(2, {RemoveLine("f1"), AddLine("f3")});
  PutCommit(3, {AddLine("f1")});  // back again
  EXPECT_EQ(NewestFiles(), (Names{"f0", "f1", "f2", "f3"}));
  EXPECT_EQ(files_seen_, 4);
  EXPECT_EQ(FilesOf(*Load(AtVersion{"2"})), (Names{"f0", "f2", "f3"}));
}

TEST_F(FileStreamTest, TheCheckpointAndWhatCameAfter) {
  PutFirst();
  PutCommit(1, {AddLine("f1"), AddLine("f2", "y", 50)});
  for (const bool as_struct : {false, true}) {
    TableProperties properties;
    properties.stats_as_struct = as_struct;
    properties.stats_as_json = !as_struct;
    PutCheckpoint(*Load(AtVersion{"1"}), properties);
    EXPECT_EQ(FilesOf(*Load(AtVersion{"1"})), (Names{"f0", "f1", "f2"}));
    PutCommit(2, {RemoveLine("f1"), AddLine("f2", "y", 60), AddLine("f3")});
    ASSERT_OK_AND_ASSIGN(const Snapshot snapshot, Load());
    EXPECT_EQ(FilesOf(snapshot), (Names{"f0", "f2", "f3"}));
    EXPECT_EQ(files_seen_, 3);
    const auto a_is = [&](int64_t value) {
      return Expression::Compare(Op::kEqual, IdOf(snapshot, "a"), Value(value));
    };
    EXPECT_EQ(FilesOf(snapshot, a_is(5)), (Names{"f0", "f3"}));
    EXPECT_EQ(FilesOf(snapshot, a_is(65)), (Names{"f2"}));
    EXPECT_EQ(FilesOf(snapshot, a_is(55)), Names{}) << "the newer statistics count";
    const auto p_is_y =
        Expression::Compare(Op::kEqual, IdOf(snapshot, "p"), Value(std::string("y")));
    EXPECT_EQ(FilesOf(snapshot, p_is_y), (Names{"f2"}));
    EXPECT_EQ(files_seen_, 3);
    EXPECT_EQ(FilesOf(snapshot, Expression::And({p_is_y, a_is(1)})), Names{});
  }
}

TEST_F(FileStreamTest, ColumnsOfAFile) {
  PutCommit(0,
            {ProtocolLine(), MetadataLine(),
             AddLine("p=x%20y/a%2520b", "x y", 5, Vector("vBn[lx{q8@P<9BNH/isA", 2)),
             R"({"add":{"path":"bare","partitionValues":{"p":null},"size":1,"modificationTime":2,)"
             R"("dataChange":true}})"});
  for (const bool checkpoint : {false, true}) {
    if (checkpoint) PutCheckpoint(*Load());
    ASSERT_OK_AND_ASSIGN(const Snapshot snapshot, Load());
    FileRequest request;
    request.bounds_of = {IdOf(snapshot, "a")};
    ASSERT_OK_AND_ASSIGN(auto stream, format_->Files(home_, snapshot, request));
    ASSERT_OK_AND_ASSIGN(auto batch, stream->Next());
    ASSERT_TRUE(batch);
    ASSERT_EQ(batch->size, 2);
    const bool first_is_bare = batch->path[0] == "bare";
    const DataFile file = batch->At(first_is_bare ? 1 : 0);
    EXPECT_EQ(file.path, "p=x y/a%20b");
    EXPECT_EQ(file.location, "p=x%20y/a%2520b");
    EXPECT_EQ(file.size_bytes, 100);
    EXPECT_EQ(file.modified_ms, 5);
    EXPECT_EQ(file.record_count, 10);
    EXPECT_TRUE(file.partition.at(0) == Value(std::string("x y")));
    ASSERT_EQ(file.deletes.size(), 1U);
    EXPECT_EQ(file.deletes[0].location, "uvBn[lx{q8@P<9BNH/isA");
    EXPECT_EQ(file.deletes[0].offset, 1);
    EXPECT_EQ(file.deletes[0].row_count, 2);
    ASSERT_EQ(file.statistics.size(), 1U);
    EXPECT_TRUE(file.statistics[0].lower == Value(int64_t{5}));
    EXPECT_TRUE(file.statistics[0].upper == Value(int64_t{14}));
    const DataFile bare = batch->At(first_is_bare ? 0 : 1);
    EXPECT_EQ(bare.record_count, -1);
    EXPECT_TRUE(IsNull(bare.partition.at(0)));
    EXPECT_FALSE(bare.statistics.at(0).lower);
    EXPECT_TRUE(bare.deletes.empty());
    ASSERT_OK_AND_ASSIGN(const auto end, stream->Next());
    EXPECT_FALSE(end);
  }
}

TEST_F(FileStreamTest, DeletionVectorsMakeLogicalFiles) {
  PutFirst();
  PutCommit(1, {RemoveLine("f0"), AddLine("f0", "x", 0, Vector("v1", 1))});
  PutCommit(2, {RemoveLine("f0", Vector("v1", 1)), AddLine("f0", "x", 0, Vector("v2", 2))});
  EXPECT_EQ(NewestFiles(), (Names{"f0"}));
  PutCheckpoint(*Load());
  PutCommit(3, {RemoveLine("f0", Vector("v1", 1))});  // of a state long gone
  EXPECT_EQ(NewestFiles(), (Names{"f0"}));
  PutCommit(4, {RemoveLine("f0", Vector("v2", 2))});
  EXPECT_EQ(NewestFiles(), Names{});
}

TEST_F(FileStreamTest, TwoSpellingsAreOneFile) {
  PutFirst();
  const std::string absolute = storage_->root_uri() + "/t/";
  PutCommit(1, {AddLine("a b"), AddLine("c"), AddLine(absolute + "d")});
  PutCommit(2, {RemoveLine("a%20b"), RemoveLine(absolute + "c"), RemoveLine("%64")});
  EXPECT_EQ(NewestFiles(), (Names{"f0"}));
}

TEST_F(FileStreamTest, AFileOutsideTheStoreIsRefusedUnlessItIsGone) {
  PutFirst();
  PutCommit(1, {AddLine("s3://elsewhere/x")});
  ASSERT_OK_AND_ASSIGN(const Snapshot snapshot, Load());
  ASSERT_OK_AND_ASSIGN(auto stream, format_->Files(home_, snapshot, {}));
  Status status;
  while (status.ok()) {
    auto batch = stream->Next();
    status = batch.status();
    if (batch.ok() && !batch->has_value()) break;
  }
  EXPECT_ERROR(status, ErrorCode::kInvalid);
  PutCommit(2, {RemoveLine("s3://elsewhere/x")});
  EXPECT_EQ(NewestFiles(), (Names{"f0"}));
}

TEST_F(FileStreamTest, OverlappingCompactionsDoubleNothing) {
  PutFirst();
  for (int64_t version = 1; version <= 6; ++version) {
    PutCommit(version, {AddLine("f" + std::to_string(version)),
                        RemoveLine("f" + std::to_string(version - 1))});
  }
  const auto compact = [&](int64_t first, int64_t last) {
    std::vector<std::string> lines = {AddLine("f" + std::to_string(last))};
    for (int64_t version = first; version <= last; ++version) {
      lines.push_back(RemoveLine("f" + std::to_string(version - 1)));
    }
    ASSERT_OK(storage_->Put(CompactionPath(home_.root, first, last), Joined(lines)));
  };
  compact(1, 4);
  compact(3, 6);
  compact(2, 3);
  for (int64_t version = 0; version <= 6; ++version) {
    EXPECT_EQ(FilesOf(*Load(AtVersion{std::to_string(version)})),
              (Names{"f" + std::to_string(version)}));
  }
}

TEST_F(FileStreamTest, ManyCommitsOnManyThreads) {
  const auto pool = MakeThreadPool(4);
  Runtime threaded{fake_.clock,  *fake_.random,     *pool, fake_.log, fake_.metrics,
                   fake_.memory, fake_.cancellation};
  PutFirst();
  Names expected;
  for (int64_t version = 1; version <= 60; ++version) {
    std::vector<std::string> lines;
    for (int file = 0; file < 20; ++file) {
      lines.push_back(AddLine("v" + std::to_string(version) + "-" + std::to_string(file)));
    }
    if (version > 1) {
      for (int file = 0; file < 20; file += 2) {
        lines.push_back(RemoveLine("v" + std::to_string(version - 1) + "-" + std::to_string(file)));
      }
    }
    PutCommit(version, lines);
  }
  const auto one_thread = NewestFiles();
  format_ = MakeDeltaFormat(threaded);
  EXPECT_EQ(NewestFiles(), one_thread);
  EXPECT_EQ(one_thread.size(), 1U + 59 * 10 + 20);
}

TEST_F(FileStreamTest, UnusualSpellingsMeanTheSame) {
  PutFirst();
  PutCommit(1, {R"( {"remove": null, "add": {"size": 1.0, "path": "f\u0031", "stats": null,)"
                R"( "partitionValues": {"p": "y"}, "modificationTime": 3, "dataChange": true}} )",
                R"({"add":{"path":"f2","partitionValues":null,"size":1,"modificationTime":1}})"});
  ASSERT_OK_AND_ASSIGN(const Snapshot snapshot, Load());
  EXPECT_EQ(FilesOf(snapshot), (Names{"f0", "f1", "f2"}));
  EXPECT_EQ(FilesOf(snapshot,
                    Expression::Compare(Op::kEqual, IdOf(snapshot, "p"), Value(std::string("y")))),
            (Names{"f1"}));
  EXPECT_EQ(FilesOf(snapshot, Expression::IsNullOf(IdOf(snapshot, "p"))), (Names{"f2"}));
}

TEST_F(FileStreamTest, ABrokenLineIsNamed) {
  PutFirst();
  PutCommit(1, {AddLine("f1"), R"({"add":{"path":"f2","partitionValues":{},"size":1)"});
  const Names said = NewestFiles();
  ASSERT_EQ(said.size(), 1U);
  EXPECT_THAT(said[0], ::testing::HasSubstr("00000000000000000001.json': line 2"));
}

}  // namespace
}  // namespace tarn::delta
