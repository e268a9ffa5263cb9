#include "tarn/query/statement_lineage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tarn/lineage/commit_lineage.h"
#include "tarn/sql/statement_parser.h"
#include "tests/support/matchers.h"
#include "tests/unit/query/query_world.h"

namespace tarn {
namespace {

using lineage::CommitLineage;
using ::testing::ElementsAre;
using testing::QueryWorld;
using ::testing::UnorderedElementsAre;

class StatementLineageTest : public ::testing::Test {
 protected:
  void SetUp() override {
    world.Message("CREATE TABLE ns.s (Id INT, Amount DOUBLE, day STRING)");
    world.Message("INSERT INTO ns.s VALUES (1, 2, 'x')");
    world.Message("CREATE TABLE ns.t (total DOUBLE, day STRING)");
  }

  StatementTables& tables() { return world.context().tables; }
  std::string Rewritten(const std::string& text, sql::TextKind kind) {
    auto rewritten = tables().Rewrite(text, kind);
    EXPECT_TRUE(rewritten.ok()) << rewritten.error().message;
    return rewritten->text;
  }

  // "output <- table@version.input KIND"; ids are those of the tables.
  static std::vector<std::string> Lines(const std::string& told) {
    const auto decoded = lineage::DecodeCommitLineage(told);
    if (!decoded.ok()) return {decoded.error().message};
    std::vector<std::string> lines;
    for (const CommitLineage::Flow& flow : decoded->flows) {
      const auto& input = decoded->inputs[flow.input];
      const auto& source = decoded->sources[input.source];
      std::string line = "*";
      if (flow.output != CommitLineage::kEveryOutput) {
        const auto& output = decoded->outputs[flow.output];
        line = output.column + "#" + std::to_string(output.field_id);
      }
      line += " <- " + source.name;
      if (!source.version.empty()) line += "@" + source.version;
      line += "." + input.column + "#" + std::to_string(input.field_id) + " " +
              std::string(lineage::EdgeKindName(flow.kind));
      lines.push_back(line);
    }
    return lines;
  }

  std::string Insert(const std::string& text) {
    const auto script = sql::ParseScript(text);
    const auto& insert = std::get<sql::Insert>(script->at(0).body);
    tables().Begin();
    const PinnedTable target = *tables().Pin(insert.table);
    const std::string query = Rewritten(insert.query.text, sql::TextKind::kQuery);
    return LineageOfInsert(tables(),
                           {*target.table, target.snapshot.metadata, target.snapshot.version},
                           insert, query, false);
  }

  QueryWorld world;
};

TEST_F(StatementLineageTest, Insert) {
  EXPECT_THAT(
      Lines(Insert("INSERT INTO ns.t SELECT sum(amount), DAY FROM ns.s AS x WHERE id > 0 "
                   "GROUP BY day")),
      ElementsAre("day#2 <- ns.s@1.day#3 IDENTITY", "total#1 <- ns.s@1.Amount#2 AGGREGATION",
                  "* <- ns.s@1.day#3 GROUP_BY", "* <- ns.s@1.Id#1 FILTER"));
  EXPECT_THAT(Lines(Insert("INSERT INTO ns.t (day) SELECT upper(day) FROM ns.s")),
              ElementsAre("day#2 <- ns.s@1.day#3 TRANSFORMATION"));
  EXPECT_THAT(Lines(Insert("INSERT INTO ns.t BY NAME SELECT day, amount AS total FROM ns.s")),
              UnorderedElementsAre("day#2 <- ns.s@1.day#3 IDENTITY",
                                   "total#1 <- ns.s@1.Amount#2 IDENTITY"));
}

// Two states of one table are two sources.
TEST_F(StatementLineageTest, EveryStateThatIsRead) {
  EXPECT_THAT(Lines(Insert("INSERT INTO ns.t SELECT a.amount, b.day FROM ns.s AS a, "
                           "ns.s VERSION AS OF 0 AS b")),
              UnorderedElementsAre("total#1 <- ns.s@1.Amount#2 IDENTITY",
                                   "day#2 <- ns.s@0.day#3 IDENTITY"));
}

TEST_F(StatementLineageTest, RelationsOfATable) {
  const auto decoded = lineage::DecodeCommitLineage(
      Insert("INSERT INTO ns.t SELECT count(*), max(operation) FROM ns.s.history"));
  ASSERT_TRUE(decoded.ok()) << decoded.error().message;
  ASSERT_EQ(decoded->sources.size(), 1U);
  EXPECT_EQ(decoded->sources[0].name, "ns.s.history");
}

TEST_F(StatementLineageTest, UpdateAndDelete) {
  tables().Begin();
  const PinnedTable target = *tables().Pin({.parts = {"ns", "s"}});
  const WrittenTable written{*target.table, target.snapshot.metadata, target.snapshot.version};
  const std::string where = Rewritten("id IN (SELECT total FROM ns.t)", sql::TextKind::kExpression);
  EXPECT_THAT(Lines(LineageOfUpdate(tables(), written, "s", {{1, "id * 2"}}, where)),
              UnorderedElementsAre("Amount#2 <- ns.s@1.Id#1 TRANSFORMATION",
                                   "* <- ns.s@1.Id#1 FILTER", "* <- ns.t@0.total#1 FILTER"));
  EXPECT_THAT(Lines(LineageOfDelete(tables(), written, "s", "s.day = 'x'")),
              ElementsAre("* <- ns.s@1.day#3 FILTER"));
}

TEST_F(StatementLineageTest, WhatCannotBeToldIsAbsent) {
  tables().Begin();
  const PinnedTable target = *tables().Pin({.parts = {"ns", "t"}});
  EXPECT_EQ(
      LineageOfDelete(tables(), {*target.table, target.snapshot.metadata, target.snapshot.version},
                      "t", "((("),
      "");
}

}  // namespace
}  // namespace tarn
