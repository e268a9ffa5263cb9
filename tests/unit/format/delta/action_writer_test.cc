#include "tarn/format/delta/action_writer.h"

#include <gtest/gtest.h>

#include <vector>

#include "tarn/format/delta/action_json.h"
#include "tests/support/matchers.h"

namespace tarn::delta {
namespace {

// Writes one action and reads it back.
template <class T>
void ExpectRoundTrip(const T& action) {
  std::string lines;
  AppendAction(lines, action);
  ASSERT_TRUE(lines.ends_with("}\n")) << lines;
  ASSERT_EQ(lines.find('\n'), lines.size() - 1) << "one line";
  std::vector<Action> read;
  ASSERT_OK(ForEachAction(lines, [&](Action&& line) {
    read.push_back(std::move(line));
    return OkStatus();
  }));
  ASSERT_EQ(read.size(), 1u);
  ASSERT_TRUE(std::holds_alternative<T>(read[0]));
  EXPECT_EQ(std::get<T>(read[0]), action) << lines;
}

TEST(AppendAction, ProtocolOfEveryKind) {
  ExpectRoundTrip(Protocol{1, 2, {}, {}});
  ExpectRoundTrip(Protocol{1, 7, {}, {"appendOnly", "inCommitTimestamp"}});
  ExpectRoundTrip(Protocol{3, 7, {"timestampNtz"}, {"timestampNtz"}});
}

TEST(AppendAction, FeatureListsStandOnlyWithTheirVersions) {
  std::string lines;
  AppendAction(lines, Protocol{1, 2, {}, {}});
  EXPECT_EQ(lines, "{\"protocol\":{\"minReaderVersion\":1,\"minWriterVersion\":2}}\n");
  lines.clear();
  AppendAction(lines, Protocol{3, 7, {}, {}});
  EXPECT_EQ(lines,
            "{\"protocol\":{\"minReaderVersion\":3,\"minWriterVersion\":7,\"readerFeatures\":[],"
            "\"writerFeatures\":[]}}\n");
}

TEST(AppendAction, MetaData) {
  MetadataAction action;
  action.id = "8a1f";
  action.schema_string = R"({"type":"struct","fields":[]})";
  action.partition_columns = {"a", "b"};
  action.configuration = {{"delta.appendOnly", "true"}, {"note", "say \"hi\""}};
  ExpectRoundTrip(action);
  action.name = "events";
  action.description = "what happened";
  action.created_time_ms = 1700000000000;
  ExpectRoundTrip(action);
}

TEST(AppendAction, FilesWithAndWithoutWhatIsOptional) {
  AddFile add;
  add.path = "p=A%252FA/part-1.parquet";
  add.partition_values = {{"p", "A/A"}, {"q", std::nullopt}};
  add.size_bytes = 10;
  add.modified_ms = 1700000000001;
  ExpectRoundTrip(add);
  add.data_change = false;
  add.stats = R"({"numRecords":3,"minValues":{"s":"\"x\""}})";
  add.tags = {{"k", "v"}};
  add.deletion_vector = DeletionVectorDescriptor{'u', "ab^-aqEH.-t@S}K{vb[*k^", 4, 40, 6};
  add.base_row_id = 7;
  add.default_row_commit_version = 2;
  add.clustering_provider = "liquid";
  ExpectRoundTrip(add);

  RemoveFile remove;
  remove.path = "x.parquet";
  ExpectRoundTrip(remove);
  remove.deletion_timestamp_ms = 5;
  remove.extended_file_metadata = true;
  remove.partition_values = {{"p", std::nullopt}};
  remove.size_bytes = 3;
  remove.deletion_vector = DeletionVectorDescriptor{
      'i', "wi5b=000010000siXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L", std::nullopt, 40, 6};
  ExpectRoundTrip(remove);

  CdcFile cdc;
  cdc.path = "_change_data/c.parquet";
  cdc.partition_values = {{"p", "1"}};
  cdc.size_bytes = 12;
  ExpectRoundTrip(cdc);
}

TEST(AppendAction, TxnAndDomain) {
  ExpectRoundTrip(Txn{"kafka:topic/3", -7, std::nullopt});
  ExpectRoundTrip(Txn{"file:/in/*.jsonl", 9007199254740993, 1700000000000});
  ExpectRoundTrip(DomainMetadata{"org.x", "{\"a\":1}", false});
  ExpectRoundTrip(DomainMetadata{"org.x", "", true});
}

TEST(AppendAction, CommitInfo) {
  CommitInfo info;
  info.timestamp_ms = 1700000000000;
  info.in_commit_timestamp_ms = 1700000000000;
  info.operation = "WRITE";
  info.operation_parameters = {{"mode", "Append"}, {"partitionBy", "[\"p\"]"}};
  info.operation_metrics = {{"numFiles", "1"}};
  info.read_version = 4;
  info.isolation_level = "Serializable";
  info.is_blind_append = true;
  info.engine_info = "tarn/0.1.0";
  info.user_name = "ann@host";
  info.tarn_commit_id = "c0ffee00-0000-4000-8000-000000000000";
  info.tarn_writer = "ann@host";
  info.tarn_lineage = std::string("\x01\x00\xFF", 3);
  ExpectRoundTrip(info);
}

}  // namespace
}  // namespace tarn::delta
