#include "tests/unit/query/query_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tarn {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::QueryWorld;

TEST(RelationsTest, HistoryFilesAndPartitions) {
  QueryWorld world;
  world.Message("CREATE TABLE ns.t (id INT, p STRING) PARTITIONED BY (p)");
  world.Message("INSERT INTO ns.t VALUES (1, 'a'), (2, NULL), (3, NULL)");
  EXPECT_THAT(world.Rows("SELECT version, operation FROM ns.t.history ORDER BY version"),
              ElementsAre(HasSubstr("0|"), HasSubstr("1|")));
  EXPECT_THAT(world.Rows("SELECT partition['p'], record_count, deleted_rows FROM ns.t.files "
                         "ORDER BY record_count"),
              ElementsAre("a|1|0", "NULL|2|0"));
  EXPECT_THAT(
      world.Rows("SELECT p, files, record_count FROM ns.t.partitions ORDER BY p NULLS FIRST"),
      ElementsAre("NULL|1|2", "a|1|1"));
  EXPECT_THAT(world.Rows("SELECT history.version FROM ns.t.history WHERE version > 0"),
              ElementsAre("1"));
}

TEST(RelationsTest, ATableWithoutPartitionsIsOne) {
  QueryWorld world;
  world.Message("CREATE TABLE ns.t (id INT)");
  EXPECT_THAT(world.Rows("SELECT files, record_count FROM ns.t.partitions"), ElementsAre("0|0"));
  EXPECT_THAT(world.Rows("SELECT count(*) FROM ns.t.files"), ElementsAre("0"));
}

}  // namespace
}  // namespace tarn
