#include "tarn/format/iceberg/metadata_writer.h"

#include <gtest/gtest.h>

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
  EXPECT_NE(document.text().find("\"next-row-id\""), std::string::npos);
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
  ASSERT_OK_AND_ASSIGN(Metadata metadata, MetadataFromJson(first.text()));
  for (int i = 1; i < 5; ++i) {
    ASSERT_OK_AND_ASSIGN(const MetadataDocument next,
                         MetadataDocument::After(metadata, "f" + std::to_string(i), 2));
    ASSERT_OK_AND_ASSIGN(metadata, MetadataFromJson(next.text()));
  }
  ASSERT_EQ(metadata.metadata_log.size(), 2U);
  EXPECT_EQ(metadata.metadata_log[1].location, "f4");
}

}  // namespace
}  // namespace tarn::iceberg
