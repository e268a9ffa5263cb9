#include <gtest/gtest.h>

#include "tarn/format/iceberg/metadata.h"
#include "tests/support/matchers.h"

namespace tarn::iceberg {
namespace {

// The specification's required fields of version 2.
std::string V2(const std::string& without = "") {
  const std::pair<std::string, std::string> members[] = {
      {"format-version", "2"},
      {"table-uuid", "\"9c12d441-03fe-4693-9a96-a0705ddf69c1\""},
      {"location", "\"s3://b/t\""},
      {"last-sequence-number", "4"},
      {"last-updated-ms", "17"},
      {"last-column-id", "2"},
      {"schemas",
       R"([{"type":"struct","schema-id":0,"fields":[{"id":1,"name":"x","required":true,"type":"long"}]},)"
       R"({"type":"struct","schema-id":1,"fields":[{"id":1,"name":"x","required":true,"type":"long"},)"
       R"({"id":2,"name":"y","required":false,"type":"int"}]}])"},
      {"current-schema-id", "1"},
      {"partition-specs",
       R"([{"spec-id":0,"fields":[{"name":"x","transform":"bucket[4]","source-id":1,"field-id":1000}]}])"},
      {"default-spec-id", "0"},
      {"last-partition-id", "1000"},
      {"sort-orders", R"([{"order-id":0,"fields":[]}])"},
      {"default-sort-order-id", "0"},
  };
  std::string text = "{";
  for (const auto& [name, value] : members) {
    if (name == without) continue;
    text += (text.size() > 1 ? ",\"" : "\"") + name + "\":" + value;
  }
  return text + "}";
}

TEST(MetadataJsonTest, Version2) {
  ASSERT_OK_AND_ASSIGN(const Metadata metadata, MetadataFromJson(V2()));
  EXPECT_EQ(metadata.current_schema().fields.size(), 2U);
  EXPECT_EQ(metadata.last_sequence_number, 4);
  EXPECT_EQ(metadata.specs[0].fields[0].transform, TransformKind::kBucket);
  EXPECT_EQ(metadata.current_snapshot(), nullptr);
}

TEST(MetadataJsonTest, WhatVersion2RequiresIsMissedByName) {
  for (const char* name :
       {"table-uuid", "location", "last-sequence-number", "last-updated-ms", "last-column-id",
        "schemas", "current-schema-id", "partition-specs", "default-spec-id", "last-partition-id",
        "sort-orders", "default-sort-order-id"}) {
    const auto metadata = MetadataFromJson(V2(name));
    ASSERT_FALSE(metadata.ok()) << name;
    EXPECT_EQ(metadata.error().code, ErrorCode::kCorrupt);
    EXPECT_NE(metadata.error().message.find(name), std::string::npos) << metadata.error().message;
  }
}

TEST(MetadataJsonTest, Version1IsLenient) {
  ASSERT_OK_AND_ASSIGN(
      const Metadata metadata,
      MetadataFromJson(
          R"({"format-version":1,"location":"/t","last-updated-ms":1,"last-column-id":1,)"
          R"("schema":{"type":"struct","fields":[{"id":1,"name":"x","required":false,"type":"int"}]},)"
          R"("partition-spec":[{"name":"x","transform":"identity","source-id":1}],)"
          R"("current-snapshot-id":-1})"));
  EXPECT_EQ(metadata.specs[0].fields[0].field_id, 1000);
  EXPECT_EQ(metadata.current_snapshot_id, std::nullopt);
  EXPECT_EQ(metadata.sort_orders.size(), 1U);
}

TEST(MetadataJsonTest, IdsThatNameNothing) {
  std::string text = V2("current-schema-id");
  text.insert(1, "\"current-schema-id\":7,");
  EXPECT_ERROR(MetadataFromJson(text), ErrorCode::kCorrupt);
  text = V2();
  text.insert(1, "\"current-snapshot-id\":5,");
  EXPECT_ERROR(MetadataFromJson(text), ErrorCode::kCorrupt);
  EXPECT_ERROR(MetadataFromJson(R"({"format-version":4})"), ErrorCode::kUnsupported);
  EXPECT_ERROR(MetadataFromJson("[]"), ErrorCode::kCorrupt);
}

TEST(MetadataJsonTest, UnknownTransformsDoNotPrune) {
  std::string text = V2();
  text.replace(text.find("bucket[4]"), 9, "zorder[4]");
  ASSERT_OK_AND_ASSIGN(const Metadata metadata, MetadataFromJson(text));
  EXPECT_EQ(metadata.specs[0].fields[0].transform, TransformKind::kVoid);
  EXPECT_EQ(metadata.unknown_transform, "zorder[4]");
}

TEST(MetadataJsonTest, SnapshotsRefsAndLogs) {
  std::string text = V2();
  text.insert(1, R"("current-snapshot-id":8,"snapshots":[{"snapshot-id":8,"parent-snapshot-id":7,)"
                 R"("sequence-number":4,"timestamp-ms":16,"manifest-list":"s3://b/t/l.avro",)"
                 R"("summary":{"operation":"append","added-records":"3"},"schema-id":1}],)"
                 R"("refs":{"old":{"snapshot-id":8,"type":"tag"}},)"
                 R"("snapshot-log":[{"timestamp-ms":16,"snapshot-id":8}],)"
                 R"("metadata-log":[{"timestamp-ms":15,"metadata-file":"f"}],)");
  ASSERT_OK_AND_ASSIGN(const Metadata metadata, MetadataFromJson(text));
  ASSERT_NE(metadata.current_snapshot(), nullptr);
  EXPECT_EQ(metadata.current_snapshot()->operation(), "append");
  EXPECT_EQ(metadata.current_snapshot()->parent_id, 7);
  EXPECT_FALSE(metadata.refs.at("old").is_branch);
  EXPECT_EQ(metadata.refs.at("main").snapshot_id, 8) << "there even if it is not written";
  EXPECT_EQ(metadata.metadata_log.at(0).location, "f");
}

}  // namespace
}  // namespace tarn::iceberg
