#include "tarn/query/table_upkeep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/query/query_world.h"

namespace tarn {
namespace {

using ::testing::ElementsAre;
using testing::QueryWorld;

Snapshot At(const std::string& version, const std::string& every = "16") {
  Snapshot snapshot;
  snapshot.version.text = version;
  if (!every.empty()) snapshot.metadata.properties["tarn.upkeep.commits"] = every;
  return snapshot;
}

TEST(TableUpkeep, IsDueWhenTheCommitsCompleteANumber) {
  EXPECT_TRUE(UpkeepIsDue(At("15"), At("16")));
  EXPECT_TRUE(UpkeepIsDue(At("v12"), At("v20"))) << "others committed meanwhile";
  EXPECT_TRUE(UpkeepIsDue(At("00031-ab1c"), At("00032-77de")));
  EXPECT_FALSE(UpkeepIsDue(At("16"), At("17")));
  EXPECT_TRUE(UpkeepIsDue(Snapshot::Empty(), At("v1", "1")));
  EXPECT_FALSE(UpkeepIsDue(At("15", ""), At("16", ""))) << "not asked for";
  EXPECT_FALSE(UpkeepIsDue(At("15"), At("16", "never")));
  EXPECT_FALSE(UpkeepIsDue(At("15"), At("16", "0")));
  EXPECT_FALSE(UpkeepIsDue(At("main"), At("main"))) << "no version that counts";
}

TEST(TableUpkeep, FollowsWritingStatements) {
  QueryWorld world;
  world.Message("CREATE TABLE ns.t (a INT) TBLPROPERTIES ('tarn.upkeep.commits' = '6')");
  for (int i = 0; i < 20; ++i) world.Message("INSERT INTO ns.t VALUES (" + std::to_string(i) + ")");
  EXPECT_THAT(world.Rows("SELECT count(*), count(DISTINCT a) FROM ns.t"), ElementsAre("20|20"));
  EXPECT_THAT(world.Rows("SELECT count(*) <= 7 FROM ns.t.files"), ElementsAre("true"));
  world.Message("CREATE TABLE ns.left (a INT)");
  for (int i = 0; i < 9; ++i) world.Message("INSERT INTO ns.left VALUES (1)");
  EXPECT_THAT(world.Rows("SELECT count(*) FROM ns.left.files"), ElementsAre("9"));
}

TEST(TableUpkeep, AnotherCommitInBetweenHarmsNobody) {
  QueryWorld world;
  world.Message("CREATE TABLE ns.t (a INT) TBLPROPERTIES ('tarn.upkeep.commits' = '6')");
  for (int i = 0; i < 5; ++i) world.Message("INSERT INTO ns.t VALUES (0)");
  EXPECT_EQ(world.Message("DELETE FROM ns.t WHERE a = 7").substr(0, 6), "0 rows");
  world.Message("INSERT INTO ns.t VALUES (1)");
  EXPECT_THAT(world.Rows("SELECT count(*) FROM ns.t"), ElementsAre("6"));
}

}  // namespace
}  // namespace tarn
