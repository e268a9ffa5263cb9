#include "tarn/lineage/project.h"

#include <gtest/gtest.h>

#include <string>

#include "tarn/lineage/lineage_text.h"
#include "tarn/lineage/schema_file.h"

namespace tarn::lineage {
namespace {

// The trees of all scripts, one after the other.
std::string Trees(std::vector<ProjectScript> scripts, const std::string& schema = "{}") {
  const auto map = ParseSchemaFile(schema);
  EXPECT_TRUE(map.ok());
  AnalyzeProject(scripts, *sql::FindDialect("duckdb"), *map);
  std::string out;
  for (const ProjectScript& script : scripts) out += LineageTree(script.lineage, script.sql);
  return out;
}

TEST(ProjectTest, AModelIsAViewCalledAsItsFile) {
  EXPECT_EQ(Trees({{.file = "models/marts/b.sql", .sql = "select * from {{ ref('a') }}"},
                   {.file = "models/a.sql", .sql = "select x, y + 1 as z from raw"}},
                  R"({"raw": ["x", "y"]})"),
            "line 1: create view → b\n"
            "  reads a\n"
            "  x\n    ← a.x  IDENTITY\n"
            "  z\n    ← a.z  IDENTITY\n"
            "line 1: create view → a\n"
            "  reads raw\n"
            "  x\n    ← raw.x  IDENTITY\n"
            "  z = y + 1\n    ← raw.y  TRANSFORMATION\n");
}

TEST(ProjectTest, WhatAScriptCreatesIsKnownToTheOthers) {
  const std::string trees =
      Trees({{.file = "2.sql", .sql = "insert into t select * from d.made"},
             {.file = "1.sql", .sql = "use d; create table d.made as select p, q from d.raw"}},
            R"({"d.raw": ["p", "q"], "t": ["a", "b"]})");
  EXPECT_NE(trees.find("a\n    ← d.made.p  IDENTITY"), std::string::npos) << trees;
  EXPECT_NE(trees.find("b\n    ← d.made.q  IDENTITY"), std::string::npos) << trees;
}

TEST(ProjectTest, ThisIsTheModelItself) {
  const std::string trees = Trees({{.file = "a.sql", .sql = "select 1 as x"},
                                   {.file = "m.sql",
                                    .sql = "select x from {{ ref('a') }} where x > "
                                           "(select max(x) from {{ this }})"}});
  EXPECT_NE(trees.find("line 1: create view → m\n  reads a, m\n"), std::string::npos) << trees;
  EXPECT_NE(trees.find("← m.x  FILTER"), std::string::npos) << trees;
}

TEST(ProjectTest, TheSchemaIsRight) {
  const std::string trees = Trees(
      {{.file = "a.sql", .sql = "select 1 as other"}, {.file = "b.sql", .sql = "select * from a"}},
      R"({"a": ["x"]})");
  EXPECT_NE(trees.find("← a.x"), std::string::npos) << trees;
}

// Whoever is read first goes without the other's columns; nobody waits for ever.
TEST(ProjectTest, CirclesEnd) {
  const std::string trees = Trees({{.file = "a.sql", .sql = "select b.x from b"},
                                   {.file = "b.sql", .sql = "select a.x from a"},
                                   {.file = "c.sql", .sql = "select c.x from c"}});
  EXPECT_NE(trees.find("create view → a"), std::string::npos) << trees;
  EXPECT_NE(trees.find("create view → c"), std::string::npos) << trees;
}

// A table that nobody knows, taken whole: its columns, and so the model's, stay unknown.
TEST(ProjectTest, AStarOverTheUnknownInventsNothing) {
  const std::string trees = Trees({{.file = "a.sql", .sql = "select 1 as one, * from nobody"},
                                   {.file = "b.sql", .sql = "select * from a"}});
  EXPECT_EQ(trees.find("← a.one"), std::string::npos) << trees;
}

TEST(ProjectTest, LongChainsNeedNoStack) {
  std::vector<ProjectScript> scripts;
  for (int i = 20'000; i > 0; --i) {
    scripts.push_back({.file = "m" + std::to_string(i) + ".sql",
                       .sql = "select * from m" + std::to_string(i - 1)});
  }
  const auto map = ParseSchemaFile(R"({"m0": ["x"]})");
  AnalyzeProject(scripts, *sql::FindDialect("duckdb"), *map);
  EXPECT_EQ(LineageTree(scripts[0].lineage, scripts[0].sql),
            "line 1: create view → m20000\n  reads m19999\n  x\n    ← m19999.x  IDENTITY\n");
}

TEST(ProjectTest, OnlyAPlainQueryAloneIsAModel) {
  EXPECT_EQ(Trees({{.file = "a.sql", .sql = "drop table t"}, {.file = "b.sql", .sql = ""}})
                .find("create view"),
            std::string::npos);
  EXPECT_EQ(Trees({{.file = "a.sql", .sql = "select 1 as x; select 2 as y"}}).find("create view"),
            std::string::npos);
}

}  // namespace
}  // namespace tarn::lineage
