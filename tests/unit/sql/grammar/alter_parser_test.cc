#include <gtest/gtest.h>

#include "tests/unit/sql/parse_fixture.h"

namespace tarn::sql {
namespace {

using What = tree::AlterAction::What;

// The first action of an ALTER.
const tree::AlterAction& Action(const ParsedScript& script) {
  return *Only<tree::Alter>(script).actions[0];
}

TEST(AlterParser, ReadsRenames) {
  const ParsedScript table = Read("ALTER TABLE d.a RENAME TO d.b");
  EXPECT_EQ(Action(table).what, What::kRenameTable);
  EXPECT_EQ(tree::NameText(Action(table).name), "d.b");
  const ParsedScript column = Read("ALTER TABLE t RENAME COLUMN a TO b");
  EXPECT_EQ(Action(column).what, What::kRenameColumn);
  const ParsedScript partition =
      Read("ALTER TABLE t PARTITION (a = 1) RENAME TO PARTITION (a = 2)");
  EXPECT_EQ(Action(partition).what, What::kRenamePartition);
  EXPECT_EQ(Action(partition).new_partitions.size(), 1u);
}

TEST(AlterParser, ReadsColumns) {
  const ParsedScript add = Read("ALTER TABLE t ADD COLUMNS (a INT, b STRING AFTER c)");
  EXPECT_EQ(Action(add).what, What::kAddColumns);
  EXPECT_EQ(Action(add).columns.size(), 2u);
  const ParsedScript change = Read("ALTER TABLE t CHANGE COLUMN a b BIGINT COMMENT 'x' FIRST");
  EXPECT_EQ(Action(change).what, What::kChangeColumn);
  EXPECT_EQ(tree::NameText(Action(change).columns[0]->name), "b");
  EXPECT_EQ(Action(Read("ALTER TABLE t REPLACE COLUMNS (a INT)")).what, What::kReplaceColumns);
  EXPECT_EQ(Action(Read("ALTER TABLE t DROP COLUMNS (a, b)")).column_names.size(), 2u);
  const ParsedScript type = Read("ALTER TABLE t ALTER COLUMN a TYPE BIGINT");
  EXPECT_EQ(Action(type).what, What::kAlterColumn);
  EXPECT_NE(Action(type).type, nullptr);
}

TEST(AlterParser, ReadsPartitions) {
  const ParsedScript add =
      Read("ALTER TABLE t ADD IF NOT EXISTS PARTITION (a = 1) LOCATION '/x' PARTITION (a = 2)");
  EXPECT_EQ(Action(add).what, What::kAddPartitions);
  EXPECT_EQ(Action(add).partitions.size(), 2u);
  const ParsedScript exchange =
      Read("ALTER TABLE t EXCHANGE PARTITION (ds = '1') WITH TABLE d.u", HiveDialect());
  EXPECT_EQ(Action(exchange).what, What::kExchangePartition);
  EXPECT_EQ(tree::NameText(Action(exchange).name), "d.u");
}

TEST(AlterParser, ReadsTheQueryOfAView) {
  EXPECT_NE(Action(Read("ALTER VIEW v AS SELECT a FROM t")).query, nullptr);
}

TEST(AlterParser, RoundTrips) {
  ExpectRoundTrip(
      "ALTER TABLE t RENAME TO u; ALTER TABLE t ADD COLUMN a.b INT AFTER c; "
      "ALTER TABLE t DROP COLUMN IF EXISTS a; ALTER TABLE t SWAP WITH u; "
      "ALTER TABLE t SET TBLPROPERTIES ('a' = 'b', 'c' = 'd'); "
      "ALTER TABLE t DROP IF EXISTS PARTITION (ds > '1'), PARTITION (ds = '0') PURGE; "
      "ALTER TABLE t EXCHANGE PARTITION (a = 1) WITH TABLE u; "
      "ALTER TABLE t PARTITION (a = 1) SET LOCATION '/x'; "
      "ALTER TABLE t ADD COLUMN a INT, ADD COLUMN b INT; "
      "ALTER TABLE t ALTER COLUMN a SET NOT NULL; "
      "ALTER TABLE t ADD CONSTRAINT c CHECK (a > 0)");
  ExpectRoundTrip(
      "DROP TABLE IF EXISTS a.b PURGE; DROP MATERIALIZED VIEW v; DROP SCHEMA s CASCADE; "
      "DROP TEMPORARY FUNCTION f");
}

TEST(AlterParser, SaysWhatItExpected) {
  EXPECT_EQ(ErrorOf("ALTER TABLE t"), "line 1, column 14: expected what to alter, found the end");
  EXPECT_EQ(ErrorOf("DROP TABLE"), "line 1, column 11: expected a name, found the end");
}

}  // namespace
}  // namespace tarn::sql
