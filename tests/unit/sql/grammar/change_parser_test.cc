#include <gtest/gtest.h>

#include "tests/unit/sql/parse_fixture.h"

namespace tarn::sql {
namespace {

using tree::As;
using tree::MergeClause;

TEST(ChangeParser, ReadsMerge) {
  const ParsedScript script = Read(
      "MERGE WITH SCHEMA EVOLUTION INTO t USING (SELECT 1 AS k) s ON t.k = s.k "
      "WHEN MATCHED AND s.d THEN DELETE WHEN MATCHED THEN UPDATE SET t.a = s.a, b = 1 "
      "WHEN NOT MATCHED THEN INSERT (k, a) VALUES (s.k, s.a) "
      "WHEN NOT MATCHED BY SOURCE THEN UPDATE SET *");
  const auto& merge = Only<tree::Merge>(script);
  EXPECT_TRUE(merge.schema_evolution);
  ASSERT_EQ(merge.clauses.size(), 4u);
  EXPECT_EQ(merge.clauses[0]->action, MergeClause::Action::kDelete);
  EXPECT_NE(merge.clauses[0]->condition, nullptr);
  EXPECT_EQ(merge.clauses[1]->assignments.size(), 2u);
  EXPECT_EQ(merge.clauses[2]->when, MergeClause::When::kNotMatched);
  EXPECT_EQ(merge.clauses[2]->columns.size(), 2u);
  EXPECT_EQ(merge.clauses[2]->values.size(), 2u);
  EXPECT_EQ(merge.clauses[3]->when, MergeClause::When::kNotMatchedBySource);
  EXPECT_TRUE(merge.clauses[3]->all);
  ExpectRoundTrip(std::string(script.text));
}

TEST(ChangeParser, ReadsUpdateAndDelete) {
  const ParsedScript update =
      Read("UPDATE d.t AS x SET a = s.a, (b, c) = (SELECT 1, 2) FROM d.s s WHERE s.id = x.id",
           PostgresDialect());
  EXPECT_EQ(As<tree::Table>(Only<tree::Update>(update).table)->alias.name.text, "x");
  EXPECT_EQ(Only<tree::Update>(update).assignments.size(), 2u);
  EXPECT_EQ(Only<tree::Update>(update).from.size(), 1u);
  const ParsedScript remove =
      Read("DELETE FROM t USING u WHERE t.a = u.a RETURNING *", PostgresDialect());
  EXPECT_EQ(Only<tree::Delete>(remove).using_relations.size(), 1u);
  EXPECT_EQ(Only<tree::Delete>(remove).returning.size(), 1u);
}

TEST(ChangeParser, ReadsFiles) {
  const ParsedScript load =
      Read("LOAD DATA LOCAL INPATH '/a' OVERWRITE INTO TABLE t PARTITION (ds = '1')");
  EXPECT_TRUE(Only<tree::Load>(load).overwrite);
  EXPECT_EQ(Only<tree::Load>(load).partitions.size(), 1u);
  const ParsedScript into = Read("COPY INTO t FROM (SELECT a FROM '/x') FILEFORMAT = CSV");
  EXPECT_NE(Only<tree::Copy>(into).query, nullptr);
  EXPECT_FALSE(Only<tree::Copy>(into).to);
  const ParsedScript out = Read("COPY (SELECT 1) TO 'x.parquet' (FORMAT parquet)", DuckDbDialect());
  EXPECT_TRUE(Only<tree::Copy>(out).to);
  ExpectRoundTrip(
      "EXPORT TABLE t PARTITION (a = 1) TO '/x'; IMPORT EXTERNAL TABLE t FROM '/x'; "
      "TRUNCATE TABLE a PARTITION (b = 1)");
}

TEST(ChangeParser, SaysWhatItExpected) {
  EXPECT_EQ(ErrorOf("MERGE INTO t USING s WHEN"), "line 1, column 22: expected ON, found 'WHEN'");
  EXPECT_EQ(ErrorOf("UPDATE t a = 1"), "line 1, column 12: expected 'SET', found '='");
}

}  // namespace
}  // namespace tarn::sql
