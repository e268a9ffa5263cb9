#include "tarn/format/iceberg/iceberg_format.h"

#include <gtest/gtest.h>

#include "tests/unit/format/iceberg/iceberg_world.h"

namespace tarn::iceberg {
namespace {

class IcebergFormatTest : public testing::IcebergWorld {};

TEST_F(IcebergFormatTest, WhatItCanSay) {
  EXPECT_EQ(format->name(), "iceberg");
  const FormatTraits traits = format->traits();
  EXPECT_TRUE(traits.hidden_partitioning);
  EXPECT_TRUE(traits.partition_columns_in_files);
  EXPECT_TRUE(traits.tells_empty_from_null);
  EXPECT_TRUE(traits.row_deletes);
}

TEST_F(IcebergFormatTest, TablesAreFoundByTheirMetadata) {
  ASSERT_OK_AND_ASSIGN(const bool before, format->Detect(home));
  EXPECT_FALSE(before);
  ASSERT_OK(Create());
  ASSERT_OK_AND_ASSIGN(const bool after, format->Detect(home));
  EXPECT_TRUE(after);
}

}  // namespace
}  // namespace tarn::iceberg
