#include "tarn/format/iceberg/manifest_list.h"

#include <gtest/gtest.h>

#include "tests/unit/format/iceberg/iceberg_world.h"

namespace tarn::iceberg {
namespace {

class ManifestListTest : public testing::IcebergWorld {};

TEST_F(ManifestListTest, ErrorsNameTheFile) {
  const Locations locations(home, "memory:/lake/t");
  SnapshotEntry snapshot;
  snapshot.manifest_list = "memory:/lake/t/l.avro";
  EXPECT_ERROR(ReadManifests(fakes.runtime, home, locations, snapshot), ErrorCode::kNotFound);
  ASSERT_OK(storage->Put(home.root / "l.avro", "no avro"));
  const auto bad = ReadManifests(fakes.runtime, home, locations, snapshot);
  EXPECT_ERROR(bad, ErrorCode::kCorrupt);
  EXPECT_NE(bad.error().ToString().find("l.avro"), std::string::npos);
}

TEST_F(ManifestListTest, ManifestsNamedByTheSnapshotItself) {
  ASSERT_OK(Create({{"format-version", "1"}}));
  ASSERT_OK(Append("c1", {tarn::testing::FileOf("1", "a")}));
  const std::vector<std::string> files = MetadataFiles("-m0.avro");
  ASSERT_EQ(files.size(), 1U);
  SnapshotEntry snapshot;
  snapshot.id = 9;
  snapshot.manifests = {"memory:/lake/t/metadata/" + files[0]};
  const Locations locations(home, "memory:/lake/t");
  ASSERT_OK_AND_ASSIGN(const auto manifests,
                       ReadManifests(fakes.runtime, home, locations, snapshot));
  ASSERT_EQ(manifests.size(), 1U);
  EXPECT_EQ(manifests[0].spec_id, 0);
  EXPECT_TRUE(manifests[0].MayHaveLiveFiles()) << "not told";
}

}  // namespace
}  // namespace tarn::iceberg
