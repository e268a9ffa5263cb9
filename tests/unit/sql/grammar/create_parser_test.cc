#include <gtest/gtest.h>

#include "tests/unit/sql/parse_fixture.h"

namespace tarn::sql {
namespace {

using tree::As;

TEST(CreateParser, ReadsCreateTable) {
  const ParsedScript script = Read(
      "CREATE EXTERNAL TABLE IF NOT EXISTS d.t (a INT NOT NULL COMMENT 'x', b STRUCT<c: INT>, "
      "PRIMARY KEY (a) DISABLE NOVALIDATE) COMMENT 'y' PARTITIONED BY (ds STRING) CLUSTERED BY (a) "
      "SORTED BY (b) INTO 4 BUCKETS ROW FORMAT SERDE 'z' WITH SERDEPROPERTIES ('k' = 'v') STORED "
      "AS "
      "INPUTFORMAT 'i' OUTPUTFORMAT 'o' LOCATION '/l' TBLPROPERTIES ('p' = 'q')",
      HiveDialect());
  const auto& table = Only<tree::CreateTable>(script);
  EXPECT_TRUE(table.external);
  EXPECT_TRUE(table.if_not_exists);
  EXPECT_EQ(table.columns.size(), 2u);
  EXPECT_EQ(table.constraints.size(), 1u);
  ASSERT_EQ(table.partitioned_by.size(), 1u);
  EXPECT_NE(As<tree::ColumnDefinition>(table.partitioned_by[0]), nullptr);
  EXPECT_NE(table.location, nullptr);
  ASSERT_EQ(table.clauses.size(), 6u);
  EXPECT_EQ(table.clauses[1]->word, "CLUSTERED");
  EXPECT_EQ(table.clauses[2]->word, "ROW");
  EXPECT_EQ(table.clauses[3]->word, "STORED");
  ExpectRoundTrip(std::string(script.text), HiveDialect());
}

TEST(CreateParser, ReadsTheQueryOfATable) {
  const ParsedScript script = Read(
      "CREATE OR REPLACE TABLE d.i USING iceberg PARTITIONED BY (days(ts), bucket(4, id)) OPTIONS "
      "('a' = 'b') AS WITH w AS (SELECT 1) SELECT * FROM w");
  const auto& table = Only<tree::CreateTable>(script);
  EXPECT_TRUE(table.or_replace);
  EXPECT_EQ(tree::NameText(table.format), "iceberg");
  EXPECT_EQ(As<tree::Call>(table.partitioned_by[1])->arguments.size(), 2u);
  EXPECT_NE(table.query->with, nullptr);
  EXPECT_NE(
      Only<tree::CreateTable>(Read("CREATE TABLE t STORED AS ORC SELECT 1", HiveDialect())).query,
      nullptr);
  const ParsedScript named = Read(
      "CREATE TABLE t (a, b) WITH (format = 'ORC') AS SELECT 1, 2 WITH NO DATA", TrinoDialect());
  EXPECT_EQ(Only<tree::CreateTable>(named).columns.size(), 2u);
  EXPECT_EQ(Only<tree::CreateTable>(named).tail.size(), 3u);
}

TEST(CreateParser, ReadsLikeAndClone) {
  EXPECT_EQ(
      tree::NameText(Only<tree::CreateTable>(Read("CREATE TABLE a LIKE d.b LOCATION '/x'")).like),
      "d.b");
  const ParsedScript clone = Read("CREATE TABLE a SHALLOW CLONE b VERSION AS OF 3");
  EXPECT_EQ(Only<tree::CreateTable>(clone).clone_words, "SHALLOW CLONE");
  EXPECT_NE(Only<tree::CreateTable>(clone).clone_as_of, nullptr);
}

TEST(CreateParser, ReadsDefaultsAndGeneratedColumns) {
  const ParsedScript script = Read(
      "CREATE TABLE t (a INT DEFAULT 1 + 2 NOT NULL, b DATE GENERATED ALWAYS AS (CAST(c AS DATE)), "
      "d BIGINT GENERATED ALWAYS AS IDENTITY (START WITH 1)) USING delta");
  const auto& columns = Only<tree::CreateTable>(script).columns;
  EXPECT_NE(columns[0]->default_value, nullptr);
  EXPECT_EQ(columns[0]->tail.size(), 2u);
  EXPECT_NE(columns[1]->generated, nullptr);
  EXPECT_EQ(columns[2]->generated, nullptr);
  ExpectRoundTrip(std::string(script.text));
}

TEST(CreateParser, ReadsViews) {
  const ParsedScript script = Read(
      "create or replace view d.v (u comment 'c', total) comment 'x' as select uid, sum(a) from o "
      "group by uid");
  const auto& view = Only<tree::CreateView>(script);
  EXPECT_TRUE(view.or_replace);
  EXPECT_EQ(view.columns.size(), 2u);
  EXPECT_NE(view.query, nullptr);
  EXPECT_TRUE(Only<tree::CreateView>(Read("CREATE GLOBAL TEMPORARY VIEW v AS SELECT 1")).temporary);
  const ParsedScript file = Read("CREATE TEMP VIEW v USING csv OPTIONS (path '/x', header true)");
  EXPECT_EQ(Only<tree::CreateView>(file).query, nullptr);
  ExpectRoundTrip("CREATE MATERIALIZED VIEW v WITH (partitioning = ARRAY['dt']) AS SELECT 1 AS dt",
                  TrinoDialect());
}

TEST(CreateParser, ReadsFunctions) {
  const ParsedScript sql =
      Read("CREATE OR REPLACE FUNCTION f(x INT, y STRING) RETURNS INT RETURN x + length(y)");
  EXPECT_EQ(Only<tree::CreateFunction>(sql).parameters.size(), 2u);
  EXPECT_EQ(Only<tree::CreateFunction>(sql).body->kind, tree::NodeKind::kBinary);
  ExpectRoundTrip(std::string(sql.text));
  ExpectRoundTrip("CREATE TEMPORARY FUNCTION f AS 'com.x.F' USING JAR '/x.jar'", HiveDialect());
  ExpectRoundTrip("CREATE TEMPORARY MACRO f(x INT) x * 2", HiveDialect());
  ExpectRoundTrip("CREATE MACRO f(a, b) AS TABLE SELECT a + b", DuckDbDialect());
}

TEST(CreateParser, ReadsOtherObjects) {
  ExpectRoundTrip("CREATE SCHEMA IF NOT EXISTS s COMMENT 'x' LOCATION '/y'");
  ExpectRoundTrip("CREATE UNIQUE INDEX i ON t (a, b)", PostgresDialect());
  EXPECT_EQ(ErrorOf("CREATE NONSENSE x"),
            "line 1, column 8: expected TABLE, VIEW, FUNCTION, SCHEMA or another object, found "
            "'NONSENSE'");
}

}  // namespace
}  // namespace tarn::sql
