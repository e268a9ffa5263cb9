#include "tarn/format/delta/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/format/delta/log_fixture.h"

namespace tarn::delta {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

class LoadTest : public LogFixture {};

TEST_F(LoadTest, TheHeadOfALog) {
  PutFirst();
  PutCommit(1, {R"({"txn":{"appId":"file:x","version":3}})",
                MetadataLine(R"("delta.constraints.positive":"a > 0","k":"v")")});
  ASSERT_OK_AND_ASSIGN(const Snapshot snapshot, Load());
  EXPECT_EQ(snapshot.version.text, "1");
  EXPECT_EQ(snapshot.positions.at("file:x"), "3");
  EXPECT_EQ(snapshot.metadata.table_id, "m");
  EXPECT_EQ(snapshot.metadata.default_spec().fields.at(0).name, "p");
  EXPECT_EQ(snapshot.metadata.default_spec().fields.at(0).field_id, 1000);
  EXPECT_EQ(snapshot.metadata.constraints, (std::vector<CheckConstraint>{{"positive", "a > 0"}}));
  EXPECT_EQ(snapshot.metadata.properties, (std::map<std::string, std::string>{{"k", "v"}}));
  EXPECT_EQ(snapshot.metadata.column_match, ColumnMatch::kByName);
  ASSERT_OK_AND_ASSIGN(const Snapshot first, Load(AtVersion{"0"}));
  EXPECT_TRUE(first.metadata.constraints.empty());
  EXPECT_TRUE(first.positions.empty());
}

TEST_F(LoadTest, WhatCannotBeLoaded) {
  EXPECT_ERROR(Load(), ErrorCode::kNotFound);
  PutCommit(0, {ProtocolLine()});
  const auto no_metadata = Load();
  EXPECT_ERROR(no_metadata, ErrorCode::kCorrupt);
  EXPECT_THAT(no_metadata.error().message, HasSubstr("no metaData"));
  PutCommit(0, {MetadataLine()});
  EXPECT_THAT(Load().error().message, HasSubstr("no protocol"));
  PutFirst();
  EXPECT_ERROR(Load(AtVersion{"1"}), ErrorCode::kNotFound);
  EXPECT_ERROR(Load(AtVersion{"one"}), ErrorCode::kInvalid);
  EXPECT_ERROR(Load(AtVersion{"-1"}), ErrorCode::kInvalid);
  PutCommit(1, {R"({"protocol":{"minReaderVersion":3,"minWriterVersion":7,)"
                R"("readerFeatures":["geospatial"],"writerFeatures":["geospatial"]}})"});
  const auto geo = Load();
  EXPECT_ERROR(geo, ErrorCode::kUnsupported);
  EXPECT_THAT(geo.error().message, HasSubstr("'geospatial'"));
  EXPECT_OK(Load(AtVersion{"0"}));
  PutCommit(1, {R"({"txn":{"appId":"a")"});
  EXPECT_THAT(Load().error().message, HasSubstr("00000000000000000001.json': line 1"));
}

TEST_F(LoadTest, ACutCheckpointIsPassedOverWithAWarning) {
  PutFirst();
  PutCommit(1, {AddLine("f1")});
  PutCheckpoint(*Load());
  PutCommit(2, {AddLine("f2")});
  PutCheckpoint(*Load());
  PutCommit(3, {AddLine("f3")});
  const Path newest = ClassicCheckpointPath(home_.root, 2);
  ASSERT_OK_AND_ASSIGN(const Bytes whole, storage_->Read(newest));
  for (const size_t length : {size_t{0}, size_t{8}, whole.size() / 2, whole.size() - 1}) {
    ASSERT_OK(storage_->Put(newest, whole.substr(0, length)));
    ASSERT_OK_AND_ASSIGN(const Snapshot snapshot, Load());
    ASSERT_OK_AND_ASSIGN(const DeltaState* state, StateOf(snapshot));
    EXPECT_EQ(state->segment.checkpoint->version, 1);
    EXPECT_EQ(FilesOf(snapshot), (Names{"f0", "f1", "f2", "f3"}));
  }
  EXPECT_THAT(fake_.log.lines(), SizeIs(4));
  EXPECT_THAT(fake_.log.lines().front(), HasSubstr("passed over"));
  // The older one too: the commits alone.
  ASSERT_OK(storage_->Put(ClassicCheckpointPath(home_.root, 1), "cut"));
  EXPECT_EQ(NewestFiles(), (Names{"f0", "f1", "f2", "f3"}));
}

TEST_F(LoadTest, Detects) {
  EXPECT_FALSE(*DetectTable(home_));
  Put("_delta_log/00000000000000000000.crc", "{}");
  EXPECT_FALSE(*DetectTable(home_));
  PutFirst();
  EXPECT_TRUE(*DetectTable(home_));
}

TEST_F(LoadTest, DomainsAndPositionsOutliveACheckpoint) {
  PutFirst();
  PutCommit(1, {R"({"txn":{"appId":"a","version":1}})",
                R"({"domainMetadata":{"domain":"d","configuration":"1","removed":false}})",
                R"({"domainMetadata":{"domain":"e","configuration":"1","removed":false}})"});
  PutCheckpoint(*Load());
  PutCommit(2, {R"({"domainMetadata":{"domain":"d","configuration":"","removed":true}})",
                R"({"txn":{"appId":"b","version":7}})"});
  ASSERT_OK_AND_ASSIGN(const Snapshot snapshot, Load());
  ASSERT_OK_AND_ASSIGN(const DeltaState* state, StateOf(snapshot));
  EXPECT_EQ(state->domains.size(), 1U);
  EXPECT_TRUE(state->domains.contains("e"));
  EXPECT_EQ(snapshot.positions, (std::map<std::string, std::string>{{"a", "1"}, {"b", "7"}}));
}

TEST(ToTableMetadata, RefusesOtherFileFormatsAndMissingColumns) {
  MetadataAction action;
  action.format_provider = "orc";
  EXPECT_ERROR(ToTableMetadata({}, action), ErrorCode::kUnsupported);
  action.format_provider = "parquet";
  EXPECT_OK(ToTableMetadata({}, action));  // a table may begin without a schema
  action.partition_columns = {"p"};
  EXPECT_ERROR(ToTableMetadata({}, action), ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace tarn::delta
