#include "tarn/format/iceberg/entry_schema.h"

#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace tarn::iceberg {
namespace {

const AvroField* Find(const AvroType& record, int32_t id) {
  for (const AvroField& field : record.fields) {
    if (field.field_id == id) return &field;
  }
  return nullptr;
}

// The ids of the specification's tables, by version.
TEST(EntrySchemaTest, FieldsByVersion) {
  PartitionSpec spec;
  spec.fields = {{.source_id = 1, .field_id = 1000, .name = "d"}};
  for (int32_t version = 1; version <= 3; ++version) {
    ASSERT_OK_AND_ASSIGN(const std::string text,
                         EntrySchema(spec, {Type::Of(TypeKind::kDate)}, version));
    ASSERT_OK_AND_ASSIGN(const AvroTypePtr entry, ParseAvroSchema(text));
    EXPECT_EQ(Find(*entry, 3) != nullptr, version > 1);
    const AvroField* file = Find(*entry, 2);
    ASSERT_NE(file, nullptr);
    for (const int32_t id :
         {100, 101, 102, 103, 104, 108, 109, 110, 137, 125, 128, 131, 132, 140}) {
      EXPECT_NE(Find(*file->type, id), nullptr) << version << " " << id;
    }
    EXPECT_EQ(Find(*file->type, 134) != nullptr, version > 1);
    EXPECT_EQ(Find(*file->type, 105) != nullptr, version == 1);
    EXPECT_EQ(Find(*file->type, 142) != nullptr, version == 3);
    const AvroField* day = Find(*Find(*file->type, 102)->type, 1000);
    ASSERT_NE(day, nullptr);
    EXPECT_EQ(OptionalOf(*day->type).value->get()->logical, AvroLogical::kDate);
  }
  EXPECT_ERROR(EntrySchema(spec, {Type::Of(TypeKind::kVoid)}, 2), ErrorCode::kUnsupported);
}

TEST(EntrySchemaTest, ManifestLists) {
  for (int32_t version = 1; version <= 3; ++version) {
    ASSERT_OK_AND_ASSIGN(const AvroTypePtr list, ParseAvroSchema(ManifestListSchema(version)));
    for (const int32_t id : {500, 501, 502, 503, 504, 505, 506, 512, 513, 514, 507, 519}) {
      EXPECT_NE(Find(*list, id), nullptr) << version << " " << id;
    }
    EXPECT_EQ(Find(*list, 517) != nullptr, version > 1);
    EXPECT_EQ(Find(*list, 520) != nullptr, version == 3);
  }
}

}  // namespace
}  // namespace tarn::iceberg
