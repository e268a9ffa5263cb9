#include "tarn/format/iceberg/upkeep.h"

#include <gtest/gtest.h>

#include "tarn/catalog/pointer_committer.h"
#include "tests/support/memory_pointers.h"
#include "tests/unit/format/iceberg/iceberg_world.h"

namespace tarn::iceberg {
namespace {

class UpkeepTest : public testing::IcebergWorld {};

TEST_F(UpkeepTest, TheHintIsNeverSetBack) {
  ASSERT_OK(Create());
  const Snapshot first = Load();
  ASSERT_OK(Append("c1", {tarn::testing::FileOf("1", "a")}));
  EXPECT_EQ(Text("metadata/version-hint.text"), "2");
  ASSERT_OK_AND_ASSIGN(const Upkeep late, PlanIcebergUpkeep(metadata_files, home, first));
  ASSERT_EQ(late.put.size(), 1U);
  EXPECT_EQ(late.put[0].bytes, "2");
  EXPECT_TRUE(late.remove.empty());
  ASSERT_OK_AND_ASSIGN(const Upkeep none,
                       PlanIcebergUpkeep(metadata_files, home, Snapshot::Empty()));
  EXPECT_TRUE(none.put.empty());
}

TEST_F(UpkeepTest, ATableUnderAPointerHasNoHintAndLosesOldMetadata) {
  auto pointers = std::make_shared<tarn::testing::MemoryPointers>();
  const PointerKey key{"tarn", "ns", "t"};
  committer = MakePointerCommitter(*storage, *fakes.random, pointers, key);
  home.head.authoritative = true;
  ASSERT_OK(Create({{"write.metadata.delete-after-commit.enabled", "true"},
                    {"write.metadata.previous-versions-max", "1"}}));
  for (const char* id : {"c1", "c2", "c3"}) {
    ASSERT_OK(Append(id, {tarn::testing::FileOf(id, "a")}));
  }
  std::vector<std::string> numbers;
  for (const std::string& name : MetadataFiles(".metadata.json")) {
    numbers.push_back(name.substr(0, 6));
  }
  EXPECT_EQ(numbers, (std::vector<std::string>{"00002-", "00003-"}));
  EXPECT_TRUE(MetadataFiles("version-hint.text").empty());
  EXPECT_EQ(home.head.name, pointers->Find(key).value());
  // By its path it is read and not written.
  TableHome by_path{home.root, *storage};
  ASSERT_OK_AND_ASSIGN(const Snapshot snapshot, format->Load(by_path, Newest{}));
  EXPECT_ERROR(format->Encode(by_path, snapshot, tarn::testing::Append("c4", {})),
               ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace tarn::iceberg
