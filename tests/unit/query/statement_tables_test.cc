#include "tests/unit/query/query_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tarn {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::QueryWorld;

TEST(StatementTablesTest, NamesBecomeKeysAndStringsStay) {
  QueryWorld world;
  world.Message("CREATE TABLE ns.t (i INT)");
  StatementTables& tables = world.context().tables;
  tables.Begin();
  const auto text = tables.Rewrite("SELECT ns.t.i, 'FROM ns.t' FROM ns.t, range(3), ns.unknown",
                                   sql::TextKind::kQuery);
  ASSERT_TRUE(text.ok()) << text.error().ToString();
  EXPECT_THAT(text->text, HasSubstr("'FROM ns.t'"));
  EXPECT_THAT(text->text, HasSubstr("\"tarn:"));
  EXPECT_THAT(text->text, HasSubstr("range(3), ns.unknown"));
}

TEST(StatementTablesTest, WhatAStatementReadOfATable) {
  QueryWorld world;
  world.Message("CREATE TABLE ns.t (i INT)");
  StatementTables& tables = world.context().tables;
  tables.Begin();
  const auto pinned = tables.Pin(sql::TableName{.parts = {"ns", "t"}});
  ASSERT_TRUE(pinned.ok());
  EXPECT_TRUE(tables.ReadsOf(*pinned->table).empty());
  const auto text = tables.Rewrite("SELECT * FROM ns.t WHERE i = 3", sql::TextKind::kQuery);
  ASSERT_TRUE(world.context().session.Query(text->text).ok());
  const ReadSet reads = tables.ReadsOf(*pinned->table);
  EXPECT_FALSE(reads.everything);
  ASSERT_EQ(reads.predicates.size(), 1U);
  EXPECT_EQ(reads.predicates[0].op, Expression::Op::kEqual);
  EXPECT_TRUE(tables.Uses(*pinned->table));
}

TEST(StatementTablesTest, OneSnapshotWhateverHappensMeanwhile) {
  QueryWorld world;
  world.Message("CREATE TABLE ns.t (i INT)");
  StatementTables& tables = world.context().tables;
  tables.Begin();
  const sql::TableName name{.parts = {"ns", "t"}};
  EXPECT_EQ(tables.Pin(name)->snapshot.version.text, "0");
  world.Message("INSERT INTO ns.t VALUES (1)");
  EXPECT_EQ(tables.Pin(name)->snapshot.version.text, "0");
  EXPECT_EQ(tables.Pin(name, AtVersion{"1"})->snapshot.version.text, "1");
  tables.Begin();
  EXPECT_EQ(tables.Pin(name)->snapshot.version.text, "1");
}

}  // namespace
}  // namespace tarn
