#include <gtest/gtest.h>

#include "tests/unit/sql/parse_fixture.h"

namespace tarn::sql {
namespace {

using tree::As;

TEST(InsertParser, ReadsTargetsColumnsAndPartitions) {
  const ParsedScript script = Read(
      "INSERT OVERWRITE TABLE db.t PARTITION (ds = '1', hr) IF NOT EXISTS (a, b) SELECT 1, 2, 3");
  const auto& insert = Only<tree::Insert>(script);
  EXPECT_EQ(insert.mode, tree::Insert::Mode::kOverwrite);
  EXPECT_EQ(tree::NameText(insert.table->name), "db.t");
  ASSERT_EQ(insert.partitions.size(), 2u);
  EXPECT_NE(insert.partitions[0]->value, nullptr);
  EXPECT_EQ(insert.partitions[1]->value, nullptr);
  EXPECT_TRUE(insert.if_not_exists);
  EXPECT_EQ(insert.columns.size(), 2u);
  EXPECT_NE(insert.query, nullptr);
}

TEST(InsertParser, TellsColumnsFromAQueryInBrackets) {
  EXPECT_EQ(Only<tree::Insert>(Read("INSERT INTO t (SELECT 1)")).columns.size(), 0u);
  EXPECT_EQ(Only<tree::Insert>(Read("INSERT INTO t (a, b) (SELECT 1, 2)")).columns.size(), 2u);
  const ParsedScript with = Read("INSERT INTO t (a) WITH c AS (SELECT 1) SELECT * FROM c");
  EXPECT_NE(Only<tree::Insert>(with).query->with, nullptr);
  EXPECT_EQ(Only<tree::Insert>(with).with, nullptr);
}

TEST(InsertParser, ReadsDirectories) {
  const ParsedScript script = Read(
      "INSERT OVERWRITE LOCAL DIRECTORY '/x' ROW FORMAT DELIMITED FIELDS TERMINATED BY ',' STORED "
      "AS TEXTFILE SELECT 1",
      HiveDialect());
  const auto& insert = Only<tree::Insert>(script);
  EXPECT_TRUE(insert.local);
  EXPECT_EQ(As<tree::Literal>(insert.directory)->tokens[0], "'/x'");
  EXPECT_EQ(insert.clauses.size(), 2u);
}

TEST(InsertParser, ReadsMultiInsert) {
  const ParsedScript script = Read(
      "FROM a LATERAL VIEW explode(x) y AS z INSERT INTO TABLE b SELECT z WHERE z > 1 "
      "INSERT OVERWRITE DIRECTORY '/c' SELECT count(*) GROUP BY z",
      HiveDialect());
  const auto& multi = Only<tree::MultiInsert>(script);
  ASSERT_EQ(multi.branches.size(), 2u);
  const auto* const first = As<tree::Select>(multi.branches[0]->query->body);
  EXPECT_TRUE(first->from.empty());
  EXPECT_NE(first->where, nullptr);
  EXPECT_EQ(As<tree::Select>(multi.branches[1]->query->body)->group_by.size(), 1u);
}

TEST(InsertParser, RoundTripsWhatIsRare) {
  ExpectRoundTrip("INSERT INTO t BY NAME SELECT 1 AS a");
  ExpectRoundTrip("INSERT INTO t REPLACE WHERE a > 1 SELECT 1");
  ExpectRoundTrip("INSERT INTO t DEFAULT VALUES", DuckDbDialect());
  ExpectRoundTrip(
      "INSERT INTO t AS x (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET a = 2 WHERE x.a > 0 "
      "RETURNING a, b AS c",
      PostgresDialect());
  ExpectRoundTrip("INSERT OR REPLACE INTO t VALUES (1, DEFAULT)", DuckDbDialect());
  ExpectRoundTrip("WITH w AS (SELECT 1) INSERT INTO t SELECT * FROM w", HiveDialect());
}

}  // namespace
}  // namespace tarn::sql
