#include "tarn/format/delta/action_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tarn/base/bytes.h"
#include "tests/support/matchers.h"

namespace tarn::delta {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <class T>
T ReadAs(const std::string& line) {
  Result<std::optional<Action>> action = ReadAction(line);
  EXPECT_OK(action);
  if (!action.ok() || !action->has_value()) return {};
  const T* value = std::get_if<T>(&**action);
  EXPECT_NE(value, nullptr);
  return value == nullptr ? T{} : *value;
}

TEST(ReadAction, Add) {
  const auto add = ReadAs<AddFile>(
      R"({"add":{"path":"a%20b","partitionValues":{"p":"1","q":null,"r":""},"size":10,)"
      R"("modificationTime":5,"dataChange":false,"stats":"{\"numRecords\":1}","tags":{"k":"v"},)"
      R"("deletionVector":{"storageType":"u","pathOrInlineDv":"x","offset":1,"sizeInBytes":36,)"
      R"("cardinality":2},"baseRowId":7,"unknown":[{}]}})");
  EXPECT_EQ(add.path, "a%20b");
  EXPECT_THAT(add.partition_values,
              ElementsAre(std::pair<std::string, std::optional<std::string>>("p", "1"),
                          std::pair<std::string, std::optional<std::string>>("q", std::nullopt),
                          std::pair<std::string, std::optional<std::string>>("r", "")));
  EXPECT_FALSE(add.data_change);
  EXPECT_EQ(add.stats, R"({"numRecords":1})");
  EXPECT_EQ(add.deletion_vector->UniqueId(), "ux@1");
  EXPECT_EQ(add.base_row_id, 7);
}

TEST(ReadAction, EveryOtherAction) {
  EXPECT_EQ(
      ReadAs<RemoveFile>(R"({"remove":{"path":"a","deletionTimestamp":3}})").deletion_timestamp_ms,
      3);
  EXPECT_EQ(ReadAs<CdcFile>(R"({"cdc":{"path":"_change_data/a","size":4}})").size_bytes, 4);
  EXPECT_EQ(ReadAs<Txn>(R"({"txn":{"appId":"s","version":4,"lastUpdated":5}})").last_updated_ms, 5);
  EXPECT_TRUE(
      ReadAs<DomainMetadata>(R"({"domainMetadata":{"domain":"d","removed":true}})").removed);
  EXPECT_EQ(ReadAs<Sidecar>(R"({"sidecar":{"path":"x","sizeInBytes":9}})").size_bytes, 9);
  EXPECT_EQ(ReadAs<CheckpointMetadata>(R"({"checkpointMetadata":{"version":9}})").version, 9);
  EXPECT_EQ(
      ReadAs<Protocol>(
          R"({"protocol":{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["a"]}})")
          .reader_features.size(),
      1U);
  EXPECT_EQ(ReadAs<MetadataAction>(
                R"({"metaData":{"id":"i","schemaString":"{}","configuration":{"k":"v","n":null}}})")
                .configuration.size(),
            1U);
}

TEST(ReadAction, CommitInfoIsFreeForm) {
  const auto info = ReadAs<CommitInfo>(
      R"({"commitInfo":{"timestamp":1,"inCommitTimestamp":2,"operation":"MERGE",)"
      R"("operationParameters":{"a":"b","n":3,"l":[1]},"isBlindAppend":"odd","engineInfo":"tarn/1",)"
      R"("tarnCommitId":"id","tarnLineage":"aGk=","job":{"id":1}}})");
  EXPECT_EQ(info.timestamp_ms, 1);
  EXPECT_EQ(info.in_commit_timestamp_ms, 2);
  EXPECT_EQ(info.operation_parameters.at("l"), "[1]");
  EXPECT_EQ(info.tarn_commit_id, "id");
  EXPECT_EQ(info.tarn_lineage, "hi");
  EXPECT_EQ(info.extra.at("job"), R"({"id":1})");
  EXPECT_EQ(info.extra.at("isBlindAppend"), R"("odd")");
}

TEST(ReadAction, UnknownActionsAreIgnored) {
  EXPECT_EQ(*ReadAction(R"({"somethingNew":{"a":1}})"), std::nullopt);
  EXPECT_EQ(*ReadAction(R"({"add":null,"remove":null})"), std::nullopt);
  EXPECT_TRUE(
      std::holds_alternative<Txn>(**ReadAction(R"({"add":null,"txn":{"appId":"a","version":1}})")));
}

TEST(ReadAction, NamesWhatIsMissing) {
  const auto message = [](const std::string& line) {
    const Result<std::optional<Action>> action = ReadAction(line);
    return action.ok() ? std::string("ok") : action.error().message;
  };
  EXPECT_THAT(message(R"({"add":{"partitionValues":{},"size":1}})"),
              HasSubstr("'add.path' is missing"));
  EXPECT_THAT(message(R"({"add":{"path":"a","size":"x"}})"), HasSubstr("'add.size'"));
  EXPECT_THAT(message(R"({"txn":{"appId":"a"}})"), HasSubstr("'txn.version' is missing"));
  EXPECT_THAT(message(R"({"add":[]})"), HasSubstr("'add' is no object"));
  EXPECT_THAT(message(R"({"add":{"path":"a")"), HasSubstr("no JSON"));
  EXPECT_THAT(message("[]"), HasSubstr("no JSON object"));
}

TEST(ForEachAction, NumbersLinesAndSkipsBlankOnes) {
  Bytes bytes = "\n{\"txn\":{\"appId\":\"a\",\"version\":1}}\r\n  \n{\"txn\":{\"appId\":\"b\"}}";
  std::vector<std::string> seen;
  const Status status = ForEachAction(bytes, [&](Action&& action) -> Status {
    seen.push_back(std::get<Txn>(action).app_id);
    return {};
  });
  EXPECT_THAT(seen, ElementsAre("a"));
  EXPECT_ERROR(status, ErrorCode::kCorrupt);
  EXPECT_THAT(status.error().message, HasSubstr("line 4"));
}

TEST(LeadingAction, WithOrWithoutBlanks) {
  EXPECT_EQ(LeadingAction(R"({"add":{"path")"), "add");
  EXPECT_EQ(LeadingAction(R"( { "remove" : { )"), "remove");
  EXPECT_EQ(LeadingAction(R"({"add":null,"txn":{})"), "");
  EXPECT_EQ(LeadingAction(""), "");
  EXPECT_EQ(LeadingAction("{\"add"), "");
}

}  // namespace
}  // namespace tarn::delta
