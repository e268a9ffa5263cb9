#include "tests/unit/query/query_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tarn {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::QueryWorld;

TEST(ChangesTest, InsertedAndDeletedRowsOfEachCommit) {
  QueryWorld world;
  world.Message("CREATE TABLE ns.t (id INT, p STRING) PARTITIONED BY (p)");
  world.Message("INSERT INTO ns.t VALUES (1, 'a'), (2, 'b')");
  world.Message("INSERT INTO ns.t VALUES (3, 'b')");
  world.Message("DELETE FROM ns.t WHERE p = 'a'");
  EXPECT_THAT(world.Rows("SELECT id, p, _change_type, _commit_version FROM ns.t.changes(1, 3) "
                         "ORDER BY _commit_version, id"),
              ElementsAre("1|a|insert|1", "2|b|insert|1", "3|b|insert|2", "1|a|delete|3"));
  EXPECT_THAT(world.Rows("SELECT count(*) FROM ns.t.changes(2, 1 + 1) AS c WHERE c.id = 3"),
              ElementsAre("1"));
  EXPECT_EQ(world.Columns("FROM ns.t.changes(0, 0)"),
            "id|p|_change_type|_commit_version|_commit_timestamp");
  EXPECT_THAT(world.Rows("FROM ns.t.changes(2, 1)"), ElementsAre(HasSubstr("is after")));
  EXPECT_THAT(world.Rows("FROM ns.t.changes(0, 9)"), ElementsAre(HasSubstr("not found")));
}

}  // namespace
}  // namespace tarn
