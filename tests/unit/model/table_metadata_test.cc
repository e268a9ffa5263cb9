#include "tarn/model/table_metadata.h"

#include <gtest/gtest.h>

namespace tarn {
namespace {

TEST(TableMetadataTest, SpecsAreFoundById) {
  TableMetadata metadata;
  metadata.specs = {{.id = 0},
                    {.id = 3, .fields = {{.source_id = 1, .field_id = 1000, .name = "p"}}}};
  metadata.default_spec_id = 3;
  EXPECT_EQ(metadata.default_spec().fields.size(), 1u);
  EXPECT_EQ(metadata.SpecById(1), nullptr);
  metadata.default_spec_id = 9;
  EXPECT_TRUE(metadata.default_spec().IsUnpartitioned());
}

}  // namespace
}  // namespace tarn
