#include <gtest/gtest.h>

#include "tests/unit/sql/parse_fixture.h"

namespace tarn::sql {
namespace {

using tree::As;

TEST(CommandParser, ReadsSettings) {
  const ParsedScript set = Read("SET hive.exec.dynamic.partition.mode = nonstrict");
  EXPECT_EQ(Only<tree::Set>(set).key, "hive.exec.dynamic.partition.mode");
  EXPECT_EQ(Only<tree::Set>(set).value, "nonstrict");
  EXPECT_EQ(Only<tree::Set>(Read("set hivevar:day=2024-01-01")).key, "hivevar:day");
  const ParsedScript variable = Read("SET VAR x = (SELECT max(a) FROM t), y = 2");
  EXPECT_EQ(Only<tree::Set>(variable).assignments.size(), 2u);
  EXPECT_EQ(Only<tree::Set>(Read("SET")).key, "");
}

TEST(CommandParser, ReadsUseAndCache) {
  EXPECT_EQ(tree::NameText(Only<tree::Use>(Read("use dw")).name), "dw");
  EXPECT_EQ(Only<tree::Use>(Read("USE CATALOG c")).object, "CATALOG");
  const ParsedScript cache = Read("CACHE LAZY TABLE c OPTIONS ('a' = 'b') AS SELECT 1");
  EXPECT_TRUE(Only<tree::Cache>(cache).lazy);
  EXPECT_NE(Only<tree::Cache>(cache).query, nullptr);
  EXPECT_TRUE(Only<tree::Cache>(Read("UNCACHE TABLE IF EXISTS c")).uncache);
}

TEST(CommandParser, ReadsUpkeep) {
  const ParsedScript script = Read("OPTIMIZE d.t WHERE dt >= '2024-01-01' ZORDER BY (a)");
  const auto& maintain = Only<tree::Maintain>(script);
  EXPECT_EQ(maintain.words, "OPTIMIZE");
  EXPECT_EQ(tree::NameText(maintain.table), "d.t");
  EXPECT_NE(maintain.where, nullptr);
  EXPECT_EQ(Only<tree::Maintain>(Read("MSCK REPAIR TABLE t")).words, "MSCK REPAIR TABLE");
  EXPECT_EQ(Only<tree::Maintain>(Read("ANALYZE TABLE t COMPUTE STATISTICS")).tail.size(), 2u);
}

TEST(CommandParser, ReadsCallsAndExplanations) {
  const ParsedScript call = Read("CALL c.system.rewrite_data_files(table => 'db.t', n => 1)");
  EXPECT_EQ(As<tree::Call>(Only<tree::CallStatement>(call).call)->arguments.size(), 2u);
  const ParsedScript explain = Read("EXPLAIN EXTENDED INSERT INTO t SELECT 1");
  EXPECT_EQ(Only<tree::Explain>(explain).statement->kind, tree::NodeKind::kInsert);
}

TEST(CommandParser, KeepsWhatItDoesNotTakeApart) {
  ExpectRoundTrip(
      "SHOW TABLES IN d LIKE 'a*'; DESCRIBE FORMATTED d.t; GRANT SELECT ON t TO u; "
      "ADD JAR s3://x/y.jar; COMMIT; START TRANSACTION; BEGIN; SET x = 1",
      HiveDialect());
  EXPECT_EQ(ErrorOf("SELCT 1"), "line 1, column 1: expected a statement, found 'SELCT'");
}

}  // namespace
}  // namespace tarn::sql
