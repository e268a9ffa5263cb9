#include "tarn/format/iceberg/metadata_writer.h"

#include <gtest/gtest.h>

#include "tarn/format/iceberg/json_internal.h"
#include "tests/support/matchers.h"
#include "tests/support/toy_tables.h"

namespace tarn::iceberg {
namespace {

TableMetadata Model(int32_t version) {
  TableMetadata model = tarn::testing::EventsMetadata();
  model.reader_version = model.writer_version = version;
  return model;
}

TEST(MetadataWriterTest, ReadsBackAsWritten) {
  for (int32_t version = 1; version <= 3; ++version) {
    TableMetadata model = Model(version);
    model.description = "what it is";
    model.constraints = {{"positive", "id > 0"}};
    ASSERT_OK_AND_ASSIGN(const MetadataDocument document,
                         MetadataDocument::Create(model, "/lake/t"));
    ASSERT_OK_AND_ASSIGN(const Metadata read, document.Read());
    EXPECT_EQ(read.format_version, version);
    EXPECT_EQ(read.table_uuid, model.table_id);
    EXPECT_EQ(read.current_schema().fields.size(), 2U);
    EXPECT_EQ(read.specs, model.specs);
    EXPECT_EQ(read.properties.at("comment"), "what it is");
    EXPECT_EQ(read.properties.at("tarn.constraint.positive"), "id > 0");
  }
}

TEST(MetadataWriterTest, SchemasAreAddedOnce) {
  ASSERT_OK_AND_ASSIGN(MetadataDocument document, MetadataDocument::Create(Model(2), "/lake/t"));
  TableMetadata wider = Model(2);
  wider.schema.fields.push_back({.id = 3, .name = "note", .type = Type::Of(TypeKind::kString)});
  wider.schema.last_column_id = 3;
  ASSERT_OK(document.SetModel(wider));
  ASSERT_OK(document.SetModel(Model(2)));
  ASSERT_OK(document.SetModel(wider));
  ASSERT_OK_AND_ASSIGN(const Metadata read, document.Read());
  EXPECT_EQ(read.schemas.size(), 2U);
  EXPECT_EQ(read.current_schema_id, 1);
  EXPECT_EQ(read.last_column_id, 3);
}

TEST(MetadataWriterTest, OneVersionUpwards) {
  ASSERT_OK_AND_ASSIGN(MetadataDocument document, MetadataDocument::Create(Model(1), "/lake/t"));
  ASSERT_OK(document.SetModel(Model(2)));
  ASSERT_OK_AND_ASSIGN(const Metadata second, document.Read());
  EXPECT_EQ(second.format_version, 2);
  ASSERT_OK(document.SetModel(Model(3)));
  ASSERT_OK_AND_ASSIGN(const Metadata third, document.Read());
  EXPECT_EQ(third.format_version, 3);
  EXPECT_NE((*document.Text()).find("\"next-row-id\""), std::string::npos);
}

TEST(MetadataWriterTest, PropertiesOfTarnStayBesideTheUsers) {
  ASSERT_OK_AND_ASSIGN(MetadataDocument document, MetadataDocument::Create(Model(2), "/lake/t"));
  document.SetProperty("tarn.position.src", "10");
  TableMetadata model = Model(2);
  model.properties = {{"a", "b"}};
  ASSERT_OK(document.SetModel(model));
  ASSERT_OK_AND_ASSIGN(const Metadata read, document.Read());
  EXPECT_EQ(read.properties,
            (std::map<std::string, std::string>{{"a", "b"}, {"tarn.position.src", "10"}}));
}

TEST(MetadataWriterTest, TheLogIsBounded) {
  ASSERT_OK_AND_ASSIGN(const MetadataDocument first, MetadataDocument::Create(Model(2), "/lake/t"));
  ASSERT_OK_AND_ASSIGN(Metadata metadata, MetadataFromJson(*first.Text()));
  for (int i = 1; i < 5; ++i) {
    ASSERT_OK_AND_ASSIGN(const MetadataDocument next,
                         MetadataDocument::After(metadata, "f" + std::to_string(i), 2));
    ASSERT_OK_AND_ASSIGN(metadata, MetadataFromJson(*next.Text()));
  }
  ASSERT_EQ(metadata.metadata_log.size(), 2U);
  EXPECT_EQ(metadata.metadata_log[1].location, "f4");
}

SnapshotEntry Appended(int64_t id) {
  return {.id = id,
          .sequence_number = id,
          .timestamp_ms = 1000 + id,
          .manifest_list = "l" + std::to_string(id),
          .summary = {{"operation", "append"}, {"text", "a]b}\"c\\"}},
          .schema_id = 0};
}

// What was read along with the text and what is read out of it are the same.
void ExpectToldAlike(const MetadataDocument& document, const std::vector<int64_t>& ids) {
  ASSERT_OK_AND_ASSIGN(const Metadata told, document.Read());
  ASSERT_OK_AND_ASSIGN(const Metadata read, MetadataFromJson(*document.Text()));
  ASSERT_EQ(told.snapshots.size(), ids.size());
  ASSERT_EQ(read.snapshots.size(), ids.size());
  for (size_t i = 0; i < ids.size(); ++i) {
    EXPECT_EQ(told.snapshots[i].id, ids[i]);
    EXPECT_EQ(read.snapshots[i].id, ids[i]);
    EXPECT_EQ(told.snapshots[i].summary, read.snapshots[i].summary);
    EXPECT_EQ(told.snapshots[i].manifest_list, read.snapshots[i].manifest_list);
    EXPECT_EQ(told.snapshots[i].timestamp_ms, read.snapshots[i].timestamp_ms);
    EXPECT_EQ(told.snapshots[i].schema_id, read.snapshots[i].schema_id);
  }
  EXPECT_EQ(told.current_snapshot_id, read.current_snapshot_id);
  EXPECT_EQ(told.last_sequence_number, read.last_sequence_number);
  EXPECT_EQ(told.snapshot_log.size(), read.snapshot_log.size());
}

TEST(MetadataWriterTest, SnapshotsStayTheTextThatTheyWere) {
  ASSERT_OK_AND_ASSIGN(const MetadataDocument first, MetadataDocument::Create(Model(2), "/lake/t"));
  ASSERT_OK_AND_ASSIGN(Metadata metadata, MetadataFromJson(*first.Text()));
  std::vector<int64_t> ids;
  for (int64_t id = 1; id < 5; ++id) {
    ASSERT_OK_AND_ASSIGN(MetadataDocument next, MetadataDocument::After(metadata, "f", 2));
    ASSERT_OK(next.AddSnapshot(Appended(id), 0, ""));
    ids.push_back(id);
    ExpectToldAlike(next, ids);
    // As another engine would lay it out, with members that nobody here knows.
    Json pretty = Json::parse(*next.Text());
    pretty["snapshots"][0]["theirs"] = {{"x", {1, "]"}}};
    ASSERT_OK_AND_ASSIGN(metadata, MetadataFromJson(pretty.dump(2)));
  }
  EXPECT_NE(metadata.text.find("\"theirs\": {"), std::string::npos);
  ASSERT_OK_AND_ASSIGN(MetadataDocument next, MetadataDocument::After(metadata, "f", 2));
  EXPECT_EQ(Json::parse(*next.Text())["snapshots"], Json::parse(metadata.text)["snapshots"]);
  const ReferenceChange tag{.kind = ReferenceChange::Kind::kTag, .name = "x", .version = "9"};
  EXPECT_ERROR(next.MoveReference(tag, 9, 0), ErrorCode::kNotFound);
  EXPECT_OK(next.MoveReference(tag, 3, 0));
  ASSERT_OK(next.RemoveSnapshots({"1", "2"}));
  ExpectToldAlike(next, {3, 4});
  ASSERT_OK(next.AddSnapshot(Appended(7), 0, ""));
  ExpectToldAlike(next, {3, 4, 7});
}

}  // namespace
}  // namespace tarn::iceberg
