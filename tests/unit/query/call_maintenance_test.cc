#include "tests/unit/query/query_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tarn {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::QueryWorld;

TEST(CallMaintenanceTest, SmallFilesBecomeOneAndRowsStay) {
  QueryWorld world;
  world.Message("CREATE TABLE ns.t (a INT, p STRING) PARTITIONED BY (p)");
  for (int i = 0; i < 6; ++i) {
    world.Message("INSERT INTO ns.t VALUES (" + std::to_string(i) + ", 'x'), (1, 'y')");
  }
  world.Message("INSERT INTO ns.t VALUES (100, 'alone')");
  const auto before = world.Rows("FROM ns.t ORDER BY ALL");
  EXPECT_THAT(world.Rows("SELECT count(*) FROM ns.t.files"), ElementsAre("13"));
  EXPECT_THAT(world.Rows("CALL system.rewrite_data_files(table => 'ns.t', min_input_files => 7)"),
              ElementsAre("0|0|0"));
  const auto rows = world.Rows("CALL system.rewrite_data_files('ns.t')");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_THAT(rows[0], HasSubstr("12|2|"));
  EXPECT_THAT(world.Rows("SELECT count(*) FROM ns.t.files"), ElementsAre("3"));
  EXPECT_EQ(world.Rows("FROM ns.t ORDER BY ALL"), before);
  EXPECT_THAT(world.Rows("CALL system.rewrite_data_files('ns.t')"), ElementsAre("0|0|0"));
}

}  // namespace
}  // namespace tarn
