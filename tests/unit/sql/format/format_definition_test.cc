#include <gtest/gtest.h>

#include "tests/unit/sql/parse_fixture.h"

namespace tarn::sql {
namespace {

TEST(FormatDefinition, WritesCanonicalText) {
  EXPECT_EQ(
      Line("create table if not exists t(a int comment 'x',b array<int>)partitioned by(c string)"
           "stored as orc location '/l'"),
      "CREATE TABLE IF NOT EXISTS t (a INT comment 'x', b ARRAY<INT>) PARTITIONED BY (c string) "
      "stored as orc location '/l'");
  EXPECT_EQ(Line("create or replace view v as select 1"), "CREATE OR REPLACE VIEW v AS SELECT 1");
  EXPECT_EQ(Line("alter table a rename to b"), "ALTER TABLE a RENAME TO b");
  EXPECT_EQ(Line("drop table if exists a"), "DROP TABLE IF EXISTS a");
}

}  // namespace
}  // namespace tarn::sql
