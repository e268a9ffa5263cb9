#include "tarn/model/conflict.h"

#include <gtest/gtest.h>

namespace tarn {
namespace {

using Kind = ConflictReason::Kind;
using Op = Expression::Op;

class ConflictTest : public ::testing::Test {
 protected:
  ConflictTest() {
    base_.metadata.schema = AssignFreshIds(*ParseColumns("day string, n bigint"));
    base_.metadata.specs = {*IdentitySpec(base_.metadata.schema, {"day"})};
    base_.version = {"7"};
    theirs_.version = {"8"};
    theirs_.writer = "ada@host";
    theirs_.timestamp_ms = 1'000;
  }

  static DataFile File(std::string path, const char* day) {
    DataFile file;
    file.path = std::move(path);
    file.partition = {Value(day)};
    return file;
  }
  static Expression Day(const char* day) { return Expression::Compare(Op::kEqual, 1, Value(day)); }

  std::optional<Kind> Found(Isolation isolation = Isolation::kSerializable) {
    auto reason = FindConflict(mine_, theirs_, base_, isolation);
    if (!reason) return std::nullopt;
    message_ = reason->message;
    return reason->kind;
  }

  Snapshot base_;
  Commit mine_, theirs_;
  std::string message_;
};

TEST_F(ConflictTest, AppendsNeverMeet) {
  mine_.added = {File("a", "1")};
  theirs_.added = {File("b", "1")};
  EXPECT_EQ(Found(), std::nullopt);
  // Nor does an append mind rows taken away.
  theirs_.removed = {File("c", "1")};
  EXPECT_EQ(Found(), std::nullopt);
}

TEST_F(ConflictTest, ProtocolChangesMeetEverything) {
  mine_.added = {File("a", "1")};
  theirs_.protocol_changed = true;
  EXPECT_EQ(Found(), Kind::kProtocol);
}

TEST_F(ConflictTest, SchemaChangesMeetAppendsButPropertiesDoNot) {
  mine_.added = {File("a", "1")};
  theirs_.metadata = base_.metadata;
  theirs_.metadata->properties["owner"] = "x";
  theirs_.metadata->schema.fields[1].doc = "count";
  EXPECT_EQ(Found(), std::nullopt);
  mine_.metadata = base_.metadata;
  EXPECT_EQ(Found(), Kind::kMetadata);
  mine_.metadata.reset();
  theirs_.metadata->schema.fields[1].required = true;
  EXPECT_EQ(Found(), Kind::kMetadata);
  theirs_.metadata = base_.metadata;
  theirs_.metadata->constraints = {{"positive", "n > 0"}};
  EXPECT_EQ(Found(), Kind::kMetadata);
}

TEST_F(ConflictTest, PositionsAreCompareAndSet) {
  mine_.positions = {{"file:x", "1", "2"}};
  theirs_.positions = {{"file:y", "1", "2"}};
  EXPECT_EQ(Found(), std::nullopt);
  theirs_.positions.push_back({"file:x", "1", "2"});
  EXPECT_EQ(Found(), Kind::kPosition);
}

TEST_F(ConflictTest, RemovedFilesMeetReadersAndRemovers) {
  theirs_.removed = {File("old", "1")};
  mine_.removed = {File("old", "1")};
  EXPECT_EQ(Found(), Kind::kRemoved);
  mine_.removed = {File("other", "1")};
  EXPECT_EQ(Found(), std::nullopt);
  mine_.reads.predicates = {Day("2")};
  EXPECT_EQ(Found(), std::nullopt);
  mine_.reads.predicates = {Day("1")};
  EXPECT_EQ(Found(), Kind::kRemoved);
  EXPECT_NE(message_.find("partition day=1"), std::string::npos) << message_;
  EXPECT_NE(message_.find("version 8"), std::string::npos) << message_;
  EXPECT_NE(message_.find("ada@host"), std::string::npos) << message_;
  EXPECT_NE(message_.find("1970-01-01T00:00:01Z"), std::string::npos) << message_;
}

TEST_F(ConflictTest, TwoRowDeletesInOneFileMeet) {
  theirs_.row_deletes = {{File("f", "1"), {}}};
  mine_.row_deletes = {{File("f", "1"), {}}};
  EXPECT_EQ(Found(), Kind::kRowsDeleted);
  mine_.row_deletes = {{File("g", "1"), {}}};
  EXPECT_EQ(Found(), std::nullopt);
}

TEST_F(ConflictTest, AddedRowsMeetPredicatesWhenSerializable) {
  theirs_.added = {File("new", "1")};
  mine_.reads.predicates = {Day("1")};
  EXPECT_EQ(Found(), Kind::kRowsAdded);
  EXPECT_EQ(Found(Isolation::kWriteSerializable), std::nullopt);
  mine_.reads.predicates = {Day("2")};
  EXPECT_EQ(Found(), std::nullopt);
  mine_.reads = {.everything = true};
  EXPECT_EQ(Found(), Kind::kRowsAdded);
}

TEST_F(ConflictTest, ARewriteOnlyMeetsThoseWhoNameItsFiles) {
  theirs_.data_change = false;
  theirs_.removed = {File("small", "1")};
  theirs_.added = {File("big", "1")};
  mine_.reads.predicates = {Day("1")};
  EXPECT_EQ(Found(), std::nullopt);
  mine_.reads.locations = {"small"};
  EXPECT_EQ(Found(), Kind::kRemoved);
}

TEST_F(ConflictTest, CompactionMeetsDeletesButNoAppends) {
  mine_.data_change = false;
  mine_.removed = {File("small", "1")};
  mine_.reads.locations = {"small"};
  theirs_.added = {File("new", "1")};
  EXPECT_EQ(Found(), std::nullopt);
  theirs_.row_deletes = {{File("small", "1"), {}}};
  EXPECT_EQ(Found(), Kind::kRowsDeleted);
}

}  // namespace
}  // namespace tarn
