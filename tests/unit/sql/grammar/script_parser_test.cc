#include <gtest/gtest.h>

#include "tests/unit/sql/parse_fixture.h"

namespace tarn::sql {
namespace {

using tree::As;

TEST(ScriptParser, ReadsBlocks) {
  const ParsedScript script = Read(
      "BEGIN DECLARE x INT DEFAULT 1; SET x = x + 1; IF x > 1 THEN INSERT INTO t VALUES (x); "
      "ELSEIF x = 0 THEN DELETE FROM t; ELSE SELECT 1; END IF; END; SELECT 2");
  ASSERT_EQ(script.statements.size(), 2u);
  const auto* const block = As<tree::Block>(script.statements[0].root);
  ASSERT_NE(block, nullptr);
  ASSERT_EQ(block->statements.size(), 3u);
  EXPECT_NE(As<tree::Declare>(block->statements[0])->value, nullptr);
  EXPECT_EQ(As<tree::Set>(block->statements[1])->assignments.size(), 1u);
  const auto* const branches = As<tree::If>(block->statements[2]);
  ASSERT_EQ(branches->branches.size(), 3u);
  EXPECT_EQ(branches->branches[2]->condition, nullptr);
}

TEST(ScriptParser, ReadsLoops) {
  const ParsedScript script = Read(
      "l: BEGIN WHILE a < 3 DO SELECT 1; END WHILE; FOR r AS SELECT b FROM t DO INSERT INTO u "
      "VALUES "
      "(r.b); END FOR; REPEAT SELECT 2; UNTIL c END REPEAT; END l");
  const auto& block = Only<tree::Block>(script);
  ASSERT_EQ(block.statements.size(), 3u);
  const auto* const each = As<tree::Loop>(block.statements[1]);
  EXPECT_EQ(each->variable.text, "r");
  EXPECT_NE(each->query, nullptr);
  EXPECT_NE(As<tree::Loop>(block.statements[2])->condition, nullptr);
}

TEST(ScriptParser, ABeginWithoutABlockIsATransaction) {
  EXPECT_EQ(Read("BEGIN; SELECT 1; COMMIT").statements.size(), 3u);
}

TEST(ScriptParser, RoundTrips) {
  ExpectRoundTrip(
      "BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN SELECT 1; END; CASE x WHEN 1 "
      "THEN SELECT 2; ELSE SELECT 3; END CASE; END");
  ExpectRoundTrip("DECLARE OR REPLACE VARIABLE x INT DEFAULT (SELECT 1)");
  EXPECT_EQ(ErrorOf("BEGIN SELECT 1;"), "line 1, column 16: expected END, found the end");
}

}  // namespace
}  // namespace tarn::sql
