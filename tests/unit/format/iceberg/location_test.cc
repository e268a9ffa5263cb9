#include "tarn/format/iceberg/location.h"

#include <gtest/gtest.h>

#include "tests/unit/format/iceberg/iceberg_world.h"

namespace tarn::iceberg {
namespace {

class LocationTest : public testing::IcebergWorld {};

TEST_F(LocationTest, TheTablesOwnLocationIsTheFolderThatWasOpened) {
  const Locations locations(home, "hdfs://host:8020/warehouse/t/");
  for (const char* spelled :
       {"hdfs://host:8020/warehouse/t/data/x.parquet", "/warehouse/t/data/x.parquet",
        "file:/warehouse/t/data/x.parquet", "s3://elsewhere/warehouse/t/data/x.parquet"}) {
    ASSERT_OK_AND_ASSIGN(const std::string path, locations.Spell(spelled));
    EXPECT_EQ(path, "data/x.parquet") << spelled;
  }
  EXPECT_ERROR(locations.Spell("hdfs://host:8020/warehouse/t2/x.parquet"), ErrorCode::kInvalid);
  EXPECT_ERROR(locations.Spell("hdfs://host:8020/warehouse/t/../../../x"), ErrorCode::kInvalid);
}

TEST_F(LocationTest, RelativeLocations) {
  const Locations locations(home, "data/persistent/t");
  ASSERT_OK_AND_ASSIGN(const std::string path, locations.Spell("./data/persistent/t/a b%20/x"));
  EXPECT_EQ(path, "a b%20/x") << "nothing is decoded";
}

TEST_F(LocationTest, RelocationsComeFirst) {
  home.relocations = {{"s3://b/t/data", "/elsewhere"}};
  const Locations locations(home, "s3://b/t");
  EXPECT_EQ(locations.BelowTable("s3://b/t/x"), std::nullopt);
  ASSERT_OK_AND_ASSIGN(const std::string moved, locations.Spell("s3://b/t/data/x"));
  EXPECT_EQ(moved, "/elsewhere/x");
  ASSERT_OK_AND_ASSIGN(const std::string own, locations.Spell("s3://b/t/metadata/x"));
  EXPECT_EQ(own, "metadata/x");
}

TEST_F(LocationTest, NewObjectsAreNamedBelowIt) {
  const Locations locations(home, "s3://b/t/");
  EXPECT_EQ(locations.LocationOf("data/x"), "s3://b/t/data/x");
  EXPECT_EQ(locations.LocationOf("/other/x"), "/other/x");
}

}  // namespace
}  // namespace tarn::iceberg
