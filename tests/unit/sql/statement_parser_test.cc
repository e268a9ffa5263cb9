#include "tarn/sql/statement_parser.h"

#include <string>

#include <gtest/gtest.h>

namespace tarn::sql {
namespace {

template <class Body>
Body One(std::string_view sql) {
  auto statements = ParseScript(sql);
  EXPECT_TRUE(statements.ok()) << sql << ": "
                               << (statements.ok() ? "" : statements.error().message);
  if (!statements.ok() || statements->size() != 1) return {};
  auto* body = std::get_if<Body>(&(*statements)[0].body);
  EXPECT_NE(body, nullptr) << sql << " is alternative " << (*statements)[0].body.index();
  return body == nullptr ? Body{} : std::move(*body);
}

std::string Why(std::string_view sql) {
  const auto statements = ParseScript(sql);
  EXPECT_FALSE(statements.ok()) << sql;
  return statements.ok() ? "" : statements.error().message;
}

TEST(ParseScript, SplitsAtSemicolonsOutsideQuotes) {
  const auto statements = ParseScript("; SELECT ';' ; -- ;\n SELECT 2 ;;");
  ASSERT_TRUE(statements.ok());
  ASSERT_EQ(statements->size(), 2u);
  EXPECT_EQ((*statements)[0].text, "SELECT ';'");
  EXPECT_EQ((*statements)[1].text, "SELECT 2");
  EXPECT_EQ((*statements)[0].span.begin, 2u);
}

TEST(ParseScript, QueriesStayText) {
  for (const char* sql :
       {"SELECT 1", "WITH a AS (SELECT 1) SELECT * FROM a", "FROM t", "VALUES (1)",
        "(SELECT 1) UNION SELECT 2", "TABLE t", "SUMMARIZE t", "PIVOT t ON a"}) {
    EXPECT_EQ(One<Query>(sql).query.text, sql);
  }
}

TEST(ParseScript, Explain) {
  EXPECT_EQ(One<Explain>("EXPLAIN SELECT 1").statement.text, "SELECT 1");
  EXPECT_TRUE(One<Explain>("explain analyze DELETE FROM t").analyze);
}

TEST(ParseScript, CreateTable) {
  const auto create = One<CreateTable>(R"(
      CREATE TABLE IF NOT EXISTS db.t (
        id BIGINT NOT NULL COMMENT 'key',
        price DECIMAL(10, 2) DEFAULT 1.5,
        tags ARRAY<STRING>,
        n INT CHECK (n > 0),
        CONSTRAINT positive CHECK (id > 0))
      USING DELTA
      PARTITIONED BY (day, bucket(16, id), truncate(name, 4), region STRING)
      LOCATION '/data/t' COMMENT 'it''s'
      TBLPROPERTIES ('delta.appendOnly' = 'true', delta.checkpointInterval = 5))");
  EXPECT_TRUE(create.if_not_exists);
  EXPECT_EQ(create.table.ToText(), "db.t");
  ASSERT_EQ(create.columns.size(), 4u);
  EXPECT_TRUE(create.columns[0].field.required);
  EXPECT_EQ(create.columns[0].field.doc, "key");
  EXPECT_EQ(create.columns[1].field.write_default_sql, "1.5");
  EXPECT_EQ(create.columns[2].field.type.kind, TypeKind::kList);
  EXPECT_EQ(create.columns[3].check, "n > 0");
  ASSERT_EQ(create.constraints.size(), 1u);
  EXPECT_EQ(create.constraints[0].name, "positive");
  EXPECT_EQ(create.constraints[0].check, "id > 0");
  EXPECT_EQ(create.format, "delta");
  ASSERT_EQ(create.partitioned_by.size(), 4u);
  EXPECT_EQ(create.partitioned_by[0].transform, "identity");
  EXPECT_EQ(create.partitioned_by[1].transform, "bucket");
  EXPECT_EQ(create.partitioned_by[1].parameter, 16);
  EXPECT_EQ(create.partitioned_by[1].column, "id");
  EXPECT_EQ(create.partitioned_by[2].parameter, 4);
  EXPECT_EQ(create.partitioned_by[3].type->kind, TypeKind::kString);
  EXPECT_EQ(create.location, "/data/t");
  EXPECT_EQ(create.comment, "it's");
  EXPECT_EQ(create.properties.at("delta.appendOnly"), "true");
  EXPECT_EQ(create.properties.at("delta.checkpointInterval"), "5");
}

TEST(ParseScript, CreateTableAs) {
  const auto create = One<CreateTable>(
      "CREATE OR REPLACE TABLE t PARTITIONED BY (a) AS SELECT a, ')' AS b FROM s WHERE (x)");
  EXPECT_TRUE(create.or_replace);
  EXPECT_TRUE(create.columns.empty());
  EXPECT_EQ(create.query->text, "SELECT a, ')' AS b FROM s WHERE (x)");
  EXPECT_TRUE(One<CreateTable>("CREATE TABLE 'a/b' AS (SELECT 1)").query);
}

TEST(ParseScript, CreateNamespace) {
  EXPECT_EQ(One<CreateNamespace>("CREATE SCHEMA IF NOT EXISTS a.b").name.size(), 2u);
  EXPECT_TRUE(One<DropNamespace>("DROP DATABASE IF EXISTS a CASCADE").cascade);
  EXPECT_EQ(One<UseNamespace>("USE a").name[0], "a");
}

TEST(ParseScript, Insert) {
  auto insert = One<Insert>("INSERT INTO TABLE t (a, b) SELECT 1, 2");
  EXPECT_EQ(insert.mode, Insert::Mode::kInto);
  EXPECT_EQ(insert.columns, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(insert.query.text, "SELECT 1, 2");
  EXPECT_EQ(One<Insert>("INSERT INTO t VALUES (1, 2)").query.text, "VALUES (1, 2)");
  EXPECT_EQ(One<Insert>("INSERT INTO t (SELECT 1)").query.text, "(SELECT 1)");
  EXPECT_TRUE(One<Insert>("INSERT INTO t BY NAME SELECT 1 AS a").by_name);

  insert = One<Insert>(
      "INSERT OVERWRITE TABLE t PARTITION (day = DATE '2026-01-01', region) SELECT * FROM s");
  EXPECT_EQ(insert.mode, Insert::Mode::kOverwrite);
  ASSERT_EQ(insert.partitions.size(), 2u);
  EXPECT_EQ(insert.partitions[0].value, "DATE '2026-01-01'");
  EXPECT_FALSE(insert.partitions[1].value);

  insert = One<Insert>("INSERT INTO t REPLACE WHERE day >= '2026-01-01' SELECT * FROM s");
  EXPECT_EQ(insert.mode, Insert::Mode::kReplaceWhere);
  EXPECT_EQ(insert.replace_where->text, "day >= '2026-01-01'");
}

TEST(ParseScript, DeleteAndUpdate) {
  EXPECT_EQ(One<Delete>("DELETE FROM t WHERE a IN (SELECT b FROM s)").where->text,
            "a IN (SELECT b FROM s)");
  EXPECT_FALSE(One<Delete>("DELETE FROM t").where);
  EXPECT_EQ(One<Delete>("DELETE FROM t AS x WHERE x.a = 1").alias, "x");
  EXPECT_EQ(One<Delete>("TRUNCATE TABLE a.t").table.ToText(), "a.t");
  const auto update = One<Update>(
      "UPDATE t SET a = f(b, c), d.e = CASE WHEN x IS DISTINCT FROM y THEN 1 END WHERE id = 3");
  ASSERT_EQ(update.assignments.size(), 2u);
  EXPECT_EQ(update.assignments[0].value.text, "f(b, c)");
  EXPECT_EQ(update.assignments[1].column, "d.e");
  EXPECT_EQ(update.assignments[1].value.text, "CASE WHEN x IS DISTINCT FROM y THEN 1 END");
  EXPECT_EQ(update.where->text, "id = 3");
}

TEST(ParseScript, Drop) {
  const auto drop = One<DropTable>("DROP TABLE IF EXISTS a.t PURGE");
  EXPECT_TRUE(drop.if_exists);
  EXPECT_TRUE(drop.purge);
}

TEST(ParseScript, ShowAndDescribe) {
  EXPECT_EQ(One<ShowTables>("SHOW TABLES IN a LIKE 'x%'").within, "a");
  EXPECT_EQ(One<ShowTables>("SHOW TABLES").within, std::nullopt);
  EXPECT_EQ(One<ShowNamespaces>("SHOW DATABASES LIKE 'x'").like, "x");
  using What = Describe::What;
  EXPECT_EQ(One<Describe>("DESCRIBE t").what, What::kColumns);
  EXPECT_EQ(One<Describe>("DESC TABLE EXTENDED t").what, What::kExtended);
  EXPECT_EQ(One<Describe>("DESCRIBE HISTORY 'a/b'").what, What::kHistory);
  EXPECT_EQ(One<Describe>("DESCRIBE history").table.ToText(), "history");
  EXPECT_EQ(One<Describe>("DESCRIBE DETAIL delta.`a/b`").what, What::kDetail);
  EXPECT_EQ(One<Describe>("DESCRIBE SELECT 1").query->text, "SELECT 1");
  EXPECT_EQ(One<Describe>("SHOW TBLPROPERTIES t").what, What::kProperties);
  EXPECT_EQ(One<Describe>("SHOW COLUMNS FROM t").what, What::kColumns);
  EXPECT_EQ(One<Describe>("SHOW CREATE TABLE t").what, What::kCreate);
  EXPECT_EQ(One<Describe>("SHOW PARTITIONS t").what, What::kPartitions);
}

TEST(ParseScript, OthersAreNamed) {
  EXPECT_EQ(One<Other>("MERGE INTO t USING s ON x").words, "MERGE INTO");
  EXPECT_EQ(One<Other>("create view v as select 1").words, "CREATE VIEW");
  EXPECT_EQ(One<Other>("SET threads = 1").words, "SET");
  EXPECT_EQ(One<Other>("CREATE TEMP TABLE t (a INT)").words, "CREATE TEMP");
}

TEST(ParseScript, SaysWhatItExpected) {
  EXPECT_EQ(Why("CREATE TABLE t"),
            "sql: line 1, column 15: expected columns, or AS and a query, found the end");
  EXPECT_EQ(Why("SELECT 1;\nDROP TABLE t x"),
            "sql: line 2, column 14: expected the end of the statement, found 'x'");
  EXPECT_EQ(Why("INSERT t SELECT 1"), "sql: line 1, column 8: expected into, found 't'");
  EXPECT_NE(Why("UPDATE t SET a = b FROM s").find("UPDATE … FROM is not supported"),
            std::string::npos);
  EXPECT_NE(Why("WITH a AS (SELECT 1) INSERT INTO t SELECT * FROM a").find("INSERT INTO t WITH"),
            std::string::npos);
}

TEST(IsIncomplete, AsksForMoreUntilTheSemicolon) {
  EXPECT_TRUE(IsIncomplete("SELECT 1"));
  EXPECT_TRUE(IsIncomplete("SELECT 1; SELECT"));
  EXPECT_TRUE(IsIncomplete("SELECT 'a;"));
  EXPECT_FALSE(IsIncomplete("SELECT 1; -- done"));
  EXPECT_FALSE(IsIncomplete("  -- nothing"));
}

}  // namespace
}  // namespace tarn::sql
