#include "tarn/format/delta/log_paths.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tarn::delta {
namespace {

using Kind = LogName::Kind;
constexpr char kV[] = "00000000000000000010";

TEST(LogPaths, SpellsNames) {
  const Path root = *Path::Make("lake/t");
  EXPECT_EQ(CommitPath(root, 42).str(), "lake/t/_delta_log/00000000000000000042.json");
  EXPECT_EQ(ClassicCheckpointPath(root, 10).str(),
            "lake/t/_delta_log/00000000000000000010.checkpoint.parquet");
  EXPECT_EQ(ChecksumPath(root, 1).str(), "lake/t/_delta_log/00000000000000000001.crc");
  EXPECT_EQ(CompactionPath(root, 4, 6).str(),
            "lake/t/_delta_log/00000000000000000004.00000000000000000006.compacted.json");
  EXPECT_EQ(LastCheckpointPath(root).str(), "lake/t/_delta_log/_last_checkpoint");
}

TEST(ParseLogName, KnowsEveryKind) {
  const std::string v(kV);
  const std::string uuid = "80a083e8-7026-4e79-81be-64bd76c43a11";
  EXPECT_EQ(ParseLogName(v + ".json")->kind, Kind::kCommit);
  EXPECT_EQ(ParseLogName(v + ".json")->version, 10);
  EXPECT_EQ(ParseLogName(v + ".crc")->kind, Kind::kChecksum);
  EXPECT_EQ(ParseLogName(v + ".checkpoint.parquet")->kind, Kind::kClassicCheckpoint);
  EXPECT_EQ(ParseLogName(v + ".checkpoint." + uuid + ".json")->kind, Kind::kUuidCheckpointJson);
  EXPECT_EQ(ParseLogName(v + ".checkpoint." + uuid + ".parquet")->kind,
            Kind::kUuidCheckpointParquet);
  const auto part = ParseLogName(v + ".checkpoint.0000000002.0000000003.parquet");
  ASSERT_TRUE(part);
  EXPECT_EQ(part->kind, Kind::kMultiPartCheckpoint);
  EXPECT_EQ(part->part, 2);
  EXPECT_EQ(part->parts, 3);
  const auto compaction = ParseLogName(v + ".00000000000000000012.compacted.json");
  ASSERT_TRUE(compaction);
  EXPECT_EQ(compaction->kind, Kind::kCompaction);
  EXPECT_EQ(compaction->last_version, 12);
}

TEST(ParseLogName, NothingElse) {
  const std::string v(kV);
  for (const std::string& name : std::vector<std::string>{
           "_last_checkpoint", v + ".json.tmp", "1.json", v + ".checkpoint.json",
           v + ".3a0d65cd-4056-49b8-937b-95f9e3ee90e5.json",
           v + ".checkpoint.0000000004.0000000003.parquet",  // part 4 of 3
           v + ".00000000000000000010.compacted.json",       // no range
           "99999999999999999999.json",                      // beyond 63 bits
           "." + v + ".json.crc"}) {
    EXPECT_FALSE(ParseLogName(name)) << name;
  }
}

}  // namespace
}  // namespace tarn::delta
