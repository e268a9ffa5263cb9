#include "tarn/format/delta/json_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/format/delta/log_fixture.h"

namespace tarn::delta {
namespace {

class JsonFilesTest : public LogFixture {
 protected:
  Result<FileActions> Decode(const Expression& filter, const std::vector<std::string>& lines) {
    PutFirst();
    TARN_ASSIGN_OR_RETURN(const Snapshot snapshot, Load());
    FileRequest request;
    request.filter = filter;
    const FilePlan plan(home_, snapshot, request);
    ObjectInfo object;
    object.path = home_.root / "lines.json";
    TARN_RETURN_IF_ERROR(storage_->Put(object.path, Joined(lines)));
    return DecodeJsonFiles(plan, object);
  }
};

TEST_F(JsonFilesTest, EveryActionLeavesAKeyEvenIfPruned) {
  const auto y = Expression::Compare(Expression::Op::kEqual, 1, Value(std::string("y")));
  ASSERT_OK_AND_ASSIGN(
      const FileActions actions,
      Decode(y, {R"({"commitInfo":{}})", AddLine("a", "x"), AddLine("b", "y"),
                 RemoveLine("c", R"(,"deletionVector":{"storageType":"u","pathOrInlineDv":"v",)"
                                 R"("offset":1,"sizeInBytes":1,"cardinality":1})"),
                 R"({"unknown":{}})"}));
  ASSERT_EQ(actions.entries.size(), 3U);
  EXPECT_EQ(actions.PathOf(actions.entries[0]), "a");
  EXPECT_EQ(actions.entries[0].row, -1);
  EXPECT_EQ(actions.entries[1].row, 0);
  EXPECT_FALSE(actions.entries[2].is_add);
  EXPECT_EQ(actions.VectorOf(actions.entries[2]), "uv@1");
  EXPECT_EQ(actions.batch.size, 1);
  EXPECT_EQ(actions.batch.path[0], "b");
}

TEST_F(JsonFilesTest, StatisticsPruneWhatPartitionsLeave) {
  const auto big = Expression::Compare(Expression::Op::kGreater, 2, Value(int64_t{100}));
  ASSERT_OK_AND_ASSIGN(
      const FileActions actions,
      Decode(big, {AddLine("a", "x", 0), AddLine("b", "x", 95), AddLine("c", "x", 200)}));
  EXPECT_EQ(actions.entries.size(), 3U);
  EXPECT_EQ(actions.entries[0].row, -1);
  EXPECT_EQ(actions.entries[1].row, 0);
  EXPECT_EQ(actions.entries[2].row, 1);
  EXPECT_EQ(actions.batch.size, 2);
}

TEST_F(JsonFilesTest, ErrorsNameTheLine) {
  for (const std::string& line :
       {std::string(R"({"add":{"path":"a","partitionValues":{},"size":1)"),
        std::string(R"({"add":{"partitionValues":{},"size":1}})"),
        std::string(R"({"add":{"path":5,"size":1}})"), std::string("garbage"),
        std::string(R"({"remove":{"path":"a","deletionVector":{"storageType":"long"}}})")}) {
    const auto decoded = Decode({}, {AddLine("ok"), line});
    EXPECT_ERROR(decoded, ErrorCode::kCorrupt);
    EXPECT_THAT(decoded.error().message, ::testing::HasSubstr("line 2")) << line;
  }
}

TEST_F(JsonFilesTest, APartitionValueOfTheWrongTypeIsCorrupt) {
  // p is a string, which takes anything; an integer column does not.
  PutCommit(
      0,
      {ProtocolLine(),
       R"({"metaData":{"id":"m","schemaString":"{\"type\":\"struct\",\"fields\":[{\"name\":\"p\",)"
       R"(\"type\":\"integer\",\"nullable\":true,\"metadata\":{}}]}","partitionColumns":["p"]}})",
       AddLine("a", "many")});
  EXPECT_THAT(NewestFiles().at(0), ::testing::HasSubstr("'many' is no int32"));
}

}  // namespace
}  // namespace tarn::delta
