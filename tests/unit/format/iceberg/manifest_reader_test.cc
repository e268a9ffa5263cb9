#include "tarn/format/iceberg/manifest_reader.h"

#include <gtest/gtest.h>

#include "tests/unit/format/iceberg/iceberg_world.h"

namespace tarn::iceberg {
namespace {

class ManifestReaderTest : public testing::IcebergWorld {};

TEST_F(ManifestReaderTest, PartitionTypesComeFromWhicheverSchemaHasTheColumn) {
  Metadata metadata;
  Schema old;
  old.fields = {{.id = 1, .name = "a", .type = Type::Of(TypeKind::kInt32)},
                {.id = 2, .name = "t", .type = Type::Of(TypeKind::kTimestamp)}};
  Schema now;
  now.fields = {{.id = 1, .name = "a", .type = Type::Of(TypeKind::kInt64)}};
  metadata.schemas = {old, now};
  PartitionSpec spec;
  spec.fields = {
      {.source_id = 1, .field_id = 1000, .name = "a"},
      {.source_id = 2, .field_id = 1001, .name = "t_day", .transform = TransformKind::kDay},
      {.source_id = 9, .field_id = 1002, .name = "gone"}};
  const std::vector<Type> types = PartitionTypes(metadata, now, spec);
  ASSERT_EQ(types.size(), 3U);
  EXPECT_EQ(types[0].kind, TypeKind::kInt64) << "as the column is now";
  EXPECT_EQ(types[1], *TransformedType(spec.fields[1], Type::Of(TypeKind::kTimestamp)));
  EXPECT_EQ(types[2].kind, TypeKind::kVoid);
}

TEST_F(ManifestReaderTest, WhatIsNoManifest) {
  ASSERT_OK(Create());
  ASSERT_OK(Append("c1", {tarn::testing::FileOf("1", "a")}));
  Metadata metadata;
  metadata.schemas = {tarn::testing::EventsMetadata().schema};
  ManifestFile manifest;
  const Path list = home.root / "metadata" / MetadataFiles(".avro").back();
  EXPECT_ERROR(
      ManifestReader::Make(fakes.runtime, home, list, metadata, metadata.schemas[0], manifest, {}),
      ErrorCode::kCorrupt);
  metadata.specs = tarn::testing::EventsMetadata().specs;
  const std::string name = MetadataFiles("-m0.avro")[0];
  EXPECT_OK(ManifestReader::Make(fakes.runtime, home, home.root / "metadata" / name, metadata,
                                 metadata.schemas[0], manifest, {}));
}

}  // namespace
}  // namespace tarn::iceberg
